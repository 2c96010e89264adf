"""What a coordinator reads before deciding: claims, releases, set-aside answers, revisions."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import answers, aside, places, reports
from annotation.models import Annotation, Assignment, Item, Label, User
from annotation.records import Answer, SpanRecord
from annotation.selectors.work import how_set_aside
from annotation.views import progress
from tests import factories

MARKED = Answer((SpanRecord(4, 9, "A"),), "seen")


@pytest.fixture
def claimed(project, annotator):
    """The annotator's claim of the only item, nothing saved."""
    factories.make_item(project)
    return places.claim(annotator, project.slug)


def expire() -> None:
    held = Assignment.objects.filter(state="claimed")
    held.update(leased_until=timezone.now() - timedelta(seconds=1))


def save(user, annotation, answer=MARKED, submit=False):
    version = Annotation.objects.get(pk=annotation.pk).version
    return answers.save(user, annotation.place_id, answer, version, 0, submit)


def test_looking_at_the_page_of_a_release_releases_nothing(
    project, coordinator, annotator, claimed, page_as
):
    save(annotator, claimed)
    address = f"/p/{project.slug}/places/{claimed.place_id}/release/"
    shown = page_as(coordinator).get(address).text
    assert "The draft of annotator, last saved" in shown and "1 marked span" in shown
    assert "Nothing is lost" in shown
    assert Assignment.objects.get(pk=claimed.place_id).state == "claimed"
    assert page_as(coordinator).post(address).status_code == 302
    assert Assignment.objects.get(pk=claimed.place_id).state == "open"
    assert Annotation.objects.get().comment == "seen"


def test_a_claim_without_a_save_is_called_so(project, coordinator, claimed, page_as):
    shown = page_as(coordinator).get(f"/p/{project.slug}/places/{claimed.place_id}/release/")
    assert "has saved nothing yet" in shown.text


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_place_that_is_not_claimed_any_more_is_not_released(
    project, coordinator, annotator, claimed, page_as, method
):
    save(annotator, claimed, submit=True)
    address = f"/p/{project.slug}/places/{claimed.place_id}/release/"
    shown = getattr(page_as(coordinator), method)(address, follow=True)
    assert "not claimed any more" in shown.text
    assert Assignment.objects.get(pk=claimed.place_id).state == "submitted"


def test_a_release_under_another_projects_name_is_not_found(project, coordinator, claimed, page_as):
    factories.join(factories.make_project("other"), "coordinator", "coordinator")
    address = f"/p/other/places/{claimed.place_id}/release/"
    assert page_as(coordinator).post(address).status_code == 404
    assert Assignment.objects.get(pk=claimed.place_id).state == "claimed"


def test_the_claims_show_since_when_and_until_when(
    project, coordinator, annotator, claimed, page_as
):
    at = timezone.now().replace(second=0, microsecond=0) - timedelta(minutes=7)
    Annotation.objects.update(saved_at=at)
    shown = page_as(coordinator).get(f"/p/{project.slug}/").text
    claim = f'{at:%Y-%m-%d %H:%M} <span class="quiet">claimed</span>'
    assert claim in shown
    assert f"{Assignment.objects.get(state='claimed').leased_until:%Y-%m-%d %H:%M}" in shown
    save(annotator, claimed)
    shown = page_as(coordinator).get(f"/p/{project.slug}/").text
    assert claim not in shown and '<span class="quiet">last saved</span>' in shown


def test_a_list_of_claims_that_is_cut_says_of_how_many(
    project, coordinator, annotator, second, page_as, monkeypatch
):
    monkeypatch.setattr(progress, "CLAIMS_SHOWN", 1)
    for n in range(2):
        factories.make_item(project, f"item-{n}")
    places.claim(annotator, project.slug)
    assert "shown" not in page_as(coordinator).get(f"/p/{project.slug}/").text
    places.claim(second, project.slug)
    shown = page_as(coordinator).get(f"/p/{project.slug}/").text
    assert "1 of 2 shown" in shown and shown.count("/release/") == 1


