"""Open places that no member can fill are told before the coordinator wonders."""

from __future__ import annotations

import random

import pytest

from annotation.actions import answers, aside, people, places, reports
from annotation.models import Annotation, Assignment, Item, Membership, Participant, Withheld
from annotation.records import Answer
from annotation.selectors.nobody_left import nobody_left
from tests import factories

NONE = Answer(no_hallucination=True)


def told(project) -> list[tuple[str, int, int, list[str]]]:
    return [
        (gap.language, gap.annotators, gap.places, [item.key for item in gap.items])
        for gap in nobody_left(project)
    ]


def test_nothing_is_told_where_each_place_has_somebody(project, annotator, second):
    factories.make_item(project, places=2)
    assert told(project) == []
    places.claim(annotator, project.slug)
    assert told(project) == []


def test_a_language_that_nobody_has_is_told(project, annotator, page_as, coordinator):
    project.languages = ["en", "fr", "it"]
    project.save()
    Membership.objects.filter(participant__user=annotator).update(languages=["it", "en"])
    factories.make_item(project, "loup", language="fr", places=3)
    assert told(project) == [("fr", 0, 3, ["loup"])]
    shown = page_as(coordinator).get(f"/p/{project.slug}/").text
    assert "3 open places in fr have nobody to fill them: no annotator has this language." in shown


def test_fewer_annotators_than_places_are_told_and_one_more_mends_it(
    project, annotator, second, page_as, coordinator
):
    for n in range(7):
        factories.make_item(project, f"item-{n}", places=3)
    ((language, annotators, places_left, keys),) = told(project)
    assert (language, annotators, places_left, len(keys)) == ("en", 2, 7, 5)
    shown = page_as(coordinator).get(f"/p/{project.slug}/").text
    assert "7 open places in en have nobody left" in shown and ", …</p>" in shown
    factories.join(project, "third", "annotator")
    assert told(project) == []
    assert "nobody left" not in page_as(coordinator).get(f"/p/{project.slug}/").text


def test_who_wrote_the_item_or_has_seen_its_error_fills_no_place_of_it(project, annotator, second):
    first, other = (factories.make_item(project, key, places=2) for key in ("a", "b"))
    Item.objects.filter(pk=first.pk).update(author=Participant.objects.get(user=second).pseudonym)
    assert told(project) == [("en", 2, 1, ["a"])]
    Withheld.objects.create(item=other, participant=Participant.objects.get(user=annotator))
    assert [gap[2] for gap in told(project)] == [2]


def test_an_answer_set_aside_leaves_a_place_to_others_alone(
    project, annotator, second, coordinator
):
    factories.make_item(project, places=2)
    for user in (annotator, second):
        held = places.claim(user, project.slug)
        answers.save(user, held.place_id, NONE, 0, 0, True)
    assert told(project) == []
    aside.set_aside(coordinator, Annotation.objects.first())
    assert told(project) == [("en", 2, 1, ["item-1"])]


def test_places_that_wait_for_something_else_are_not_told(project, annotator, coordinator, second):
    factories.make_item(project, "no-picture", image_name="x.png", places=5)
    retired = factories.make_item(project, "retired", places=5)
    reports.retire(coordinator, retired)
    assert told(project) == []


@pytest.mark.parametrize("seed", range(6))
def test_what_stays_open_once_everybody_has_done_all_was_told_before(project, seed):
    """No claim changes the number: each takes a place, and somebody who could have filled it."""
    chance = random.Random(seed)
    project.languages = ["en", "fr", "zh"]
    project.save()
    users = [
        factories.join(
            project, f"annotator-{n}", "annotator", tuple(chance.sample(project.languages, n % 4))
        )
        for n in range(5)
    ]
    folk = list(Participant.objects.filter(project=project))
    for n in range(12):
        item = factories.make_item(
            project,
            f"i-{n}",
            language=chance.choice(project.languages),
            places=chance.randint(1, 4),
        )
        if chance.random() < 0.3:
            Item.objects.filter(pk=item.pk).update(author=chance.choice(folk).pseudonym)
        for person in chance.sample(folk, chance.choice([0, 0, 1])):
            Withheld.objects.create(item=item, participant=person)
    people.remove_member(None, chance.choice(folk))
    before = told(project)
    for user in users:
        while Membership.objects.filter(participant__user=user).exists():
            held = places.claim(user, project.slug)
            if held is None:
                break
            answers.save(user, held.place_id, NONE, 0, 0, True)
            assert told(project) == before
    still = Assignment.objects.filter(state="open").count()
    assert sum(gap[2] for gap in before) == still > 0


@pytest.mark.parametrize("items", [1, 25])
def test_it_costs_one_query_a_language_whatever_the_size(
    project, annotator, django_assert_num_queries, items
):
    project.languages = ["en", "fr"]
    project.save()
    for n in range(items):
        factories.make_item(project, f"item-{n}", places=1)
    with django_assert_num_queries(3):
        assert told(project) == []
