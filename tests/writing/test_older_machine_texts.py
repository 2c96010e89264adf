"""A machine's text of an older version is never taken for the new one's."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from tests import factories
from tests.writing import making
from writing.actions import holding, review, samples, sources
from writing.actions.translations import import_translations
from writing.models import Sample
from writing.selectors import translations as reads

FIRST, SECOND = "Deux moutons blancs sur une colline.", "Deux moutons noirs sur une colline."


def french(text, **fields):
    return making.content(text, None, **({"question": "Quoi ?"} | fields))


def read(project, root, text):
    row = {"sample": root.key, "language": "fr", "text": text}
    return import_translations(None, project, making.lines(row), "mt.jsonl")


def renew(root, writer, coordinator):
    newer = review.revise(coordinator, root.pk, "Another colour.")
    said = making.content("Two black sheep stand on a green hill.", "B")
    samples.submit(writer, newer.pk, said, newer.version)
    review.accept(coordinator, newer.pk)
    review.publish(coordinator, newer.pk)
    return Sample.objects.get(pk=newer.pk)


@pytest.fixture
def root(writer, coordinator, brief):
    return making.published(writer, coordinator, brief)


@pytest.fixture
def task(project, root):
    read(project, root, FIRST)
    return Sample.objects.get(root=root)


@pytest.fixture
def third(project):
    return factories.join(project, "third", "writer", ("fr",))


def free(task, how, other, coordinator, to=None):
    """The translation leaves its post-editor's hands."""
    if how == "release":
        holding.release(other, task.pk)
    else:
        holding.take_away(coordinator, task.pk, to)
    return Sample.objects.get(pk=task.pk)


def facts(sample):
    return sample.root, sample.parent, sample.label.code, sample.stale


@pytest.mark.parametrize("how", ["release", "take"])
@pytest.mark.parametrize("taken_up", [True, False])
def test_given_back_it_rests_on_the_new_version_and_says_what_its_text_is_of(
    project, root, task, writer, other, third, coordinator, how, taken_up
):
    holding.begin(other, task.pk)
    samples.save(other, task.pk, french("Trois moutons."), Sample.objects.get(pk=task.pk).version)
    newer = renew(root, writer, coordinator)
    if taken_up:
        sources.take_up(other, task.pk)
    now = free(task, how, other, coordinator)
    assert facts(now) == (newer, newer, "B", True)
    assert (now.text, now.machine, now.char_distance) == (FIRST, "", None)
    assert read(project, newer, FIRST).new == 1
    assert read(project, newer, SECOND).new == 1 and read(project, newer, SECOND).same == 1
    now.refresh_from_db()
    assert facts(now) == (newer, newer, "B", False) and now.machine == now.text == SECOND
    holding.begin(third, task.pk)
    again = free(task, how, third, coordinator)
    assert facts(again) == (newer, newer, "B", False) and again.machine == again.text == SECOND


@pytest.mark.parametrize("state", ["free", "begun", "taken_up"])
def test_edits_are_not_measured_from_an_older_versions_text(
    project, root, task, writer, other, coordinator, state
):
    if state != "free":
        holding.begin(other, task.pk)
        now = Sample.objects.get(pk=task.pk)
        saved = samples.save(other, task.pk, french(FIRST + " Oui."), now.version).sample
        assert saved.char_distance == 5
    renew(root, writer, coordinator)
    if state == "free":
        holding.begin(other, task.pk)
        assert Sample.objects.get(pk=task.pk).text == FIRST, "it stays as a start"
    if state != "begun":
        sources.take_up(other, task.pk)
    now = Sample.objects.get(pk=task.pk)
    samples.submit(other, task.pk, french(SECOND), now.version)
    done = Sample.objects.get(pk=task.pk)
    measured = state == "begun"  # it still rests on the version that the text was made of
    assert (done.char_distance is not None, done.stale) == (measured, measured)
    assert len(reads.report(project)) == int(measured)
    assert task.revisions.get(kind="machine").content["text"] == FIRST


def test_a_machines_text_for_the_new_key_moves_what_was_left_behind(
    project, root, task, writer, coordinator
):
    newer = renew(root, writer, coordinator)
    Sample.objects.filter(pk=task.pk).update(
        root=root, parent=root, label=root.label, stale=False, machine=FIRST
    )
    assert read(project, newer, FIRST).new == 1
    assert facts(Sample.objects.get(pk=task.pk)) == (newer, newer, "B", False)


def test_handed_over_it_rests_on_the_new_version_too(
    project, root, task, writer, other, third, coordinator
):
    holding.begin(other, task.pk)
    newer = renew(root, writer, coordinator)
    to = project.participants.get(user=third)
    now = free(task, "take", other, coordinator, to.pk)
    assert facts(now) == (newer, newer, "B", True) and (now.writer, now.text) == (to, FIRST)
    sources.take_up(third, task.pk)
    said = Sample.objects.get(pk=task.pk)
    samples.submit(third, task.pk, french(SECOND), said.version)
    review.accept(coordinator, task.pk)
    item = review.publish(coordinator, task.pk)
    assert (item.prelabel, item.metadata["lineage"]["root"]) == ("B", newer.key)


def test_an_empty_task_is_given_back_without_a_mark(project, root, writer, other, coordinator):
    task = making.tasks_of(project, root)["fr"]
    holding.begin(other, task.pk)
    samples.save(other, task.pk, french("Trois."), 0)
    newer = renew(root, writer, coordinator)
    now = free(task, "release", other, coordinator)
    assert (*facts(now), now.text) == (newer, newer, "B", False, "")


def test_what_is_published_on_a_replaced_version_is_marked(
    project, root, task, writer, other, coordinator
):
    samples.submit(other, task.pk, french(FIRST), task.version)
    review.accept(coordinator, task.pk)
    renew(root, writer, coordinator)
    rows = Sample.objects.filter(pk=task.pk)
    rows.update(stale=False)  # as older versions of the site could leave it
    review.publish(coordinator, task.pk)
    assert rows.get().stale and rows.get().root == root
    rows.update(stale=False)
    import_module("writing.migrations.0006_mark_older_sources").mark(apps, None)
    assert rows.get().stale and rows.get().machine == FIRST
