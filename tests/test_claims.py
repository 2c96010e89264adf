"""Who is given which place, and who is never given one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from annotation import access
from annotation.actions import answers, places, reports
from annotation.actions.offers import waited_place
from annotation.errors import Forbidden, Unknown
from annotation.models import Annotation, Assignment, Item, Project, User
from annotation.order import starting_point
from annotation.records import Answer
from annotation.selectors.progress import own_progress
from tests import factories

NOTHING = Answer(no_hallucination=True)


def finish(user, annotation):
    return answers.save(user, annotation.place_id, NOTHING, annotation.version, 0, True)


def expire(annotation):
    Assignment.objects.filter(pk=annotation.place_id).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )


def test_a_stranger_is_told_that_the_project_does_not_exist(project, stranger):
    with pytest.raises(Unknown):
        places.claim(stranger, project.slug)


def test_a_coordinator_who_does_not_annotate_is_refused(project, coordinator):
    with pytest.raises(Forbidden):
        places.claim(coordinator, project.slug)


def test_nothing_is_left_in_an_empty_project(project, annotator):
    assert places.claim(annotator, project.slug) is None


@pytest.mark.parametrize("state", ["held", "retired"])
def test_an_item_that_is_held_or_retired_is_not_offered(project, annotator, state):
    factories.make_item(project, state=state)
    assert places.claim(annotator, project.slug) is None


def test_an_item_that_waits_for_its_picture_is_not_offered(project, annotator):
    factories.make_item(project, image_name="barn.png")
    assert places.claim(annotator, project.slug) is None


def test_another_language_is_not_offered(db):
    project = factories.make_project("two", languages=("en", "fr"))
    reader = factories.join(project, "reader", "annotator", languages=("fr",))
    factories.make_item(project, language="en")
    assert places.claim(reader, project.slug) is None
    factories.make_item(project, "fr-1", language="fr")
    assert places.claim(reader, project.slug).item.key == "fr-1"


def test_nobody_is_given_an_item_that_they_wrote(project, annotator, second):
    mine = project.participants.get(user=annotator)
    factories.make_item(project, author=mine.pseudonym)
    assert places.claim(annotator, project.slug) is None
    assert own_progress(access.person_in(annotator, project.slug), ["en"])["left"] == 0
    assert places.claim(second, project.slug) is not None


def test_nobody_is_given_an_item_twice(project, annotator):
    factories.make_item(project)
    finish(annotator, places.claim(annotator, project.slug))
    assert places.claim(annotator, project.slug) is None


def test_a_place_that_was_lost_is_not_offered_again(project, annotator, coordinator):
    factories.make_item(project)
    annotation = places.claim(annotator, project.slug)
    places.release_place(coordinator, annotation.place)
    assert places.claim(annotator, project.slug) is None


def test_an_item_has_exactly_its_places(project):
    """HumanSignal/label-studio#795: a surplus annotation is impossible."""
    factories.make_item(project)
    readers = [factories.join(project, f"reader{i}", "annotator") for i in range(5)]
    given = [places.claim(reader, project.slug) for reader in readers]
    assert [bool(annotation) for annotation in given] == [True, True, True, False, False]


def test_a_place_that_is_still_held_comes_back_with_its_draft(project, annotator):
    factories.make_item(project)
    factories.make_item(project, "item-2")
    first = places.claim(annotator, project.slug)
    answers.save(annotator, first.place_id, Answer(comment="half"), 0, 0, False)
    expire(first)
    again = places.claim(annotator, project.slug)
    assert (again.pk, again.comment) == (first.pk, "half")
    assert again.place.leased_until > timezone.now()


def test_the_place_on_screen_is_followed_by_the_next_and_two_are_held_at_most(project, annotator):
    for n in range(4):
        factories.make_item(project, f"item-{n}")
    first = places.claim(annotator, project.slug)
    second = places.claim(annotator, project.slug, after=first.place_id)
    third = places.claim(annotator, project.slug, after=first.place_id)
    assert second.pk == third.pk != first.pk
    assert Assignment.objects.filter(state="claimed").count() == 2


