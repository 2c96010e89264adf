"""What coordinators decide: release, set aside, adopt, withdraw, put back, retire."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import answers, aside, places, reports
from annotation.errors import Forbidden, Refused, Unknown
from annotation.models import Annotation, Assignment, Item, Participant
from annotation.records import Answer, SpanRecord
from annotation.selectors.work import set_aside_answers
from tests import factories

MARKED = Answer((SpanRecord(4, 9, "A"),), "seen")


@pytest.fixture
def done(project, annotator):
    """A submitted answer on the only place of an item."""
    factories.make_item(project, places=1)
    annotation = places.claim(annotator, project.slug)
    answers.save(annotator, annotation.place_id, MARKED, 0, 0, True)
    return Annotation.objects.get(pk=annotation.pk)


@pytest.mark.parametrize("action", [aside.set_aside, aside.adopt])
def test_only_a_coordinator_of_the_project_decides(done, action, annotator, stranger):
    with pytest.raises(Forbidden):
        action(annotator, done)
    with pytest.raises(Unknown):
        action(stranger, done)
    assert Annotation.objects.get().state == "submitted"


def test_an_answer_that_is_set_aside_opens_its_place_to_others(
    done, coordinator, second, annotator, project
):
    aside.set_aside(coordinator, done)
    assert Annotation.objects.get().state == "set_aside"
    assert Assignment.objects.get().begun == 0
    assert places.claim(annotator, project.slug) is None
    assert places.claim(second, project.slug).item_id == done.item_id
    with pytest.raises(Refused):
        aside.set_aside(coordinator, Annotation.objects.get(pk=done.pk))


def test_an_answer_is_adopted_into_the_open_place(done, coordinator):
    aside.set_aside(coordinator, done)
    aside.adopt(coordinator, Annotation.objects.get())
    annotation = Annotation.objects.get()
    assert (annotation.state, annotation.place.state) == ("submitted", "submitted")
    assert annotation.place.annotator == annotation.annotator
    assert [r.kind for r in annotation.revisions.order_by("id")] == ["submit", "set_aside", "adopt"]


def test_an_expired_place_can_take_an_adopted_answer(done, coordinator, second, project):
    aside.set_aside(coordinator, done)
    late = places.claim(second, project.slug)
    Assignment.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    aside.adopt(coordinator, Annotation.objects.get(pk=done.pk))
    late.refresh_from_db()
    assert late.state == "set_aside"
    assert Assignment.objects.get().annotator_id == done.annotator_id


def test_no_answer_is_adopted_where_every_place_is_taken(done, coordinator, second, project):
    aside.set_aside(coordinator, done)
    places.claim(second, project.slug)
    with pytest.raises(Refused, match="Every place"):
        aside.adopt(coordinator, Annotation.objects.get(pk=done.pk))
    assert Annotation.objects.get(pk=done.pk).state == "set_aside"


def test_an_empty_answer_is_not_adopted_nor_listed(project, coordinator, annotator):
    factories.make_item(project)
    blank = places.claim(annotator, project.slug)
    places.release_place(coordinator, blank.place)
    assert not set_aside_answers(project).exists()
    with pytest.raises(Refused, match="empty"):
        aside.adopt(coordinator, Annotation.objects.get())


def test_an_answer_that_says_nothing_any_more_is_listed_and_not_offered_for_adopting(
    project, coordinator, annotator, page_as
):
    factories.make_item(project)
    place = places.claim(annotator, project.slug)
    answers.save(annotator, place.place_id, Answer((SpanRecord(0, 3, "A"),)), 0, 0, False)
    answers.save(annotator, place.place_id, Answer(comment="Taken back."), 1, 0, False)
    aside.set_aside(coordinator, Annotation.objects.get())
    page = page_as(coordinator)
    for address in ("aside/", f"items/{place.item_id}/"):
        shown = page.get(f"/p/{project.slug}/{address}").text
        assert "Taken back." in shown and "/adopt/" not in shown


def test_an_answer_without_the_comment_its_label_needs_is_adopted_with_a_note(
    project, coordinator, annotator, page_as
):
    """The rule is one for who submits; adopting is the coordinator's judgement."""
    factories.make_item(project)
    place = places.claim(annotator, project.slug)
    answers.save(annotator, place.place_id, Answer((SpanRecord(0, 3, "E"),)), 0, 0, False)
    aside.set_aside(coordinator, Annotation.objects.get())
    address = f"/p/{project.slug}/answers/{Annotation.objects.get().pk}/adopt/"
    shown = page_as(coordinator).post(address, {"back": f"/p/{project.slug}/aside/"}, follow=True)
    assert Annotation.objects.get().state == "submitted"
    assert "Label E needs a comment, and this answer has none" in shown.text


