"""Overlaps, changing and deleting spans, undo, and what an answer needs to be submitted."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
OVERLAP = "This overlaps span 1: move its edge or choose another place."


def test_an_overlap_is_refused_and_the_selection_stays(desk, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    page.mark("hite sheep", "b")
    expect(page.notice).to_have_text(OVERLAP)
    expect(page.page.locator("#live")).to_have_text(OVERLAP)
    assert page.chosen() == "hite sheep"
    assert page.spans(annotator) == [(4, 9, "A")]
    expect(page.notice).to_be_visible()  # what is saved meanwhile does not take it away


def test_a_big_drag_over_three_spans_changes_nothing(desk, project, annotator):
    page = desk(project)
    page.mark("Two", "a")
    page.mark("white", "b")
    page.mark("sheep", "c")
    page.mark("Two white sheep", "d")
    expect(page.notice).to_contain_text("overlaps span 1")
    three = [(0, 3, "A"), (4, 9, "B"), (10, 15, "C")]
    assert page.spans(annotator) == three


def test_touching_spans_are_accepted_also_after_a_cancelled_selection(desk, project, annotator):
    page = desk(project)
    page.mark("Two ", "a")
    page.drag_over("sheep")
    page.press("Escape")
    page.mark(" white", "b")
    page.mark(".", "c")
    page.mark("sheep", "d")
    assert page.spans(annotator) == [(0, 3, "A"), (4, 9, "B"), (15, 16, "C"), (10, 15, "D")]


def test_overlaps_are_accepted_where_the_project_allows_them(desk, project, annotator):
    project.overlap_allowed = True
    project.save()
    page = desk(project)
    page.mark("Two white", "a")
    page.mark("white sheep", "b")
    assert page.spans(annotator) == [(0, 9, "A"), (4, 15, "B")]


def test_a_span_is_clicked_and_relabelled_by_key_box_and_list(desk, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    page.page.mouse.click(*page.middle("white"))
    expect(page.page.locator("#labelbox")).to_be_visible()
    page.press("b")
    assert page.highlighted("on-1") == ["white"]
    page.page.mouse.click(*page.middle("white"))
    page.page.locator(".choice").nth(2).click()
    assert page.spans(annotator) == [(4, 9, "C")]
    page.rows.nth(0).locator("select").select_option("D")
    expect(page.page.locator("#live")).to_contain_text("Span 1 is Miscounting now")
    assert page.spans(annotator) == [(4, 9, "D")]


def test_an_edge_is_moved_by_buttons_and_by_its_handle(desk, project, annotator):
    page = desk(project)
    page.mark("whit", "a")
    page.page.mouse.click(*page.middle("hi"))
    page.page.get_by_role("button", name="End one character later").click()
    assert page.highlighted("on-0") == ["white"]
    box = page.page.locator(".handle[data-edge=start]").bounding_box()
    left, _ = page.edge(0)
    low = box["y"] + box["height"] + 4
    page.drag((box["x"] + 1, low), (left, low))
    assert page.highlighted("on-0") == ["Two white"]
    assert page.spans(annotator) == [(0, 9, "A")]


def test_an_edge_cannot_be_moved_into_another_span(desk, project, annotator):
    page = desk(project)
    page.mark("Two", "b")
    page.mark("white", "a")
    page.press("u", "u")
    expect(page.notice).to_have_text(OVERLAP)
    assert page.spans(annotator) == [(0, 3, "B"), (4, 9, "A")]


def test_undo_and_redo_go_through_every_change(desk, project, annotator):
    page = desk(project)
    page.mark("Two", "a")
    page.mark("white", "b")
    page.rows.nth(0).get_by_role("button", name="Delete span 1").click()
    expect(page.rows).to_have_count(1)
    page.press("Control+z")
    expect(page.rows).to_have_count(2)
    page.press("Control+z", "Control+z")
    expect(page.rows).to_have_count(0)
    page.press("Control+Shift+Z", "Control+y")
    expect(page.rows).to_have_count(2)
    assert page.spans(annotator) == [(0, 3, "A"), (4, 9, "B")]


def test_spans_and_no_hallucination_exclude_each_other(desk, project, annotator):
    page = desk(project)
    page.mark("Two", "a")
    page.press("n")
    expect(page.notice).to_contain_text("delete them first")
    expect(page.page.locator("#none")).not_to_be_checked()
    page.press("Delete", "n")
    expect(page.page.locator("#none")).to_be_checked()
    page.saved()
    assert page.answer(annotator) == ([], "", True, "draft")
    page.mark("white", "a")
    expect(page.page.locator("#none")).not_to_be_checked()


def test_nothing_at_all_cannot_be_submitted(desk, project, annotator):
    page = desk(project)
    page.press("Control+Enter")
    expect(page.notice).to_contain_text("Mark at least one span")
    assert page.answer(annotator)[3] == "draft"


def test_a_label_that_needs_a_comment_asks_for_it(desk, project, annotator):
    page = desk(project)
    page.mark("white", "e")
    page.press("Control+Enter")
    expect(page.notice).to_have_text("Other needs a comment that says why.")
    expect(page.page.locator("#comment")).to_be_focused()
    page.page.keyboard.type("They are grey.")
    page.press("Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()
    assert page.answer(annotator) == ([(4, 9, "E")], "They are grey.", False, "submitted")


def test_submitting_opens_the_next_item_and_the_end_says_thank_you(desk_for, project, annotator):
    for key in ("one", "two"):
        factories.make_item(project, key, response=f"Sheep {key}.")
    page = desk_for(annotator)
    first = page.text
    page.mark("Sheep", "a")
    page.press("Control+Enter")
    expect(page.page.locator("#response")).not_to_have_text(first)
    expect(page.page.locator("#progress-words")).to_have_text("1 done, 1 to go")
    assert page.rows.count() == 0
    page.press("n")
    page.page.locator("#submit").click()
    expect(page.page.locator("#done")).to_contain_text("Thank you")
    expect(page.page.locator("#done-words")).to_contain_text("submitted 2 answers")
    page.page.go_back()
    expect(page.page.locator("#work")).to_be_visible()
    expect(page.page.locator("#none")).to_be_checked()
    page.page.go_back()
    expect(page.page.locator("#response")).to_have_text(first)


def test_a_shorter_answer_than_the_one_before_is_shown_whole_and_saved(desk, project, annotator):
    """The caret stood where the new text has no character any more."""
    page = desk(project, response="Sheep graze on the hill behind the very old barn.")
    factories.make_item(project, "two", response="Geese.")
    page.mark("barn", "a")
    page.press("Control+Enter")
    expect(page.page.locator("#response")).to_have_text("Geese.")
    expect(page.page.locator("#progress-words")).to_have_text("1 done, 1 to go")
    expect(page.rows).to_have_count(0)
    expect(page.page.locator("#standing")).to_be_empty()
    assert page.highlighted("0") == []
    page.press("n")
    expect(page.page.locator("#none")).to_be_checked()
    page.saved()
    assert page.answer(annotator) == ([], "", True, "draft")


def test_spans_are_listed_as_they_stand_and_stored_as_they_were_marked(desk, project, annotator):
    page = desk(project)
    page.mark("sheep", "c")
    page.mark("Two", "a")
    page.mark("white", "b")
    expect(page.rows).to_have_text([re.compile(words) for words in ("Two", "white", "sheep")])
    page.rows.nth(2).locator("select").select_option("D")  # a span that is changed keeps its turn
    marked = [(10, 15, "D"), (0, 3, "A"), (4, 9, "B")]
    assert page.spans(annotator) == marked
    page.page.reload()
    expect(page.rows).to_have_count(3)
    page.rows.nth(0).locator(".gone").click()
    page.mark("Two", "a")
    assert page.spans(annotator) == [marked[0], marked[2], marked[1]]


def test_back_twice_in_a_row_shows_the_item_of_the_address(desk_for, project, annotator):
    """The first answer of the server comes after the second."""
    for key in ("one", "two"):
        factories.make_item(project, key, response=f"Sheep {key}.")
    page = desk_for(annotator)
    first, address = page.text, page.page.url
    page.press("n")
    page.press("Control+Enter")
    expect(page.page.locator("#response")).not_to_have_text(first)
    page.press("n")
    page.press("Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()
    slow: list[Route] = []

    def first_one_late(route: Route) -> None:
        if not slow:
            slow.append(route)
        else:
            route.continue_()

    page.page.route("**/api/v1/assignments/*/", first_one_late)
    page.page.go_back()
    page.page.go_back()
    expect(page.page.locator("#response")).to_have_text(first)
    with page.page.expect_response("**/api/v1/assignments/*/"):
        slow[0].continue_()
    page.page.wait_for_timeout(100)
    expect(page.page.locator("#response")).to_have_text(first)
    expect(page.page).to_have_url(address)


def test_a_submitted_answer_is_corrected_by_submitting_again(desk, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    page.press("Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()
    page.page.go_back()
    page.page.wait_for_url("**/label/*/")
    expect(page.page.locator("#submit")).to_have_text("Next item")
    page.mark("sheep", "b")
    expect(page.state).to_have_text("Saved, not yet submitted")
    assert page.answer(annotator)[0] == [(4, 9, "A")]
    page.press("Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()
    assert page.answer(annotator)[0] == [(4, 9, "A"), (10, 15, "B")]


def test_a_reported_item_gives_way_to_the_next(desk, project, annotator):
    page = desk(project)
    page.page.get_by_role("button", name="Report a problem").click()
    page.page.locator("#report .main-action").click()
    expect(page.page.locator("#report-fault")).to_contain_text("Say in a few words")
    page.page.locator("#report-reason").fill("No picture")
    page.page.locator("#report .main-action").click()
    expect(page.page.locator("#done")).to_be_visible()
