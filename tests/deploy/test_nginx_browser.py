"""The labelling loop in a real browser, through nginx with TLS, under a sub-path."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.desk import Desk
from tests.deploy import fill

pytestmark = [pytest.mark.browser, pytest.mark.servers]


@pytest.fixture
def page(playwright: Playwright, sites):
    """A browser to which host.example is this machine; all it loads lies there and is found."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"{CHROMIUM} is not there")
    rule = f"--host-resolver-rules=MAP host.example:443 127.0.0.1:{sites['sub'].port}"
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, rule])
    page = browser.new_context(ignore_https_errors=True).new_page()
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda r: faults.append(f"{r.status} {r.url}") if r.status > 399 else None)
    below = (sites["sub"].public_url, "data:")
    page.on("request", lambda r: None if r.url.startswith(below) else faults.append(r.url))
    yield page
    browser.close()
    assert faults == []


def test_an_annotator_works_through_items_under_a_sub_path(page: Page, sites):
    address = sites["sub"].public_url
    page.goto(address)
    page.fill("input[name=login]", "everything")
    page.fill("input[name=password]", fill.PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(f"{address}**")
    desk = Desk(page, f"{address}p/flock/label/")
    desk.open()
    for _ in range(2):
        before = page.url
        desk.mark("white", "a")
        expect(desk.rows).to_have_count(1)
        desk.saved()
        page.click("#submit")
        expect(desk.rows).to_have_count(0)
        page.wait_for_url(lambda url, before=before: url != before)
        desk.ready()
    page.goto(f"{address}p/flock/export/")
    expect(page.locator("main form").first).to_be_visible()
