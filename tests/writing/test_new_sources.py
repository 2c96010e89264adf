"""A new version of a source: its translations are kept, told of it, and never there twice."""

from __future__ import annotations

import json

import pytest

from annotation.actions import answers, places
from annotation.actions.answers import Outcome
from annotation.errors import Refused, Unknown
from annotation.models import Annotation, Item
from annotation.records import Answer, SpanRecord
from tests import factories
from tests.files import exported
from tests.writing import making
from writing.actions import holding, review, samples, sources
from writing.actions.translations import import_translations, live, make_tasks
from writing.models import Sample
from writing.selectors import translations as reads

MACHINE = "Deux moutons blancs sur une colline."


def french(text=MACHINE, **fields):
    return making.content(text, None, **({"question": "Quoi ?"} | fields))


@pytest.fixture
def root(writer, coordinator, brief):
    return making.published(writer, coordinator, brief)


@pytest.fixture
def task(project, root):
    return making.tasks_of(project, root)["fr"]


def bring(sample, state, other, coordinator):
    """The translation in a state; ``free`` and ``machine`` have nobody."""
    if state == "machine":
        read(sample.project, sample.root, MACHINE)
    if state in ("free", "machine"):
        return
    holding.begin(other, sample.pk)
    if state == "begun":
        return
    samples.submit(other, sample.pk, french(), 0)
    if state == "returned":
        review.send_back(coordinator, sample.pk, "Again.")
    if state in ("accepted", "published"):
        review.accept(coordinator, sample.pk)
    if state == "published":
        review.publish(coordinator, sample.pk)


def read(project, root, text):
    row = {"sample": root.key, "language": "fr", "text": text}
    return import_translations(None, project, making.lines(row), "mt.jsonl")


def renew(root, writer, coordinator, text="Two black sheep stand on a green hill.", label="B"):
    """A published new version of the source."""
    newer = review.revise(coordinator, root.pk, "Another colour.")
    samples.submit(writer, newer.pk, making.content(text, label), newer.version)
    review.accept(coordinator, newer.pk)
    review.publish(coordinator, newer.pk)
    return Sample.objects.get(pk=newer.pk)


STATES = ["free", "machine", "begun", "submitted", "returned", "accepted", "published"]
CELLS = dict(
    zip(STATES, ["free", "free", "working", "sent", "working", "done", "done"], strict=True)
)


@pytest.mark.parametrize("state", STATES)
def test_in_every_state_there_is_one_translation_and_it_is_told(
    project, root, task, writer, other, coordinator, page_as, state
):
    bring(task, state, other, coordinator)
    text = Sample.objects.get(pk=task.pk).text
    newer = review.revise(coordinator, root.pk, "Another colour.")
    samples.submit(writer, newer.pk, making.content("Two black sheep are here.", "B"), 0)
    review.accept(coordinator, newer.pk)
    assert make_tasks(None, project) == 0, "an accepted version is no second source"
    assert reads.matrix(project)["en"]["fr"] == reads.Cell(wanted=1, **{CELLS[state]: 1})
    review.publish(coordinator, newer.pk)
    assert make_tasks(None, project) == 0
    stale = state != "free"
    wanted = reads.Cell(wanted=1, **{CELLS[state]: 1}, changed=int(stale))
    assert reads.matrix(project)["en"]["fr"] == wanted
    [now] = live(newer, "fr")
    untouched = state in ("free", "machine")
    assert (now.pk, now.stale, now.text) == (task.pk, stale, text)
    assert now.root_id == now.parent_id == (newer.pk if untouched else root.pk)
    assert now.label.code == ("B" if untouched else "A")
    assert now.revisions.filter(kind="source").count() == 1
    listed = page_as(other).get("/p/flock/translations/").text
    assert ("The source has changed" in listed) == stale
    lead = page_as(coordinator)
    assert ("with a changed source" in lead.get("/p/flock/samples/translations/").text) == stale
    assert ("The source has changed" in lead.get(f"/p/flock/samples/{task.pk}/").text) == stale


def test_a_machines_text_of_the_new_version_ends_the_warning(
    project, root, task, writer, other, coordinator
):
    bring(task, "machine", other, coordinator)
    newer = renew(root, writer, coordinator)
    [refusal] = read(project, root, "Autre.").refusals
    assert newer.key in refusal.reason
    assert read(project, newer, MACHINE).line().startswith("new 1")
    now = Sample.objects.get(pk=task.pk)
    assert (now.stale, now.text, now.root) == (False, MACHINE, newer)
    assert read(project, newer, MACHINE).line().startswith("new 0")


