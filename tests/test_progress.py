"""Progress counts places, adds up everywhere, and never counts spans."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import answers, places, reports
from annotation.models import Assignment, Item
from annotation.records import Answer, SpanRecord
from annotation.selectors.progress import own_progress, progress
from tests import factories

STATES = ("open", "claimed", "submitted", "reported")


def assert_adds_up(found):
    total = found["places"]
    assert sum(total[state] for state in STATES) == total["total"]
    for state in (*STATES, "total"):
        assert sum(row[state] for row in found["languages"].values()) == total[state]
    for state in STATES[1:]:
        assert sum(row[state] for row in found["people"]) == total[state]


def test_an_empty_project_shows_zeros_for_each_language(db):
    project = factories.make_project("two", languages=("en", "zh"))
    found = progress(project)
    assert found["places"] == {"open": 0, "claimed": 0, "submitted": 0, "reported": 0, "total": 0}
    assert list(found["languages"]) == ["en", "zh"] and found["people"] == []


def test_ten_items_with_a_surplus_place_and_a_report_add_up(project, annotator, second):
    """doccano/doccano#486, argilla-io/argilla#97: 31 places in all, nine spans count as four."""
    for n in range(10):
        factories.make_item(project, f"item-{n}", places=4 if n == 0 else 3)
    spans = (SpanRecord(0, 3, "A"), SpanRecord(4, 9, "B"))
    for _ in range(4):
        annotation = places.claim(annotator, project.slug)
        answers.save(annotator, annotation.place_id, Answer(spans), 0, 0, True)
    reported = places.claim(second, project.slug)
    reports.report(second, reported.place_id, "no picture")
    found = progress(project)
    assert found["places"] == {
        "open": 26,
        "claimed": 0,
        "submitted": 4,
        "reported": 1,
        "total": 31,
    }
    assert_adds_up(found)


def test_only_reservations_expire_and_finished_stays_finished(project, annotator):
    """inception-project/inception#3229: the timer does not touch finished work."""
    for n in range(2):
        factories.make_item(project, f"item-{n}", places=1)
    done = places.claim(annotator, project.slug)
    answers.save(annotator, done.place_id, Answer(no_hallucination=True), 0, 0, True)
    places.claim(annotator, project.slug)
    assert progress(project)["places"]["claimed"] == 1
    Assignment.objects.filter(state="claimed").update(
        leased_until=timezone.now() - timedelta(minutes=2)
    )
    found = progress(project)
    assert (found["places"]["claimed"], found["places"]["open"]) == (0, 1)
    assert found["places"]["submitted"] == 1
    assert_adds_up(found)


def test_a_retired_item_counts_nowhere(project, coordinator, annotator):
    item = factories.make_item(project)
    reports.retire(coordinator, Item.objects.get(pk=item.pk))
    assert progress(project)["places"]["total"] == 0


@pytest.mark.parametrize("items", [1, 25])
def test_progress_costs_the_same_queries_whatever_the_size(
    project, annotator, django_assert_num_queries, items
):
    for n in range(items):
        factories.make_item(project, f"item-{n}")
    with django_assert_num_queries(2):
        progress(project)


def test_what_is_left_for_me_counts_items_i_can_still_do(project, annotator):
    from annotation.access import person_in

    for n in range(3):
        factories.make_item(project, f"item-{n}")
    annotation = places.claim(annotator, project.slug)
    answers.save(annotator, annotation.place_id, Answer(no_hallucination=True), 0, 0, True)
    places.claim(annotator, project.slug)
    person = person_in(annotator, project.slug)
    assert own_progress(person, ["en"]) == {"submitted": 1, "claimed": 1, "left": 2}
