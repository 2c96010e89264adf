"""The coordinator's pages in Chromium: no fault of access, an empty console, and the keyboard."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from annotation.actions import answers, aside, labels, places, reports
from annotation.models import Annotation, Assignment, Participant
from annotation.records import Answer, SpanRecord
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ASKED = {"runOnly": RULES, "resultTypes": ["violations"]}
MARKED = Answer((SpanRecord(0, 3, "A"), SpanRecord(4, 9, "B")), "White, not grey.")
# The pages' names and a label's buttons stand in one line; the page one is on is in sight.
ONE_LINE = """() => {
  const box = (one) => one.getBoundingClientRect();
  const lines = [...document.querySelectorAll(".tabs, .labels .actions")];
  const faults = lines.filter((one) => box(one).height > 60).map((one) => one.className);
  const here = document.querySelector(".tabs [aria-current]");
  if (here && (box(here).left < 0 || box(here).right > innerWidth)) faults.push("current");
  return faults;
}"""
SHOTS = os.environ.get("SHOTS")  # a folder: keep a picture of each page there


@pytest.fixture
def busy(project, coordinator, annotator, second):
    """Answers of each kind: submitted, set aside, reported, claimed, and one item untouched."""
    for n in range(5):
        factories.make_item(project, f"item-{n}", places=2)
    for user in (annotator, second):
        for _ in range(2):
            annotation = places.claim(user, project.slug)
            answers.save(user, annotation.place_id, MARKED, 0, 0, True)
    aside.set_aside(coordinator, Annotation.objects.filter(state="submitted").first())
    place = places.claim(second, project.slug)
    reports.report(second, place.place_id, "The picture is black.")
    places.claim(annotator, project.slug)
    return project


@pytest.fixture
def page(coordinators_page):
    return coordinators_page


@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_is_accessible_and_fits(live_server, busy, page, annotator, width):
    page.set_viewport_size({"width": width, "height": 800})
    person = Participant.objects.get(user=annotator)
    item = Annotation.objects.filter(state="submitted").first().item_id
    label = busy.labels.first().pk
    paths = ["", "items/", f"items/{item}/", "aside/", "reported/", "labels/", "settings/"]
    paths += [f"labels/{label}/", f"people/{person.pk}/withdraw/"]
    paths += [f"places/{Assignment.objects.get(state='claimed').pk}/release/"]
    faults = []
    for path in paths:
        page.goto(f"{live_server.url}/p/{busy.slug}/{path}")
        found = Axe().run(page, options=ASKED)
        if found.violations_count:
            faults.append(f"{path}: {found.generate_report()}")
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        if wide:
            faults.append(f"{path}: wider than the window")
        faults += [f"{path}: {fault}" for fault in page.evaluate(ONE_LINE)]
        if SHOTS:
            name = path.strip("/").replace("/", "-") or "progress"
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}.png", full_page=True)
    assert not faults, "\n".join(faults)


def test_a_claim_is_released_with_the_keyboard_after_a_page_that_says_whose_draft_it_is(
    live_server, busy, page
):
    page.goto(f"{live_server.url}/p/{busy.slug}/")
    page.get_by_role("link", name="Release").first.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("the place of annotator in item-")
    assert Assignment.objects.filter(state="claimed").exists()
    page.get_by_role("button", name="Release").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("open again")
    assert not Assignment.objects.filter(state="claimed").exists()


def test_an_answer_is_set_aside_and_adopted_again_with_the_keyboard(live_server, busy, page):
    item = Annotation.objects.filter(state="submitted").first().item_id
    page.goto(f"{live_server.url}/p/{busy.slug}/items/{item}/")
    before = Assignment.objects.filter(state="submitted").count()
    for name, step in (("Set aside, open", -1), ("Adopt", 0)):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent").startswith(name):
                break
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_be_visible()
        assert Assignment.objects.filter(state="submitted").count() == before + step


def test_a_table_is_sorted_by_the_keyboard_and_says_so(live_server, busy, page):
    page.goto(f"{live_server.url}/p/{busy.slug}/items/")
    page.get_by_role("button", name="Key").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Key")
    expect(page.locator("tbody th").first).to_have_text("item-4")


def test_a_table_is_filtered_as_one_types(live_server, busy, page):
    page.goto(f"{live_server.url}/p/{busy.slug}/items/")
    page.get_by_label("Show rows with").fill("item-3")
    expect(page.locator("tbody tr:visible")).to_have_count(1)


def test_the_guidelines_are_previewed_without_leaving_the_page(live_server, busy, page):
    page.goto(f"{live_server.url}/p/{busy.slug}/settings/")
    page.evaluate("window.kept = true")
    page.get_by_label("Name").fill("")
    page.get_by_label("People per item").fill("7")
    page.get_by_label("Spans of one answer may overlap").check()
    page.get_by_label("Guidelines for annotators").fill("Mark **little**.")
    page.get_by_label("Guidelines for writers").fill("Write **much**. <script>x</script>")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.locator("#preview strong")).to_have_text("little")
    expect(page.locator("#writer-preview strong")).to_have_text("much")
    expect(page.get_by_role("status")).to_have_text("The preview is shown.")
    assert page.evaluate("window.kept") and page.locator("#writer-preview script").count() == 0
    expect(page.get_by_label("Guidelines for annotators")).to_have_value("Mark **little**.")
    expect(page.get_by_label("Name")).to_have_value("")
    expect(page.get_by_label("People per item")).to_have_value("7")
    expect(page.get_by_label("Spans of one answer may overlap")).to_be_checked()
    busy.refresh_from_db()
    assert (busy.guidelines, busy.per_item) == ("", 3)


def test_a_preview_that_cannot_come_says_so_and_keeps_what_is_typed(live_server, busy, page):
    page.goto(f"{live_server.url}/p/{busy.slug}/settings/")
    page.get_by_label("Guidelines for annotators").fill("Mark **little**.")
    page.context.set_offline(True)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("status")).to_contain_text("What you typed is still here")
    page.context.set_offline(False)
    page.context.clear_cookies()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("status")).to_contain_text("What you typed is still here")
    expect(page.get_by_label("Guidelines for annotators")).to_have_value("Mark **little**.")


def test_a_label_in_use_is_archived(live_server, busy, coordinator, page):
    page.goto(f"{live_server.url}/p/{busy.slug}/labels/")
    page.get_by_role("button", name="Archive A").click()
    expect(page.get_by_role("status")).to_contain_text("archived")
    assert labels.is_used(busy.labels.get(code="A", archived=True))
