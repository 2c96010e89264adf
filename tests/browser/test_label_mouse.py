"""Marking with the mouse: what is stored is what was pointed at, in code points."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


@pytest.mark.parametrize("back", [False, True])
def test_a_drag_in_either_direction_marks_the_words(desk, project, annotator, back):
    page = desk(project)
    page.drag_over("white", back=back)
    expect(page.page.locator("#labelbox")).to_be_visible()
    page.press("a")
    assert page.spans(annotator) == [(4, 9, "A")]
    assert page.highlighted("on-0") == ["white"]
    expect(page.page.locator("#labelbox")).to_be_hidden()


def test_the_label_is_chosen_in_the_box_beside_the_words(desk, project, annotator):
    page = desk(project)
    page.drag_over("white")
    page.page.get_by_role("button", name="Mischaracterization").click()
    assert page.spans(annotator) == [(4, 9, "B")]


@pytest.mark.parametrize(
    ("text", "words", "expect"),
    [
        ("🐑🐑 deux moutons", "moutons", (8, 15)),
        ("Chat noir.\r\nDeux chiens.", "chiens", (17, 23)),
        ("Chat noir.\r\nDeux chiens.", "noir.\nDeux", (5, 16)),
        ("un\rdeux trois", "deux", (3, 7)),
        ("Le  chat\n  dort <i>bien</i>", "dort", (11, 15)),
        ("Roma,  Italia", "Roma,  Italia", (0, 13)),
        ("草地上有两只白羊。", "两只白羊", (4, 8)),
        ("cafe\u0301 noir", "cafe", (0, 5)),
        ("a 👨‍👩‍👧 b 👍🏽", "b", (8, 9)),
    ],
)
def test_what_is_dragged_over_is_stored_and_drawn_after_a_reload(
    desk, project, annotator, text, words, expect
):
    page = desk(project, response=text)
    page.mark(words, "c")
    assert page.spans(annotator) == [(*expect, "C")]
    page.page.reload()
    page.ready()
    assert page.highlighted("2") == [text[slice(*expect)].replace("\r\n", "\n")]


@pytest.mark.parametrize("back", [False, True])
def test_hebrew_is_marked_from_either_side(desk, project, annotator, back):
    page = desk(project, response="שתי כבשים לבנות")
    page.drag_over("כבשים", back=back, rtl=True)
    page.press("a")
    assert page.spans(annotator) == [(4, 9, "A")]


def test_latin_and_digits_inside_hebrew(desk, project, annotator):
    page = desk(project, response="יש כאן Merino 42 כבשים")
    page.mark("Merino 42", "b")
    assert page.spans(annotator) == [(7, 16, "B")]


def test_a_double_click_takes_the_word_without_punctuation(desk, project, annotator):
    page = desk(project, response="Il y a un «chat», dit-il")
    page.page.mouse.dblclick(*page.middle("chat"))
    page.page.wait_for_timeout(50)
    page.press("a")
    assert page.spans(annotator) == [(11, 15, "A")]


def test_a_drag_over_a_part_of_a_word_keeps_the_part(desk, project, annotator):
    page = desk(project, response="Il y a un «chat», dit-il")
    page.mark("ha", "a")
    assert page.spans(annotator) == [(12, 14, "A")]


@pytest.mark.parametrize("back", [False, True])
def test_a_drag_that_starts_and_ends_beside_the_text_is_clamped(desk, project, annotator, back):
    page = desk(project)
    left, _, y = page.box(0, 1)
    _, right, low = page.box(15, 16)
    points = (left - 30, y), (right + 200, low + 60)
    page.drag(*(reversed(points) if back else points))
    page.press("a")
    assert page.spans(annotator) == [(0, 16, "A")]


def test_only_blanks_are_refused_with_a_message(desk, project, annotator):
    page = desk(project, response="one    two")
    page.drag_over("    ")
    expect(page.notice).to_contain_text("only blanks")
    page.press("a")
    assert page.answer(annotator)[0] == []


def test_a_key_right_after_a_drag_is_for_what_was_dragged_over(desk, project, annotator):
    """Keys that come before the page has looked at the selection, five words in a row."""
    page = desk(project, response="Two white sheep stand here.")
    words = ["Two", "white", "sheep", "stand", "here"]
    for word, key in zip(words, "abcda", strict=True):
        left, right, y = page.box(*page.units(word))
        page.page.mouse.move(left + 1, y)
        page.page.mouse.down()
        page.page.mouse.move(right - 1, y, steps=3)
        page.page.evaluate(  # in one task: nothing that waits comes between
            """(key) => document.addEventListener("mouseup", () => document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key, bubbles: true })), { once: true })""",
            key,
        )
        page.page.mouse.up()
    assert page.spans(annotator) == [
        (0, 3, "A"), (4, 9, "B"), (10, 15, "C"), (16, 21, "D"), (22, 26, "A"),
    ]  # fmt: skip


def test_a_drag_over_the_question_lets_go_of_the_span_before_it(desk, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    box = page.page.locator("#question").bounding_box()
    page.page.mouse.move(box["x"] + 2, box["y"] + 10)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 90, box["y"] + 10, steps=4)
    page.page.mouse.up()
    page.press("b")
    expect(page.notice).to_contain_text("Select words in the answer first")
    assert page.spans(annotator) == [(4, 9, "A")]


def test_a_window_of_another_shape_has_the_labels_beside_the_words(desk, project):
    page = desk(project)
    page.drag_over("white")
    page.page.set_viewport_size({"width": 820, "height": 1180})
    box = page.page.locator("#labelbox")
    expect(box).to_have_css("bottom", "0px")
    assert box.bounding_box()["height"] < 400
    page.page.set_viewport_size({"width": 1280, "height": 800})
    assert box.bounding_box()["width"] < 500
