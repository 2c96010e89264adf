"""The coordinator's pages: progress, withdrawing, reported and set-aside lists, one item."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.actions import answers, aside, places, reports
from annotation.models import Annotation, Assignment, Item, Participant, Project, Revision
from annotation.records import Answer, SpanRecord
from tests import factories

PAGES = ("", "items/", "reported/", "aside/", "labels/", "settings/", "progress.csv")
FIRST = (SpanRecord(0, 3, "A"),)
EVIL = "<img src=x onerror=alert(1)>"


def answer_all(user, project, count, spans=FIRST, comment=""):
    for _ in range(count):
        annotation = places.claim(user, project.slug)
        answers.save(user, annotation.place_id, Answer(spans, comment), 0, 0, True)


@pytest.mark.parametrize("path", PAGES[1:])
def test_an_annotator_is_refused_and_a_stranger_finds_nothing(
    project, annotator, stranger, page_as, path
):
    assert page_as(annotator).get(f"/p/{project.slug}/{path}").status_code == 403
    assert page_as(stranger).get(f"/p/{project.slug}/{path}").status_code == 404
    assert page_as(None).get(f"/p/{project.slug}/{path}").status_code == 302


def test_an_annotator_who_opens_the_project_comes_to_the_labelling_page(
    project, annotator, page_as
):
    answer = page_as(annotator).get(f"/p/{project.slug}/")
    assert answer.url == f"/p/{project.slug}/label/"


@pytest.mark.parametrize("change", ["set_aside", "adopt"])
def test_only_a_coordinator_decides_about_an_answer(
    project, annotator, stranger, coordinator, page_as, change
):
    factories.make_item(project)
    answer_all(annotator, project, 1)
    pk = Annotation.objects.get().pk
    address = f"/p/{project.slug}/answers/{pk}/{change}/"
    assert page_as(annotator).post(address).status_code == 403
    assert page_as(stranger).post(address).status_code == 404
    assert page_as(coordinator).get(address).status_code == 405
    elsewhere = f"/p/elsewhere/answers/{pk}/{change}/"
    assert page_as(coordinator).post(elsewhere).status_code == 404
    assert Annotation.objects.get().state == "submitted"


@pytest.mark.parametrize("decision", ["retire", "put_back"])
def test_only_a_coordinator_decides_about_an_item(project, annotator, stranger, page_as, decision):
    item = factories.make_item(project)
    address = f"/p/{project.slug}/items/{item.pk}/{decision}/"
    assert page_as(annotator).post(address).status_code == 403
    assert page_as(stranger).post(address).status_code == 404
    assert Item.objects.get().state == "active"


def test_page_csv_and_api_show_the_same_places(
    project, coordinator, annotator, second, page_as, api_as
):
    """doccano/doccano#486, #1645: 31 places add up, nine spans count as four answers."""
    for n in range(10):
        factories.make_item(project, f"item-{n}", places=4 if n == 0 else 3)
    answer_all(annotator, project, 4, (SpanRecord(0, 3, "A"), SpanRecord(4, 9, "B")))
    reported = places.claim(second, project.slug)
    reports.report(second, reported.place_id, "no picture")
    api = api_as(coordinator).get(f"/api/v1/projects/{project.slug}/progress/").json()
    page = page_as(coordinator).get(f"/p/{project.slug}/")
    assert page.context["progress"]["places"] == api["places"]
    text = page_as(coordinator).get(f"/p/{project.slug}/progress.csv").content.decode()
    rows = {(row["kind"], row["name"]): row for row in csv.DictReader(io.StringIO(text))}
    for row in (rows["all", ""], rows["language", "en"]):
        assert {state: int(row[state]) for state in api["places"]} == api["places"]
    assert api["places"]["total"] == 31 and api["places"]["submitted"] == 4
    mine = project.participants.get(user=annotator).pseudonym
    assert rows["person", mine]["submitted"] == "4"
    assert not [user for user in (annotator, second) if user.username in text]
    assert {"annotator", "second"} <= {row["name"] for row in page.context["progress"]["people"]}


def test_a_name_in_the_csv_is_no_formula(project, coordinator, page_as):
    factories.join(project, "other", "annotator")
    project.participants.filter(user__username="other").update(pseudonym="@sum")
    text = page_as(coordinator).get(f"/p/{project.slug}/progress.csv").content.decode()
    assert "'@sum" in text


