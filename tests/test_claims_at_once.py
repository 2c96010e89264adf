"""Many people at the same moment: no surplus, nobody twice, nothing forgotten."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from annotation.actions import answers, places
from annotation.models import Annotation, Assignment
from annotation.records import Answer
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def in_threads(work, arguments):
    def one(argument):
        try:
            return work(argument)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=len(arguments)) as pool:
        return list(pool.map(one, arguments))


def test_all_places_are_filled_once_by_people_who_work_at_once():
    project = factories.make_project()
    people = [factories.join(project, f"reader{i}", "annotator") for i in range(6)]
    for n in range(8):
        factories.make_item(project, f"item-{n}")

    def work(user):
        while annotation := places.claim(user, project.slug):
            answers.save(
                user,
                annotation.place_id,
                Answer(no_hallucination=True),
                annotation.version,
                0,
                True,
            )

    in_threads(work, people)
    assert set(Assignment.objects.values_list("state", flat=True)) == {"submitted"}
    pairs = Counter(Annotation.objects.values_list("item_id", "annotator_id"))
    assert len(pairs) == 24 and max(pairs.values()) == 1


def test_as_many_people_as_one_item_has_places_get_one_each():
    project = factories.make_project()
    people = [factories.join(project, f"reader{i}", "annotator") for i in range(10)]
    for n in range(5):
        factories.make_item(project, f"item-{n}", places=len(people))
        told = in_threads(lambda user: places.claim(user, project.slug), people)
        assert all(told)
        for annotation in told:
            answers.save(
                annotation.annotator.user, annotation.place_id, Answer((), "", True), 0, 0, True
            )


def test_two_tabs_of_one_person_hold_two_places_at_most():
    project = factories.make_project()
    user = factories.join(project, "reader", "annotator")
    for n in range(8):
        factories.make_item(project, f"item-{n}")
    first = places.claim(user, project.slug)
    in_threads(lambda _: places.claim(user, project.slug, after=first.place_id), range(6))
    assert Assignment.objects.filter(state="claimed").count() == 2
