"""What stands between the page and the site answers for it, or says nothing: no work is lost."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Route, expect

from annotation.models import Annotation
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
PORTAL = {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to the hotel</h1>"}
ANSWERS = {
    "a portal's page": PORTAL,
    "an empty answer": {"status": 200, "body": ""},
    "a proxy's refusal": {"status": 403, "content_type": "text/html", "body": "<h1>No</h1>"},
    "a proxy that does not find it": {"status": 404, "content_type": "text/html", "body": "?"},
    "JSON of something else": {"status": 200, "json": {"login": "here"}},
}
PUT = "**/api/v1/assignments/*/"
CLAIM = "**/claim/"


def only(method: str, answer):
    def handle(route: Route) -> None:
        if route.request.method == method:
            answer(route)
        else:
            route.continue_()

    return handle


def ahead(answer):
    """Of the claims those for the item after the one on screen."""

    def handle(route: Route) -> None:
        if "after" in (route.request.post_data or ""):
            answer(route)
        else:
            route.continue_()

    return handle


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_not_the_sites_is_no_save(desk, project, annotator, name):
    page = desk(project)
    page.page.route(PUT, only("PUT", lambda route: route.fulfill(**ANSWERS[name])))
    page.mark("white", "a")
    expect(page.state).to_have_attribute("data-state", "offline")
    page.page.unroute(PUT)
    assert page.spans(annotator) == [(4, 9, "A")]


def test_a_portal_takes_nothing_of_an_item_that_is_not_on_screen(desk, project, annotator):
    factories.make_item(project, "item-2", response="Two white geese.")
    page = desk(project)
    first = page.page.url
    page.page.route(PUT, only("PUT", lambda route: route.abort()))
    page.mark("white", "a")
    expect(page.state).to_have_attribute("data-state", "offline")
    page.page.unroute(PUT)
    page.page.route(PUT, only("PUT", lambda route: route.fulfill(**PORTAL)))
    base, here = first.rstrip("/").rsplit("/", 1)
    other = Annotation.objects.exclude(place_id=int(here)).get()
    page.page.goto(f"{base}/{other.place_id}/")
    page.ready()
    with page.page.expect_response(lambda reply: reply.request.method == "PUT"):
        page.page.evaluate("dispatchEvent(new Event('online'))")
    page.page.unroute(PUT)
    page.page.goto(first)
    page.ready()
    assert page.highlighted("0") == ["white"]
    page.mark("Two", "b")
    assert page.spans(annotator) == [(4, 9, "A"), (0, 3, "B")]


@pytest.mark.parametrize("name", ["a portal's page", "an empty answer", "JSON of something else"])
def test_a_next_item_that_something_else_answers_for_leaves_the_page_alive(
    desk, project, annotator, name
):
    page = desk(project)
    factories.make_item(project, "item-2", response="Three geese.")
    page.page.route(CLAIM, ahead(lambda route: route.fulfill(**ANSWERS[name])))
    page.page.reload()
    page.ready()
    page.mark("e", "a")
    page.press("Control+Enter")
    expect(page.notice).to_contain_text("The next item did not come")
    page.page.unroute(CLAIM)
    first = page.text
    page.page.locator("#submit").click()
    expect(page.page.locator("#response")).not_to_have_text(first)


def test_who_waits_for_the_next_item_is_told_and_what_is_typed_is_not_taken_and_lost(
    desk, project, annotator
):
    held: list[Route] = []
    factories.make_item(project, "item-2", response="Three geese.")
    page = desk(project)
    page.page.route(CLAIM, ahead(lambda route: held.append(route)))
    page.page.reload()
    page.ready()
    first = page.text
    page.mark("e", "a")
    page.press("Control+Enter")
    expect(page.notice).to_contain_text("The next item is coming")
    expect(page.page.locator("#comment")).not_to_be_editable()
    for route in held:
        route.continue_()
    page.page.unroute(CLAIM)
    expect(page.page.locator("#response")).not_to_have_text(first)
    expect(page.page.locator("#comment")).to_be_editable()
    expect(page.notice).to_be_hidden()


def test_the_choice_of_two_versions_stays_however_often_escape_is_pressed(
    desk, desk_for, project, annotator
):
    one = desk(project)
    two = desk_for(annotator)
    one.mark("white", "a")
    one.saved()
    two.mark("sheep", "b")
    dialog = two.page.locator("#conflict")
    expect(dialog).to_be_visible()
    for key in ("Space", "Enter", "Space"):  # of whoever was typing when it came
        two.page.keyboard.press(key)
    for _ in range(3):
        two.page.keyboard.press("Escape")
    two.page.wait_for_timeout(100)
    expect(dialog).to_be_visible()
    two.page.locator("#take-mine").click()
    expect(dialog).to_be_hidden()
    assert two.spans(annotator) == [(10, 15, "B")]


def test_a_report_is_sent_once_and_a_lost_session_leads_to_the_login(desk, project, annotator):
    page = desk(project)
    sent: list[str] = []
    page.page.on("request", lambda r: "/report/" in r.url and sent.append(json.dumps(r.url)))
    page.page.locator("#report-open").click()
    page.page.locator("#report-reason").fill("The picture is black.")
    cookies = page.page.context.cookies()
    page.page.context.clear_cookies(name="sessionid")
    page.page.locator("#report-form button.main-action").click()
    expect(page.page.locator("#report-fault a")).to_be_visible()
    page.page.context.add_cookies(cookies)
    sent.clear()
    page.page.locator("#report-form button.main-action").dblclick()
    expect(page.page.locator("#report")).to_be_hidden()
    assert len(sent) == 1


def test_after_a_logout_the_next_item_leads_to_the_login(desk, project, annotator):
    page = desk(project)
    factories.make_item(project, "item-2", response="Three geese.")
    page.page.route(CLAIM, ahead(lambda route: route.abort()))
    page.page.reload()
    page.ready()
    page.mark("e", "a")
    page.press("Control+Enter")
    expect(page.notice).to_contain_text("The next item did not come")
    page.page.unroute(CLAIM)
    page.page.context.clear_cookies(name="sessionid")
    page.page.locator("#submit").click()
    expect(page.notice.locator("a")).to_be_visible()