@pytest.mark.parametrize("state", ["submitted", "accepted", "published"])
def test_what_was_sent_cannot_take_it_up(root, task, writer, other, coordinator, state):
    bring(task, state, other, coordinator)
    renew(root, writer, coordinator)
    with pytest.raises(Refused) as error:
        sources.take_up(other, task.pk)
    assert error.value.problems[0].where == "state"


def test_only_ones_own_and_only_once(project, root, task, writer, other, coordinator):
    with pytest.raises(Unknown):
        sources.take_up(other, task.pk)
    bring(task, "begun", other, coordinator)
    third = factories.join(project, "third", "writer", ("fr",))
    for user in (third, coordinator):
        with pytest.raises(Unknown):
            sources.take_up(user, task.pk)
    for _turn in range(2):
        with pytest.raises(Refused) as error:
            sources.take_up(other, task.pk)
        assert error.value.problems[0].where == "source"
        if not _turn:
            renew(root, writer, coordinator)
            sources.take_up(other, task.pk)


def test_taking_up_keeps_the_text_and_an_old_page_is_told(
    root, task, writer, other, coordinator, page_as
):
    bring(task, "begun", other, coordinator)
    saved = samples.save(other, task.pk, french("Deux moutons."), 0).sample
    newer = renew(root, writer, coordinator)
    page = page_as(other)
    shown = page.get(f"/p/flock/translations/{task.pk}/").text
    assert "black sheep stand" in shown and "Take up the new source" in shown
    page.post(f"/p/flock/translations/{task.pk}/take_up/")
    now = Sample.objects.get(pk=task.pk)
    assert (now.text, now.root, now.label.code, now.stale) == ("Deux moutons.", newer, "B", False)
    assert "The source has changed" not in page.get(f"/p/flock/translations/{task.pk}/").text
    late = samples.save(other, task.pk, french("Un autre texte."), saved.version)
    assert late.outcome is Outcome.CONFLICT
    kinds = list(now.revisions.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["begin", "save", "source", "take_up"]
    assert now.revisions.get(kind="source").content["root"] == root.pk


def test_a_successor_retires_the_item_of_the_translation_it_replaces(
    project, root, task, writer, other, coordinator, annotator
):
    bring(task, "published", other, coordinator)
    old = Sample.objects.get(pk=task.pk).item
    while (mine := places.claim(annotator, project.slug)).item != old:
        answers.save(annotator, mine.place_id, Answer((), "", True), 0, 0, True)
    answers.save(annotator, mine.place_id, Answer((SpanRecord(0, 4, "A"),)), 0, 0, True)
    newer = renew(root, writer, coordinator)
    again = review.revise(coordinator, task.pk, "The source has changed.")
    assert again.stale and reads.matrix(project)["en"]["fr"].done == 1
    sources.take_up(other, again.pk)
    said = french("Deux moutons noirs sur une colline.")
    samples.submit(other, again.pk, said, Sample.objects.get(pk=again.pk).version)
    review.accept(coordinator, again.pk)
    fresh = review.publish(coordinator, again.pk)
    old.refresh_from_db()
    assert (old.state, fresh.state, fresh.prelabel) == ("retired", "active", "B")
    assert Annotation.objects.get(item=old).spans.count() == 1
    assert fresh.metadata["lineage"]["root"] == newer.key
    assert fresh.metadata["lineage"]["replaces"] == task.key
    assert reads.matrix(project)["en"]["fr"] == reads.Cell(wanted=1, done=1)
    assert make_tasks(None, project) == 0
    assert sorted(Item.objects.values_list("state", flat=True)) == ["active"] * 2 + ["retired"] * 2


def test_the_export_of_samples_says_what_rests_on_an_older_version(
    project, root, task, writer, other, coordinator
):
    bring(task, "submitted", other, coordinator)
    newer = renew(root, writer, coordinator)
    rows = {row["key"]: row for row in map(json.loads, exported(name="samples").splitlines())}
    found = {key: (row["root"], row["replaces"], row["stale"]) for key, row in rows.items()}
    assert found == {
        root.key: (root.key, None, False),
        newer.key: (newer.key, root.key, False),
        task.key: (root.key, None, True),
    }