def listed(page, project) -> str:
    """The list of set-aside answers, as one line of words."""
    shown = page.get(f"/p/{project.slug}/aside/").text
    return " ".join(shown[shown.index("<tbody>") :].replace("<", " <").split())


def test_an_answer_set_aside_by_a_person_names_them_and_its_places_state(
    project, coordinator, annotator, second, claimed, page_as
):
    save(annotator, claimed)
    aside.set_aside(coordinator, Annotation.objects.get())
    page = page_as(coordinator)
    assert "<td>coordinator" in listed(page, project) and "<td>Open" in listed(page, project)
    places.claim(second, project.slug)
    taken = Assignment.objects.get(pk=claimed.place_id)
    assert taken.annotator.user == second
    assert "<td>Claimed: second" in listed(page, project)
    expire()
    assert "<td>Open" in listed(page, project)


def test_an_answer_whose_lease_ran_out_is_not_laid_at_somebodys_door(
    project, coordinator, annotator, second, claimed, page_as
):
    save(annotator, claimed)
    Assignment.objects.exclude(pk=claimed.place_id).delete()
    expire()
    places.claim(second, project.slug)
    assert "the lease ran out" in listed(page_as(coordinator), project)
    save(annotator, claimed, Answer((), "late", True))
    (how,) = how_set_aside(list(Annotation.objects.filter(annotator__user=annotator))).values()
    assert how.kind == "set_aside"
    assert f"{how.at:%Y-%m-%d %H:%M}" in listed(page_as(coordinator), project)


def test_an_answer_set_aside_by_an_account_that_is_gone_blames_no_lease(
    project, coordinator, annotator, claimed, page_as
):
    save(annotator, claimed)
    other = factories.join(project, "leaving", "coordinator")
    aside.set_aside(other, Annotation.objects.get())
    User.objects.get(username="leaving").delete()
    shown = listed(page_as(coordinator), project)
    assert "somebody whose account is gone" in shown and "lease" not in shown


def test_a_report_that_was_put_back_stands_with_its_reason_and_who_did_it(
    project, coordinator, annotator, claimed, page_as
):
    reports.report(annotator, claimed.place_id, "black picture")
    reports.put_back(coordinator, Item.objects.select_related("project").get())
    shown = listed(page_as(coordinator), project)
    assert "Reported: black picture" in shown and "<td>coordinator" in shown
    assert "after the report" in shown


def test_sublabels_stand_beside_their_labels(project, coordinator, annotator, claimed, page_as):
    Label.objects.create(project=project, facet="sublabel", code="colour", name="x", colour="#000")
    save(annotator, claimed, Answer((SpanRecord(4, 9, "A", "colour"), SpanRecord(10, 15, "B"))))
    shown = page_as(coordinator).get(f"/p/{project.slug}/items/{claimed.item_id}/").text
    assert '<span class="chip">A · colour</span>white' in shown
    assert '<span class="chip">B</span>sheep' in shown


def test_each_revision_shows_what_the_answer_said_then(
    project, coordinator, annotator, claimed, page_as
):
    save(annotator, claimed, Answer((SpanRecord(0, 3, "B"),), "<b>first</b>"))
    save(annotator, claimed, MARKED)
    save(annotator, claimed, Answer((), "", True), submit=True)
    shown = page_as(coordinator).get(f"/p/{project.slug}/items/{claimed.item_id}/").text
    past = shown[shown.index('class="history"') :].split("<summary>")[1:]
    assert len(past) == 3
    assert ">Two</bdi>" in past[0] and "&lt;b&gt;first" in past[0] and "0:3" in past[0]
    assert ">white</bdi>" in past[1] and "seen" in past[1] and "Two" not in past[1]
    assert "No hallucination" in past[2] and "Submitted" in past[2]
