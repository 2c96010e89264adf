"""Marking with the mouse: what is stored is what was pointed at, in code points."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.django_db(transaction=True)


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
