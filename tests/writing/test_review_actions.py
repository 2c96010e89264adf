"""Returning, accepting and publishing; an item tells nobody that it was written."""

from __future__ import annotations

import pytest

from annotation.actions import answers, places, reports
from annotation.api.assignments import assignment_json
from annotation.errors import Forbidden, Refused, Unknown
from annotation.models import Annotation, Item
from annotation.records import Answer, SpanRecord
from tests import factories
from tests.writing import making
from writing.actions import review, samples
from writing.models import Sample


def reason(work, *arguments) -> str:
    with pytest.raises(Refused) as error:
        work(*arguments)
    return error.value.problems[0].where


@pytest.fixture
def sample(writer, brief):
    return making.submitted(writer, brief, label="C")


@pytest.mark.parametrize("state", Sample.State.values)
def test_each_decision_takes_the_states_it_is_for_and_no_other(coordinator, sample, state):
    decisions = {
        "send_back": lambda: review.send_back(coordinator, sample.pk, "Shorter."),
        "accept": lambda: review.accept(coordinator, sample.pk),
        "publish": lambda: review.publish(coordinator, sample.pk),
        "revise": lambda: review.revise(coordinator, sample.pk),
    }
    taken = {
        "submitted": {"send_back", "accept"},
        "accepted": {"send_back", "publish"},
        "published": {"revise"},
    }
    for name, decide in decisions.items():
        Sample.objects.filter(pk=sample.pk).update(state=state)
        if name in taken.get(state, ()):
            decide()
        elif state == "deleted":
            with pytest.raises(Unknown):
                decide()
        else:
            assert reason(decide) == "state"


def test_decisions_are_the_coordinators(writer, other, project, sample):
    reviewer = factories.join(project, "reviewer", "reviewer")
    stranger = factories.join(factories.make_project("elsewhere"), "stranger", "coordinator")
    for decide in (review.accept, review.publish, review.revise):
        for person, why in ((writer, Unknown), (reviewer, Forbidden), (stranger, Unknown)):
            with pytest.raises(why):
                decide(person, sample.pk)
    assert Sample.objects.get().state == "submitted"


def test_a_return_needs_words_and_the_writer_sends_it_again(writer, coordinator, sample):
    assert reason(review.send_back, coordinator, sample.pk, " \n") == "comment"
    back = review.send_back(coordinator, sample.pk, "Mark the number too.")
    assert (back.state, back.comment) == ("returned", "Mark the number too.")
    again = samples.submit(writer, sample.pk, making.content(label="C"), back.version).sample
    assert (again.state, again.comment) == ("submitted", "")
    kinds = list(again.revisions.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["save", "submit", "return", "submit"]


def test_a_sample_becomes_an_item_with_everything_that_is_known(writer, coordinator, sample):
    review.accept(coordinator, sample.pk)
    item = review.publish(coordinator, sample.pk)
    person = sample.project.participants.get(user=writer)
    assert (item.response, item.question, item.language) == (making.TEXT, "What is there?", "en")
    assert (item.strategy, item.prelabel, item.author) == ("human", "C", person.pseudonym)
    assert item.expectation == {"label": "C", "spans": [{"start": 0, "end": 3, "label": "C"}]}
    assert item.metadata["lineage"] == {
        "sample": sample.key,
        "root": sample.key,
        "source_language": "en",
        "chain": ["en"],
        "origin": "written",
        "brief": "brief-1",
    }
    assert item.context == sample.brief.context and item.image is None
    assert item.places.count() == sample.project.per_item
    assert Sample.objects.get().item == item


def test_nothing_that_annotators_get_tells_of_the_writing(writer, coordinator, annotator, sample):
    review.accept(coordinator, sample.pk)
    item = review.publish(coordinator, sample.pk)
    told = str(assignment_json(places.claim(annotator, "flock")))
    hints = ("human", "written", "sample", "brief", "expectation", item.author, "'C'", "lineage")
    assert not [hint for hint in hints if hint in told]


def test_the_author_is_never_offered_the_item(writer, coordinator, annotator, sample):
    factories.join(sample.project, "writer", "annotator")
    review.accept(coordinator, sample.pk)
    review.publish(coordinator, sample.pk)
    assert places.claim(writer, "flock") is None
    assert places.claim(annotator, "flock") is not None


def test_a_new_version_is_a_new_item_and_old_answers_stay(writer, coordinator, annotator, sample):
    review.accept(coordinator, sample.pk)
    item = review.publish(coordinator, sample.pk)
    mine = places.claim(annotator, "flock")
    answer = Answer((SpanRecord(0, 3, "A"),))
    answers.save(annotator, mine.place_id, answer, mine.version, 0, True)
    newer = review.revise(coordinator, sample.pk)
    assert review.revise(coordinator, sample.pk) == newer
    assert Sample.objects.get(pk=sample.pk).state == "published"
    text = "Two black sheep stand on a green hill."
    newer = samples.submit(writer, newer.pk, making.content(text, "B"), newer.version).sample
    review.accept(coordinator, newer.pk)
    fresh = review.publish(coordinator, newer.pk)
    old = Sample.objects.get(pk=sample.pk)
    item.refresh_from_db()
    assert (old.state, item.state, fresh.state) == ("superseded", "retired", "active")
    assert (item.response, fresh.response, fresh.prelabel) == (making.TEXT, text, "B")
    assert item.key != fresh.key and fresh.metadata["lineage"]["replaces"] == sample.key
    assert Annotation.objects.get(item=item).spans.count() == 1
    assert not Annotation.objects.filter(item=fresh).exists()


def test_a_retired_item_hinders_no_new_version(writer, coordinator, brief):
    sample = making.published(writer, coordinator, brief)
    reports.retire(coordinator, sample.item)
    newer = review.revise(coordinator, sample.pk)
    newer = samples.submit(writer, newer.pk, making.content("Another text here."), 0).sample
    review.accept(coordinator, newer.pk)
    assert review.publish(coordinator, newer.pk).state == "active"
    assert Item.objects.count() == 2


def test_a_new_version_that_was_deleted_can_be_begun_again(writer, other, coordinator, brief):
    sample = making.published(writer, coordinator, brief)
    first = review.revise(coordinator, sample.pk)
    samples.delete(writer, first.pk)
    brief.refresh_from_db()
    assert brief.writer.user == writer, "the older version still has the brief"
    assert reason(samples.start, other, brief.pk) == "brief"
    assert review.revise(coordinator, sample.pk).pk != first.pk


def test_an_accepted_sample_goes_back_with_its_untouched_tasks_only(
    writer, other, coordinator, brief
):
    sample = making.accepted(writer, coordinator, brief)
    task = making.tasks_of(brief.project, sample)["fr"]
    review.send_back(coordinator, sample.pk, "Once more.")
    assert Sample.objects.get(pk=task.pk).state == "deleted"
    version = Sample.objects.get(pk=sample.pk).version
    samples.submit(writer, sample.pk, making.content(), version)
    review.accept(coordinator, sample.pk)
    task = making.tasks_of(brief.project, sample)["fr"]
    task = Sample.objects.get(root=sample, state="draft")
    samples.save(other, task.pk, making.content("Deux", None, spans=()), task.version)
    assert reason(review.send_back, coordinator, sample.pk, "Again.") == "state"
