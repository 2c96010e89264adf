"""Hands on the writing page: the labelling page's, with the fields of a sample."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.desk import Desk
from writing.models import Sample

TEXT = "Two white sheep stand on a green hill."


class WritingDesk(Desk):
    def __init__(self, desk: Desk, sample: Sample) -> None:
        super().__init__(desk.page, desk.address)
        self.sample = sample

    @property
    def field(self) -> Locator:
        return self.page.locator("#text")

    @property
    def preview(self) -> Locator:
        return self.page.locator("#preview")

    def write(self, text: str = TEXT) -> None:
        self.field.fill(text)

    def drag_over(self, words: str, nth: int = 0, back: bool = False, rtl: bool = False) -> None:
        # the reply to a save may bring advice, and so move the page at its end
        expect(self.state).not_to_have_attribute("data-state", "saving")
        self.page.locator("#response").evaluate("(e) => e.scrollIntoView({ block: 'center' })")
        super().drag_over(words, nth, back, rtl)

    def caret(self, unit: int, field: str = "text") -> None:
        self.page.locator(f"#{field}").focus()
        script = "(at) => document.activeElement.setSelectionRange(at, at)"
        self.page.evaluate(script, unit)

    def label(self, code: str) -> None:
        self.page.locator(f"input[name=label][value={code}]").check()

    def error(self, words: str, nth: int = 0) -> None:
        self.drag_over(words, nth)
        self.page.locator("#mark-it").click()

    def edit_mode(self, start: str = "") -> None:
        self._mode("edit", start)

    def write_mode(self, start: str = "") -> None:
        self._mode("write", start)

    def _mode(self, value: str, start: str) -> None:
        """To the other way; ``start`` is the text that is chosen where the page asks."""
        self.page.locator(f"input[name=mode][value={value}]").click()
        if start:
            dialog = self.page.locator("#start-from")
            dialog.locator("strong").get_by_text(start, exact=True).click()
            expect(dialog).to_be_hidden()

    def reload(self) -> None:
        self.page.reload()
        self.ready()

    def replace(self, words: str, by: str, nth: int = 0) -> None:
        self.drag_over(words, nth)
        expect(self.page.locator("#instead")).to_be_focused()
        self.page.keyboard.type(by)
        self.page.keyboard.press("Enter")

    def send(self, declare: bool = True) -> None:
        self.page.locator("#declared").set_checked(declare)
        self.page.locator("#submit").click()

    def fault(self, place: str) -> Locator:
        return self.page.locator(f"#fault-{place}")

    def saved(self) -> None:
        self.page.evaluate("dispatchEvent(new Event('focus'))")  # what waits is sent at once
        super().saved()

    def stored(self) -> Sample:
        self.saved()
        self.sample.refresh_from_db()
        return self.sample

    def marks(self) -> list[str]:
        """The stored errors in words."""
        sample = self.stored()
        return [sample.text[span["start"] : span["end"]] for span in sample.spans]

    def module(self, name: str, call: str, argument: Any) -> Any:
        """What a function of one of the page's modules gives: ``call`` has ``m`` and ``a``."""
        script = (
            f"async (a) => {{ const m = await import('/static/js/{name}.js'); return {call}; }}"
        )
        return self.page.evaluate(script, argument)