@pytest.mark.parametrize(("label", "comment"), [("E", "odd"), ("A", "")])
def test_an_answer_that_lacks_nothing_is_adopted_without_a_note(
    project, coordinator, annotator, label, comment
):
    factories.make_item(project)
    place = places.claim(annotator, project.slug)
    answer = Answer((SpanRecord(0, 3, label),), comment)
    answers.save(annotator, place.place_id, answer, 0, 0, False)
    aside.set_aside(coordinator, Annotation.objects.get())
    assert aside.adopt(coordinator, Annotation.objects.get()) == ""


def test_withdrawing_sets_all_of_a_persons_work_aside_and_nobody_elses(
    project, coordinator, annotator, second
):
    for n in range(3):
        factories.make_item(project, f"item-{n}")
    for user in (annotator, second):
        annotation = places.claim(user, project.slug)
        answers.save(user, annotation.place_id, MARKED, 0, 0, True)
    places.claim(annotator, project.slug)
    me = Participant.objects.get(user=annotator)
    me.project = project
    assert aside.withdraw(coordinator, me) == 2
    assert not Assignment.objects.filter(annotator=me).exists()
    assert Assignment.objects.filter(state="submitted").count() == 1
    assert list(set_aside_answers(project)) == list(
        Annotation.objects.filter(annotator=me, version=1)
    )


def test_a_released_claim_is_open_and_its_late_answer_is_kept(project, coordinator, annotator):
    factories.make_item(project)
    annotation = places.claim(annotator, project.slug)
    places.release_place(coordinator, annotation.place)
    saved = answers.save(annotator, annotation.place_id, MARKED, 0, 0, True)
    assert saved.outcome is answers.Outcome.TOO_LATE
    assert Annotation.objects.get().comment == "seen"
    with pytest.raises(Refused):
        places.release_place(coordinator, annotation.place)


def test_putting_back_offers_the_item_again_and_keeps_the_report(
    project, coordinator, annotator, second
):
    """argilla-io/argilla#5757: a report is not pending for ever, nor does it come back first."""
    factories.make_item(project)
    annotation = places.claim(annotator, project.slug)
    reports.report(annotator, annotation.place_id, "black picture")
    item = Item.objects.select_related("project").get()
    reports.put_back(coordinator, item)
    assert set(Assignment.objects.values_list("state", "offered")) == {("open", 1)}
    kept = set_aside_answers(project).get()
    assert kept.reason == "black picture"
    assert places.claim(annotator, project.slug) is None
    assert places.claim(second, project.slug)
    with pytest.raises(Refused):
        reports.put_back(coordinator, item)


def test_a_retired_item_can_be_put_back_with_its_answers(done, coordinator):
    item = Item.objects.select_related("project").get()
    reports.retire(coordinator, item)
    assert Assignment.objects.get().offered == 0
    reports.put_back(coordinator, item)
    assert (Assignment.objects.get().state, Item.objects.get().state) == ("submitted", "active")


def test_reporting_an_item_that_others_work_on_lets_them_finish(project, annotator, second):
    factories.make_item(project)
    mine, other = places.claim(annotator, project.slug), places.claim(second, project.slug)
    reports.report(annotator, mine.place_id, "odd")
    saved = answers.save(second, other.place_id, MARKED, 0, 0, True)
    assert saved.annotation.state == "submitted"
