"""Cells of a table that a spreadsheet opens: a text never becomes a formula there.

A spreadsheet runs a cell that begins with one of `STARTS`. Such a text gets an apostrophe before
it, and so does one that begins with apostrophes and then one of them; a reader takes one off again.
So every text comes back as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

STARTS = "=+-@\t\r\n＝＋－＠"
MARK = "'"
_RISKY = re.compile(rf"{MARK}*[{re.escape(STARTS)}]")
_MARKED = re.compile(rf"{MARK}+[{re.escape(STARTS)}]")


def guarded(text: str) -> str:
    """The text as a cell that no spreadsheet runs."""
    return MARK + text if _RISKY.match(text) else text


def unguarded(cell: str) -> str:
    """The text of a cell that `guarded` made; any other cell is its own text."""
    return cell[len(MARK) :] if _MARKED.match(cell) else cell


def guarded_row(values: Iterable[Any]) -> list[Any]:
    """A row whose texts are guarded; numbers stay numbers, so -1 is no text."""
    return [guarded(value) if isinstance(value, str) else value for value in values]