@pytest.mark.parametrize("upward", [True, False])
def test_what_was_begun_comes_back_before_what_was_fetched_ahead(project, annotator, upward):
    """Whichever of their places was made first."""
    start = starting_point(project.seed, project.participants.get(user=annotator).pseudonym)
    for n in range(3):
        item = factories.make_item(project, f"item-{n}")
        Assignment.objects.filter(item=item).update(number=start + (n if upward else 3 - n))
    begun = places.claim(annotator, project.slug)
    ahead = places.claim(annotator, project.slug, after=begun.place_id)
    assert (begun.place_id < ahead.place_id) == upward
    for change in (lambda: None, lambda: finish(annotator, Annotation.objects.get(pk=begun.pk))):
        change()
        first = Annotation.objects.filter(state="draft").order_by("pk").first()
        assert places.claim(annotator, project.slug) == first
        assert annotator_waits(annotator, project) == first


def annotator_waits(annotator: User, project: Project) -> Annotation | None:
    """What a claim gives that found the places under somebody's lock."""
    with transaction.atomic():
        person = access.person_in(annotator, project.slug)
        place = waited_place(person, timezone.now(), None)
        return place and Annotation.objects.get(place=place, annotator=person)


def test_an_expired_place_is_taken_before_an_open_one_and_its_draft_is_set_aside(
    project, annotator, second
):
    for n in range(3):
        factories.make_item(project, f"item-{n}", places=1)
    late = places.claim(annotator, project.slug)
    answers.save(annotator, late.place_id, Answer(comment="mine"), 0, 0, False)
    expire(late)
    taken = places.claim(second, project.slug)
    assert taken.place_id == late.place_id
    late.refresh_from_db()
    assert (late.state, late.comment) == ("set_aside", "mine")
    assert late.revisions.last().kind == "set_aside"


def test_an_item_that_others_have_begun_comes_before_an_untouched_one(project, annotator, second):
    for n in range(30):
        factories.make_item(project, f"item-{n}")
    begun = places.claim(annotator, project.slug)
    assert places.claim(second, project.slug).item_id == begun.item_id


def test_a_report_holds_the_item_and_its_other_places(project, annotator, second):
    factories.make_item(project)
    mine = places.claim(annotator, project.slug)
    reports.report(annotator, mine.place_id, "The picture is black.")
    assert Item.objects.get().state == "held"
    assert places.claim(second, project.slug) is None
    assert places.claim(annotator, project.slug) is None


def test_the_walk_goes_upward_from_the_starting_point_and_around(project, annotator):
    from annotation.models import Participant
    from annotation.order import starting_point

    items = [factories.make_item(project, f"item-{n}") for n in range(12)]
    start = starting_point(project.seed, Participant.objects.get(user=annotator).pseudonym)
    upward = sorted(items, key=lambda item: (item.number < start, item.number))
    seen = []
    while annotation := places.claim(annotator, project.slug):
        seen.append(annotation.item_id)
        finish(annotator, annotation)
    assert seen == [item.pk for item in upward]


def test_a_reader_of_two_languages_walks_both_in_one_order(db):
    project = factories.make_project("two", languages=("en", "fr"))
    reader = factories.join(project, "reader", "annotator")
    for n in range(6):
        factories.make_item(project, f"item-{n}", language="en" if n % 2 else "fr")
    numbers = []
    while annotation := places.claim(reader, project.slug):
        numbers.append(annotation.item.number)
        finish(reader, annotation)
    turns = sum(a > b for a, b in zip(numbers, numbers[1:], strict=False))
    assert len(numbers) == 6 and turns <= 1


@pytest.mark.parametrize("items", [2, 40])
def test_a_claim_costs_the_same_queries_whatever_the_size(
    project, annotator, django_assert_max_num_queries, items
):
    for n in range(items):
        factories.make_item(project, f"item-{n}")
    with django_assert_max_num_queries(15):  # fewer where the first half of the walk has a place
        assert places.claim(annotator, project.slug)


def test_a_place_that_is_lost_still_knows_its_person(project, annotator, second):
    factories.make_item(project, places=1)
    mine = places.claim(annotator, project.slug)
    expire(mine)
    places.claim(second, project.slug)
    assert Annotation.objects.get(annotator__user=annotator).place_id == mine.place_id
