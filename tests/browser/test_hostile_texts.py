"""Markup in every text of a project, in a real browser: nothing of it runs, no policy is broken."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import pages
from tests.security import hostile, routes

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def open_as(project, live_server, page, log_in, watched):
    """``open_as(person)``: names and addresses of the pages that the person may read."""
    users = routes.crowd(project)
    named = routes.fill(project, users)
    hostile.poison()

    def walk(person: str):
        log_in(page.context, users[person])
        watched(page)
        for name, row in pages.TABLE.items():
            may = routes.expected(name, person) == pages.OK and row.method == "get"
            if may and "/p/" in row.path and name not in pages.FILES:
                yield name, live_server.url + row.path.format(**named)

    return walk


@pytest.mark.parametrize("person", ["coordinator", "annotator", "writer"])
def test_no_text_of_a_project_runs_in_any_page_of_it(open_as, page: Page, person):
    seen = 0
    for name, address in open_as(person):
        page.goto(address)
        if name in ("label", "label_one", "write", "translate"):
            page.wait_for_selector("html[data-ready='1']")
        seen += "sheep" in page.inner_text("body")
        assert page.evaluate("window.sheepfoldWasHere") is None, name
        assert page.locator(f"{hostile.TAG}, img[src='x'], [onerror], [onclick]").count() == 0, name
    assert seen > 2


def test_back_shows_the_page_before_and_after_the_logout_nobodys_work(
    project, live_server, page: Page, log_in, watched
):
    """What a page of people's work shows is kept by no browser."""
    users = routes.crowd(project)
    routes.fill(project, users)
    log_in(page.context, users["coordinator"])
    watched(page)
    page.goto(f"{live_server.url}/p/flock/items/?q=shown")
    page.goto(f"{live_server.url}/p/flock/members/")
    page.go_back()
    expect(page.locator("h1")).to_be_visible()
    assert page.url.endswith("?q=shown")
    page.locator("form[action$='logout/'] button").first.click()
    page.wait_for_url("**/accounts/login/**")
    page.go_back()
    page.wait_for_url("**/accounts/login/**")
    assert "shown" not in page.inner_text("main")
