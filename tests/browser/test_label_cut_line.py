"""The line breaks in the middle of a save: the page keeps the answer, sends it again, and has no
conflict with itself."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from annotation.models import Annotation, Revision
from tests import factories
from tests.browser.desk import Desk
from tests.servers import Line, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


def test_a_submit_whose_line_is_cut_arrives_once_and_is_no_conflict(
    live_server, browser, browser_context_args, log_in, watched, project, annotator
):
    for n in range(4):
        factories.make_item(project, f"item-{n}")
    mode = {"cut": ""}  # of every save: a browser tries again by itself before it gives up

    def choose(request: bytes) -> str:
        return mode["cut"] if request.startswith(b"PUT") else ""

    site = urlsplit(live_server.url)
    with Line(site.port, choose) as line:
        context = browser.new_context(**browser_context_args)
        log_in(context, annotator)  # cookies know no port
        page = context.new_page()
        watched(page)
        desk = Desk(page, f"http://{site.hostname}:{line.port}/p/{project.slug}/label/")
        desk.open()
        for cut in ("before", "during", "after"):
            address = page.url
            desk.mark("white", "a")
            desk.saved()
            mode["cut"] = cut
            desk.press("Control+Enter")
            expect(desk.state).to_have_attribute("data-state", "offline")
            mode["cut"] = ""
            expect(page).not_to_have_url(address, timeout=15_000)
            desk.ready()
        assert all(line.counts.values())
        # Two drafts without an answer, of which the first arrived; then a third one.
        mode["cut"] = "after"
        desk.mark("white", "a")
        expect(desk.state).to_have_attribute("data-state", "offline")
        mode["cut"], made = "before", line.counts["before"]
        desk.mark("sheep", "b")
        wait_until(lambda: line.counts["before"] > made)
        expect(desk.state).to_have_attribute("data-state", "offline")
        mode["cut"] = ""
        desk.mark("Two", "c")
        expect(desk.state).to_have_attribute("data-state", "saved", timeout=15_000)
        expect(page.locator("#conflict")).to_be_hidden()
        context.close()
    mine = Annotation.objects.filter(annotator__user=annotator)
    assert mine.filter(state="submitted", version=2).count() == 3
    last = mine.get(state="draft", version__gt=0)
    spans = list(last.spans.values_list("start", "end", "label__code"))
    assert spans == [(4, 9, "A"), (10, 15, "B"), (0, 3, "C")]
    for held in mine:
        versions = Revision.objects.filter(annotation=held).order_by("id")
        assert list(versions.values_list("version", flat=True)) == list(range(1, held.version + 1))


def test_where_the_site_is_in_trouble_the_page_says_that_it_keeps_the_work(
    desk, project, annotator
):
    page = desk(project)
    answer = {"status": 503, "content_type": "application/json", "body": '{"errors": []}'}
    page.page.route("**/api/v1/assignments/**", lambda route: route.fulfill(**answer))
    page.mark("white", "a")
    expect(page.state).to_have_text("The site does not answer: kept here, sent again soon")
    page.page.unroute("**/api/v1/assignments/**")
    expect(page.state).to_have_attribute("data-state", "saved", timeout=15_000)
    assert page.answer(annotator)[0] == [(4, 9, "A")]