def test_looking_changes_nothing(project, coordinator, annotator, page_as):
    """inception-project/inception#4454: a look by a coordinator makes no save fail."""
    item = factories.make_item(project)
    annotation = places.claim(annotator, project.slug)
    answers.save(annotator, annotation.place_id, Answer((SpanRecord(0, 3, "A"),)), 0, 0, False)

    def everything():
        models = (Annotation, Assignment, Item, Revision, Project, Participant)
        return [list(model.objects.order_by("pk").values()) for model in models]

    before = everything()
    person = Participant.objects.get(user=annotator)
    for page in (*PAGES, f"items/{item.pk}/", f"people/{person.pk}/withdraw/"):
        assert page_as(coordinator).get(f"/p/{project.slug}/{page}").status_code == 200
    assert everything() == before
    saved = answers.save(annotator, annotation.place_id, Answer((), "", True), 1, 0, True)
    assert saved.annotation.state == "submitted"


def test_tags_in_every_text_are_shown_as_text(project, coordinator, annotator, second, page_as):
    """HumanSignal/label-studio PR 2273: nothing that people wrote becomes markup."""
    project.labels.filter(code="A").update(name=EVIL, description=EVIL)
    item = factories.make_item(project, EVIL, response=EVIL, question=EVIL, context=EVIL)
    answer_all(annotator, project, 1, (SpanRecord(1, 4, "A"),), EVIL)
    reports.report(second, places.claim(second, project.slug).place_id, EVIL)
    for page in ("items/", "reported/", "labels/", f"items/{item.pk}/", ""):
        text = page_as(coordinator).get(f"/p/{project.slug}/{page}").content.decode()
        assert "<img src=x" not in text, page
        assert page == "" or "&lt;img src=x" in text or "&lt;</mark>" in text, page


def test_answers_stand_side_by_side_with_marks_cut_by_code_points(
    project, coordinator, annotator, second, page_as
):
    """doccano/doccano#2484: characters beyond the first plane move no mark."""
    item = factories.make_item(project, response="🐑🐑 deux  moutons\r\n<i>")
    answer_all(annotator, project, 1, (SpanRecord(9, 16, "A"),), "seen twice")
    answer_all(second, project, 1, (SpanRecord(3, 7, "B"),))
    text = page_as(coordinator).get(f"/p/{project.slug}/items/{item.pk}/").content.decode()
    assert '<mark class="mark-1"><span class="chip">A</span>moutons</mark>' in text
    assert '<mark class="mark-2"><span class="chip">B</span>deux</mark>  moutons' in text
    for name in ("annotator", "second"):
        assert name in text
        assert Participant.objects.get(user__username=name).pseudonym in text
    assert "seen twice" in text


def report_and_set_aside(project, coordinator, annotator, second, start, end):
    """Items with one answer that was set aside and one report each."""
    for n in range(start, end):
        factories.make_item(project, f"item-{n}", places=2)
    answer_all(annotator, project, end - start)
    for annotation in Annotation.objects.filter(state="submitted").select_related("item__project"):
        aside.set_aside(coordinator, annotation)
    while annotation := places.claim(second, project.slug):
        reports.report(second, annotation.place_id, "odd")


@pytest.mark.parametrize("listed", ["", "items/", "aside/", "reported/"])
def test_a_page_costs_the_same_queries_whatever_it_lists(
    project, coordinator, annotator, second, page_as, listed
):
    client, counts = page_as(coordinator), []
    for start, end in ((0, 2), (2, 10)):
        report_and_set_aside(project, coordinator, annotator, second, start, end)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/p/{project.slug}/{listed}").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_page_of_an_item_costs_the_same_queries_for_one_answer_and_for_three(
    project, coordinator, annotator, second, page_as
):
    item = factories.make_item(project)
    client, counts = page_as(coordinator), []
    for user in (annotator, second, factories.join(project, "third", "annotator")):
        answer_all(user, project, 1)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/p/{project.slug}/items/{item.pk}/")
        counts.append(len(queries))
    assert len(set(counts)) == 1


def test_withdrawing_says_how_much_it_is_before_it_happens(
    project, coordinator, annotator, page_as
):
    for n in range(3):
        factories.make_item(project, f"item-{n}")
    answer_all(annotator, project, 2)
    person = Participant.objects.get(user=annotator)
    address = f"/p/{project.slug}/people/{person.pk}/withdraw/"
    page = page_as(coordinator).get(address)
    assert b"2 submitted answers" in page.content
    assert Assignment.objects.filter(state="submitted").count() == 2
    assert page_as(coordinator).post(address).status_code == 302
    assert not Assignment.objects.filter(annotator=person).exists()


def test_an_item_is_found_by_key_words_language_and_state(project, coordinator, page_as):
    for n in range(3):
        factories.make_item(project, f"item-{n}", response=f"Answer number {n}.")
    client = page_as(coordinator)

    def found(query):
        page = client.get(f"/p/{project.slug}/items/?{query}").context["page"]
        return [item.key for item in page]

    assert found("q=item-1") == ["item-1"]
    assert found("q=number 2") == ["item-2"]
    assert found("language=fr") == found("state=held") == []
    assert len(found("page=99&q=%00")) == 3
