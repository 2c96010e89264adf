"""Marking with a finger: an edge follows it on its handle, and elsewhere the page scrolls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import factories
from tests.browser.writing_desk import TEXT, WritingDesk
from tests.writing import making
from writing.actions import samples

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
PHONE = {"viewport": {"width": 390, "height": 700}, "has_touch": True, "is_mobile": True}
Point = tuple[float, float]
HIT = "([x, y]) => document.elementFromPoint(x, y).id"


def swipe(page: Page, start: Point, end: Point, moves: int = 12) -> None:
    """A finger as the browser gets it, which takes it for scrolling where nothing forbids that."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: Point) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    (x, y), (to_x, to_y) = start, end
    send("touchStart", start)
    for done in (move / moves for move in range(1, moves + 1)):
        send("touchMove", (x + (to_x - x) * done, y + (to_y - y) * done))
    page.wait_for_timeout(60)  # it rests before it leaves, or the next tap would stop a fling
    send("touchMove", end)
    send("touchEnd")
    session.detach()


def pull(desk, edge: str, to: Point, below: int) -> None:
    """Draw a handle to a point of the text, the finger so many pixels below the handle's bar."""
    box = desk.page.locator(f".handle[data-edge={edge}]").bounding_box()
    y = box["y"] + box["height"]
    middle = desk.page.evaluate(HIT, [box["x"] + 1, box["y"] + box["height"] / 2])
    assert middle == "response"  # over the letters the handle takes no tap
    swipe(desk.page, (box["x"] + 1, y + below), (to[0], y + below))


def test_an_edge_follows_the_finger_on_its_handle_and_the_page_scrolls_elsewhere(
    desk_for, project, annotator
):
    factories.make_item(project, response="Two white sheep.\n" + "On a hill.\n" * 40)
    desk = desk_for(annotator, **PHONE)
    page = desk.page
    page.touchscreen.tap(*desk.middle("white"))
    pull(desk, "end", desk.edge(14, after=True), 6)
    assert desk.chosen() == "white sheep"
    page.get_by_role("button", name="Mischaracterization").tap()
    expect(desk.rows).to_have_count(1)  # a tap right after another one loses its click
    page.touchscreen.tap(*desk.middle("white"))
    expect(page.locator("#labelbox")).to_be_visible()
    for below, unit, words in (
        (5, 0, "Two white sheep"),
        (12, 4, "white sheep"),
        (20, 10, "sheep"),
    ):
        pull(desk, "start", desk.edge(unit), below)
        assert desk.highlighted("on-1") == [words]
    assert desk.spans(annotator) == [(10, 15, "B")]
    assert page.evaluate("scrollY") == 0
    swipe(page, (200, 600), (200, 300))
    page.wait_for_function("scrollY > 100")
    assert desk.spans(annotator) == [(10, 15, "B")]


def test_on_the_writing_page_the_marked_error_follows_the_finger_too(desk_for, project):
    writer = factories.join(project, "writer", "writer")
    sample = samples.start(writer, making.make_brief(project).pk)
    desk = WritingDesk(desk_for(writer, f"../writing/{sample.pk}/", **PHONE), sample)
    page = desk.page
    desk.write()
    desk.label("A")
    page.locator("#response").evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    page.touchscreen.tap(*desk.middle("white"))
    page.locator("#mark-it").tap()
    assert desk.marks() == ["white"]
    page.touchscreen.tap(*desk.middle("white"))
    expect(page.locator("#labelbox")).to_be_visible()
    pull(desk, "end", desk.edge(TEXT.index("sheep") + 4, after=True), 8)
    pull(desk, "start", desk.edge(0), 8)
    assert desk.marks() == ["Two white sheep"]
    desk.saved()
    assert desk.stored().spans == [{"start": 0, "end": 15}]


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 844), (320, 500)])
def test_on_a_small_screen_the_marked_words_their_labels_and_what_is_said_are_seen_together(
    desk_for, project, annotator, width, height
):
    """A telephone upright and on its side, and a laptop's page at four times its size."""
    told = {"context": "A hill.\n" * 60, "context_format": "plain"}
    factories.make_item(project, response="Sheep stand here. " * 12 + "They are green.", **told)
    size = {"width": width, "height": height}
    desk = desk_for(annotator, **(PHONE | {"viewport": size}))
    page = desk.page
    page.locator("#response").evaluate("(e) => e.scrollIntoView({ block: 'end' })")
    page.touchscreen.tap(*desk.middle("green"))
    page.get_by_role("button", name="Other").tap()
    expect(desk.rows).to_have_count(1)
    page.touchscreen.tap(*desk.middle("green"))
    page.touchscreen.tap(*desk.middle("are"))
    page.touchscreen.tap(*desk.middle("green"))
    page.get_by_role("button", name="Invention").tap()
    expect(desk.notice).to_contain_text("overlaps span 1")
    assert desk.chosen() == "are green"
    seen = page.evaluate(HIT, list(desk.middle("green")))
    assert seen == "response", "the words are behind something"
    for button in page.locator("#choices button").all():
        box = button.bounding_box()
        at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        top = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.dataset.code", at
        )
        assert top == button.get_attribute("data-code")
