"""Hands on the labelling page: pointing at characters by their place in the shown text."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

RECT = """([from, to]) => {
  const range = document.createRange();
  const node = document.getElementById('response').firstChild;
  range.setStart(node, from); range.setEnd(node, to);
  const rects = [...range.getClientRects()].filter((r) => r.width > 0);
  const r = rects[0];
  return [r.left, r.right, (r.top + r.bottom) / 2];
}"""


class Desk:
    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def open(self, path: str = "") -> None:
        self.page.goto(self.address + path)
        self.ready()

    def ready(self) -> None:
        self.page.wait_for_selector("html[data-ready='1']")

    @property
    def text(self) -> str:
        """What the response shows, as UTF-16 units in a Python string of code points."""
        return self.page.evaluate("document.getElementById('response').textContent")

    def units(self, words: str, nth: int = 0) -> tuple[int, int]:
        """UTF-16 units of the nth occurrence of the words in the shown text."""
        at = -1
        for _ in range(nth + 1):
            at = self.text.index(words, at + 1)
        before = len(self.text[:at].encode("utf-16-le")) // 2
        return before, before + len(words.encode("utf-16-le")) // 2

    def box(self, start: int, end: int) -> tuple[float, float, float]:
        """Left, right and middle height of the first line of a range of units."""
        expect(self.page.locator("#response")).to_be_visible()  # a page that is changing has no box
        left, right, y = self.page.evaluate(RECT, [start, end])
        return left, right, y

    def edge(self, unit: int, width: int = 1, after: bool = False, rtl: bool = False):
        """A point just inside the character at a unit, at its beginning or its end."""
        left, right, y = self.box(unit, unit + width)
        return (right - 0.5 if after != rtl else left + 0.5), y

    def drag(self, start, end) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=4)
        mouse.up()
        self.page.wait_for_timeout(30)

    def drag_over(self, words: str, nth: int = 0, back: bool = False, rtl: bool = False) -> None:
        start, end = self.units(words, nth)
        points = self.edge(start, rtl=rtl), self.edge(end - 1, after=True, rtl=rtl)
        self.drag(*(reversed(points) if back else points))

    def middle(self, words: str, nth: int = 0) -> tuple[float, float]:
        left, right, y = self.box(*self.units(words, nth))
        return (left + right) / 2, y

    def mark(self, words: str, key: str, nth: int = 0) -> None:
        self.drag_over(words, nth)
        self.heard()
        self.page.keyboard.press(key)

    def heard(self) -> None:
        """The page took what was dragged over, or said why not: a key pressed now is for that."""
        expect(self.page.locator("#labelbox:visible, #notice:not(:empty)").first).to_be_visible()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def saved(self) -> None:
        expect(self.state).to_have_attribute("data-state", "saved")

    @property
    def state(self) -> Locator:
        return self.page.locator("#state")

    @property
    def notice(self) -> Locator:
        return self.page.locator("#notice")

    @property
    def rows(self) -> Locator:
        return self.page.locator("#spans > li")

    def chosen(self) -> str:
        """The text that is highlighted as chosen."""
        return self.highlighted("chosen")[0] if self.highlighted("chosen") else ""

    def highlighted(self, name: str) -> list[str]:
        script = "(name) => [...(CSS.highlights.get('sheepfold-' + name) || [])].map(String)"
        return self.page.evaluate(script, name)

    def answer(self, user: Any) -> tuple[list[tuple[int, int, str]], str, bool, str]:
        """What the database holds of the user's newest annotation."""
        from annotation.models import Annotation

        held = Annotation.objects.filter(annotator__user=user).latest("saved_at")
        spans = list(held.spans.values_list("start", "end", "label__code"))
        return spans, held.comment, held.no_hallucination, held.state

    def spans(self, user: Any) -> list[tuple[int, int, str]]:
        self.saved()
        return self.answer(user)[0]
