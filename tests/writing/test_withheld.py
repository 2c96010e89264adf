"""Whoever has seen the error of a text is not asked to annotate it, in any language or version."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.actions import places
from annotation.models import Assignment, Item, Withheld
from annotation.selectors.progress import own_progress
from tests import factories
from tests.files import exported, jsonl, load
from tests.writing import making
from writing.actions import holding, review, samples


def french(text="Deux moutons blancs sur une colline."):
    return making.content(text, None, question="Quoi ?")


def left(user, project) -> int:
    person = project.participants.get(user=user)
    return own_progress(person, project.languages)["left"]


def export(project) -> list[dict]:
    return [json.loads(line) for line in exported(project.slug).splitlines()]


def seen_by(item) -> set[str]:
    return {
        row.participant.user.username for row in item.withheld.select_related("participant__user")
    }


@pytest.fixture
def root(writer, coordinator, brief):
    return making.published(writer, coordinator, brief)


@pytest.fixture
def task(project, root):
    return making.tasks_of(project, root)["fr"]


@pytest.fixture
def readers(project, writer, other):
    """Writer and post-editor annotate every language as well."""
    for user in (writer, other):
        factories.join(project, user.username, "annotator")
    return writer, other


def test_writer_and_post_editor_get_no_item_of_the_family(
    project, root, task, readers, coordinator, annotator
):
    writer, other = readers
    assert left(other, project) == 1, "nobody has shown them the text"
    samples.submit(other, task.pk, french(), 0)
    review.accept(coordinator, task.pk)
    translated = review.publish(coordinator, task.pk)
    assert seen_by(root.item) == seen_by(translated) == {"writer", "other"}
    for user in readers:
        assert places.claim(user, project.slug) is None and left(user, project) == 0
    assert left(annotator, project) == 2
    got = places.claim(annotator, project.slug)
    assert got.item in (root.item, translated) and places.claim(
        annotator, project.slug, got.place_id
    )


def test_a_new_version_and_those_who_gave_back_are_of_the_family_too(
    project, root, task, readers, coordinator
):
    writer, other = readers
    holding.begin(other, task.pk)
    holding.release(other, task.pk)
    newer = review.revise(coordinator, root.pk)
    third = factories.join(project, "third", "writer", ("en",))
    newer = holding.take_away(coordinator, newer.pk, project.participants.get(user=third).pk)
    assert seen_by(root.item) == {"writer", "other", "third"}
    samples.submit(third, newer.pk, making.content("Two black sheep stand there."), 0)
    review.accept(coordinator, newer.pk)
    assert seen_by(review.publish(coordinator, newer.pk)) == {"writer", "other", "third"}
    assert places.claim(writer, project.slug) is places.claim(other, project.slug) is None


def test_a_place_that_is_held_already_stays_and_is_told(
    project, root, task, readers, coordinator, page_as
):
    other = readers[1]
    mine = places.claim(other, project.slug)
    assert mine.item == root.item
    holding.begin(other, task.pk)
    assert places.claim(other, project.slug).pk == mine.pk and left(other, project) == 1
    for sample in (root, task):
        page = page_as(coordinator).get(f"/p/flock/samples/{sample.pk}/").text
        assert "have a place all the same" in page and "other: " in page
    Assignment.objects.filter(pk=mine.place_id).update(leased_until="2026-01-01T00:00:00Z")
    assert Assignment.objects.get(pk=mine.place_id).annotator == mine.annotator


@pytest.mark.parametrize("many", [False, True])
def test_what_is_left_is_what_can_be_claimed(project, coordinator, annotator, many):
    items = [factories.make_item(project, f"item-{n}", places=1) for n in range(4)]
    person = project.participants.get(user=annotator)
    Withheld.objects.bulk_create(
        Withheld(item=item, participant=person) for item in items[: 4 if many else 1]
    )
    Item.objects.filter(pk=items[3].pk).update(author=person.pseudonym)
    expected = left(annotator, project)
    got = 0
    while (mine := places.claim(annotator, project.slug)) is not None:
        Assignment.objects.filter(pk=mine.place_id).update(state="submitted", leased_until=None)
        got += 1
    assert got == expected == (0 if many else 2)


def test_a_claim_asks_as_often_with_withheld_items(project, annotator):
    for n in range(6):
        factories.make_item(project, f"item-{n}", places=1)

    def queries():
        with CaptureQueriesContext(connection) as caught:
            mine = places.claim(annotator, project.slug)
        Assignment.objects.filter(pk=mine.place_id).update(state="submitted", leased_until=None)
        return len(caught)

    before = queries()
    person = project.participants.get(user=annotator)
    free = Assignment.objects.filter(state="open").values_list("item", flat=True)[:4]
    Withheld.objects.bulk_create(Withheld(item_id=pk, participant=person) for pk in free)
    assert queries() == before
    assert places.claim(annotator, project.slug) is None


def test_who_is_withheld_goes_out_and_comes_back(project, root, task, other, coordinator, tmp_path):
    holding.begin(other, task.pk)
    factories.make_item(project, "plain")
    names = sorted(row.participant.pseudonym for row in root.item.withheld.all())
    lines = export(project)
    assert [line.get("withheld") for line in lines] == [names, None]
    again = factories.make_project("again", languages=("en", "fr"))
    path = jsonl(tmp_path / "all.jsonl", *lines)
    assert load(path, "--with-annotations", slug="again")[0] == 0
    assert export(again) == lines
    assert "same 2" in load(path, "--with-annotations", slug="again")[1]
    added = jsonl(tmp_path / "more.jsonl", lines[0], lines[1] | {"withheld": names})
    assert load(added, "--with-annotations", slug="again")[0] == 0
    assert export(again)[1]["withheld"] == names
    factories.make_project("bare", languages=("en", "fr"))
    assert load(path, slug="bare")[0] == 0
    assert Withheld.objects.filter(item__project__slug="bare").count() == 0
    wrong = jsonl(tmp_path / "wrong.jsonl", lines[0] | {"withheld": [names[0], names[0]]})
    code, _, err = load(wrong, "--with-annotations", slug="bare")
    assert code == 1 and "withheld[1]" in err
