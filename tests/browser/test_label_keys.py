"""The whole work without a mouse, by touch, and for ears."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ASKED = {"runOnly": RULES, "resultTypes": ["violations"]}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def live(page) -> str:
    return page.page.locator("#live").text_content()


def test_everything_from_selecting_to_submitting_by_keys(desk, project, annotator):
    page = desk(project)
    page.page.locator("#response").focus()
    expect(page.page.locator(".caret")).to_be_visible()
    page.press(*["ArrowRight"] * 4, *["Shift+ArrowRight"] * 5)
    assert page.chosen() == "white"
    expect(page.page.locator("#live")).to_have_text("Selected: white")
    page.press("a")
    assert live(page) == "Marked as Invention: white"
    page.press("p", "p", "o", "u", "i", "b")
    assert page.highlighted("on-1") == ["white s"]
    page.press("End", *["Control+Shift+ArrowLeft"] * 2, "c")
    expect(page.notice).to_contain_text("overlaps span 1")
    page.press("Escape", ",", "o", "o")
    assert page.highlighted("on-1") == ["whit"]
    page.press("p", "Delete", "Control+z", ".", "a", "Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()
    assert page.answer(annotator) == ([(4, 9, "A")], "", False, "submitted")


def test_a_label_is_chosen_in_the_box_by_keys(desk, project, annotator):
    page = desk(project)
    page.page.locator("#response").focus()
    page.press(*["Shift+ArrowRight"] * 3, "Enter", "ArrowDown", "Enter")
    expect(page.page.locator("#response")).to_be_focused()
    assert page.spans(annotator) == [(0, 3, "B")]
    page.press("ArrowRight", *["Shift+ArrowRight"] * 5, "Enter", "Escape")  # both leave the caret
    page.press(*["Shift+ArrowLeft"] * 5, "Escape", *["Shift+ArrowLeft"] * 5, "d")
    assert page.spans(annotator) == [(0, 3, "B"), (4, 9, "D")]


def test_the_link_past_the_head_leads_to_the_question_and_changes_nothing(desk, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    page.saved()
    page.page.locator(".skip").focus()
    page.press("Enter", "Tab")
    expect(page.page.locator("#response")).to_be_focused()
    page.press("Control+z")  # the history is there still
    assert page.spans(annotator) == []


def test_a_selection_by_keys_takes_whole_emoji_and_stays_in_the_text(desk, project, annotator):
    page = desk(project, response="👨‍👩‍👧 👍🏽\r\nsheep")
    page.page.locator("#response").focus()
    page.press("Shift+ArrowRight", "a")
    page.press("ArrowDown", "End", *["Shift+ArrowDown"] * 2, *["Shift+ArrowLeft"] * 5, "b")
    assert page.spans(annotator) == [(0, 5, "A"), (10, 15, "B")]


def test_control_with_home_and_end_goes_to_the_ends_of_the_text(desk, project, annotator):
    page = desk(project, response="Two sheep\r\nstand on\r\na hill")
    page.page.locator("#response").focus()
    page.press("ArrowDown", "Control+Shift+Home", "a")
    page.press("Control+End", *["Shift+ArrowLeft"] * 4, "b")
    page.press("Control+Home", *["ArrowRight"] * 19, "Control+Shift+End")
    assert page.chosen() == "a hill"
    assert page.spans(annotator) == [(0, 9, "A"), (23, 27, "B")]


def test_the_page_follows_the_caret_and_the_span_that_the_keys_go_to(desk, project, annotator):
    page = desk(project, response="One sheep stands here.\n" * 120 + "The end.")
    seen = """(name) => {
        const found = name === "caret" ? document.querySelector(".caret")
            : [...CSS.highlights.get(`sheepfold-on-${name}`)][0];
        const bar = document.getElementById("bar").getBoundingClientRect();
        const box = found && found.getBoundingClientRect();
        return box && box.top >= 0 && box.bottom <= bar.top;
    }"""
    page.mark("One", "a")
    page.page.locator("#response").focus()
    for keys in (["ArrowDown"] * 60, ["Control+End"], ["ArrowUp"] * 70, ["Control+Home"]):
        page.press(*keys)
        page.page.wait_for_function(seen, arg="caret")
    page.press("Control+End", "Shift+ArrowLeft", "Shift+ArrowLeft", "b", "Escape")
    for name in ("0", "1", "0"):
        page.press(".")
        page.page.wait_for_function(seen, arg=name)


def test_the_label_key_works_on_a_hebrew_keyboard(desk, project, annotator):
    page = desk(project)
    page.drag_over("white")
    key = "{key: 'ש', code: 'KeyA', bubbles: true}"
    page.page.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {key}))")
    assert page.spans(annotator) == [(4, 9, "A")]


@pytest.mark.parametrize(
    ("key", "pressed", "code", "label"),
    [
        ("ф", "ф", "KeyA", "B"),  # the key of B goes before the Latin letter that it stands on
        ("ф", "Ф", "KeyA", "B"),
        ("ф", "ש", "KeyA", "A"),
        ("é", "É", "Digit2", "B"),
        ("B", "b", "KeyB", "B"),
    ],
)
def test_a_label_may_have_a_key_of_any_script(desk, project, annotator, key, pressed, code, label):
    project.labels.filter(code="B").update(key=key)
    page = desk(project)
    page.drag_over("white")
    event = f"{{key: '{pressed}', code: '{code}', bubbles: true}}"
    page.page.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {event}))")
    assert page.spans(annotator) == [(4, 9, label)]


def test_labels_whose_keys_differ_by_shift_alone_are_told_apart(desk, project, annotator):
    """No form gives such keys any more; a project of before may have them."""
    project.labels.filter(code="C").update(key="A")
    page = desk(project)
    page.mark("white", "A")
    page.mark("sheep", "a")
    assert page.spans(annotator) == [(4, 9, "C"), (10, 15, "A")]


def test_letters_in_the_comment_are_no_commands(desk, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    page.press("/")
    page.page.keyboard.type("a b n g ? . u")
    page.saved()
    assert page.answer(annotator) == ([(4, 9, "A")], "a b n g ? . u", False, "draft")


def test_shortcuts_and_guidelines_are_one_key_away(desk, project):
    project.guidelines = "## Look\n\nFirst at the **picture**."
    project.save()
    page = desk(project)
    page.press("?")
    expect(page.page.locator("#shortcuts")).to_be_visible()
    page.press("Escape", "g")
    expect(page.page.locator("#guidelines strong")).to_have_text("picture")
    page.press("g")
    expect(page.page.locator("#guidelines")).to_be_hidden()


def test_taps_take_a_word_and_extend_to_the_next(desk_for, project, annotator):
    factories.make_item(project, response="Two white sheep, «here».")
    page = desk_for(annotator, **PHONE)
    page.page.touchscreen.tap(*page.middle("white"))
    page.page.wait_for_timeout(450)
    assert page.chosen() == "white"
    page.page.touchscreen.tap(*page.middle("sheep"))
    page.page.wait_for_timeout(450)
    assert page.chosen() == "white sheep"
    page.page.locator(".choice").first.tap()
    expect(page.rows).to_have_count(1)
    page.page.touchscreen.tap(*page.middle("here"))
    expect(page.page.locator("#labelbox")).to_be_visible()
    page.page.wait_for_timeout(450)
    page.page.locator(".choice").nth(1).tap()
    expect(page.rows).to_have_count(2)
    assert page.spans(annotator) == [(4, 15, "A"), (18, 22, "B")]
    page.page.touchscreen.tap(*page.middle("white"))
    page.page.get_by_role("button", name="Delete", exact=True).tap()
    expect(page.rows).to_have_count(1)
    assert page.spans(annotator) == [(18, 22, "B")]


def test_a_tap_beside_the_text_lets_go(desk_for, project, annotator):
    factories.make_item(project)
    page = desk_for(annotator, **PHONE)
    page.page.touchscreen.tap(*page.middle("white"))
    page.page.touchscreen.tap(5, 130)
    expect(page.page.locator("#labelbox")).to_be_hidden()
    assert page.chosen() == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_axe_finds_nothing(desk_for, project, annotator, scheme, size):
    factories.make_item(project, context='{"sheep": 2}', context_format="json")
    width, height = size
    page = desk_for(annotator, color_scheme=scheme, viewport={"width": width, "height": height})
    for keys in ([], ["?"], ["Escape", "g"], ["Escape"]):
        page.press(*keys)
        assert_clean(page)
    page.mark("white", "e")
    page.mark("sheep", "e")
    page.press("Control+Enter")
    assert_clean(page)
    page.drag_over("Two")
    assert_clean(page)
    page.press("Escape")
    page.page.get_by_role("button", name="Report a problem").click()
    assert_clean(page)


def assert_clean(page) -> None:
    found = Axe().run(page.page, options=ASKED)
    assert found.violations_count == 0, found.generate_report()
