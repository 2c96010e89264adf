"""Every page in Chromium, light and dark, wide and narrow: axe, the console, no sideways scroll."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from annotation.actions import people
from tests import pages
from tests.factories import PASSWORD
from tests.pages import FILES, OK, PEOPLE, TABLE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
LOOKS = [("light", WIDE), ("dark", NARROW)]
BUTTONS = "main :is(button, .button, input:not([type=hidden]), select), header :is(a, button)"
SMALL = f"""() => [...document.querySelectorAll("{BUTTONS}")]
  .map((e) => [[e, ...(e.labels ?? [])].map((one) => one.getBoundingClientRect()), e])
  .filter(([boxes]) => boxes[0].width > 0 && Math.max(...boxes.map((box) => box.height)) < 43.5)
  .map(([, e]) => e.outerHTML.slice(0, 80))"""


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def pages_for(person: str) -> list[str]:
    """What the person may read; of what a coordinator reads too, others look at their own alone."""

    def reads(who: str) -> set[str]:
        at = PEOPLE.index(who)
        return {name for name, row in TABLE.items() if row.method == "get" and row.who[at] == OK}

    names = reads(person) - set(FILES)
    if person in ("annotator", "writer"):
        names -= reads("coordinator") - {"home", "project", "translations"}
    return [name for name in TABLE if name in names]


@pytest.fixture
def walk(live_server, browser, browser_context_args, log_in, watched, project):
    """``walk(person, scheme, size, ...)``: (name, page) of each page the person may read."""
    users = pages.crowd(project)
    named = pages.fill(project, users)
    contexts = []

    def steps(person, scheme, size, **options):
        options |= {"color_scheme": scheme, "viewport": size}
        context = browser.new_context(**(browser_context_args | options))
        contexts.append(context)
        if users[person]:
            log_in(context, users[person])
        page = context.new_page()
        watched(page)
        seen = set()
        for name in pages_for(person):
            page.goto(live_server.url + TABLE[name].path.format(**named))
            if page.url not in seen:  # several addresses lead to the same page
                seen.add(page.url)
                yield name, page
            if name == "agreement":  # its figures are still being drawn
                page.wait_for_load_state("networkidle")
        page.goto(f"{live_server.url}/no/such/page/")
        yield "404", page
        if users[person]:
            page.goto(f"{live_server.url}/p/elsewhere/")
            yield "foreign", page

    yield steps
    for context in contexts:
        context.close()


@pytest.mark.parametrize("person", ["nobody", "annotator", "coordinator", "writer"])
@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_axe_finds_nothing_and_no_page_scrolls_sideways(walk, person, scheme, size):
    """On a phone, what a finger presses is 44 pixels high."""
    found = {}
    for name, page in walk(person, scheme, size, has_touch=size is NARROW):
        if name in ("label", "label_one", "write"):
            page.wait_for_selector("html[data-ready='1']")
        for violation in Axe().run(page).response["violations"]:
            nodes = [node["html"] for node in violation["nodes"]]
            found[name, violation["id"]] = nodes[:3]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found[name, "sideways"] = page.evaluate("document.documentElement.scrollWidth")
        if size is NARROW and (small := page.evaluate(SMALL)):
            found[name, "small"] = small[:3]
    assert not found


@pytest.fixture
def visitor(live_server, browser, browser_context_args, watched):
    """A page of a browser without a session."""
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    watched(page)
    yield page
    context.close()


def type_login(page, name, password):
    """From the field of the name, where the page puts the person, by keys alone."""
    expect(page.get_by_label("User name")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(password)
    page.keyboard.press("Enter")


def test_a_new_person_sets_a_password_logs_in_and_out_by_keyboard(visitor, live_server, project):
    person, _ = people.add_member(None, project, "newcomer", "annotator", [])
    visitor.goto(f"{live_server.url}/welcome/{people.new_password_link(None, person)}/")
    for label in ("New password", "The same again"):
        visitor.get_by_label(label).focus()
        visitor.keyboard.type("hay-in-the-barn-9")
    visitor.keyboard.press("Enter")
    expect(visitor.get_by_role("status")).to_contain_text("password is set")
    expect(visitor.get_by_label("User name")).to_be_focused()
    type_login(visitor, "newcomer", "hay-in-the-barn-9")
    expect(visitor.get_by_role("heading", name="My projects")).to_be_visible()
    visitor.keyboard.press("Tab")
    expect(visitor.get_by_role("link", name="Skip to the content")).to_be_focused()
    visitor.get_by_role("button", name="Log out").press("Enter")
    expect(visitor.get_by_role("heading", name="Log in")).to_be_visible()


def test_a_wrong_password_is_told_and_the_name_stays(visitor, live_server, annotator):
    visitor.goto(f"{live_server.url}/accounts/login/")
    visitor.get_by_label("User name").fill("annotator")
    visitor.get_by_label("Password").fill("wrong")
    visitor.get_by_role("button", name="Log in").click()
    expect(visitor.get_by_role("alert")).to_contain_text("not correct")
    expect(visitor.get_by_label("User name")).to_have_value("annotator")


def test_a_coordinator_adds_a_person_and_copies_the_link(visitor, live_server, coordinator):
    visitor.goto(f"{live_server.url}/accounts/login/?next=/p/flock/members/")
    type_login(visitor, "coordinator", PASSWORD)
    expect(visitor.get_by_role("heading", name="Members")).to_be_visible()
    visitor.get_by_label("User name").fill("newcomer")
    visitor.get_by_role("button", name="Add", exact=True).click()
    link = visitor.get_by_label("Link", exact=True)
    expect(link).to_have_value(f"{live_server.url}/welcome/{link.input_value()[-44:]}")
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.get_by_role("button", name="Copy").click()
    expect(visitor.get_by_role("button", name="Copied")).to_be_visible()
    assert visitor.evaluate("navigator.clipboard.readText()") == link.input_value()
