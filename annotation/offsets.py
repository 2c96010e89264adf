"""From what a person selects on the page to what is stored: the rules of the page's offsets.js.

A selection is a range of UTF-16 units of the text as the page shows it (LF for CRLF and CR); a
stored span is a range of code points of the text as imported. `tests/data/offsets.json` holds the
cases that both sides run.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import regex

# Unicode White_Space, by list: str.strip takes U+001C to U+001F too.
SPACE = regex.compile(
    r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+", regex.VERSION1
)
GRAPHEME = regex.compile(r"\X")
LETTER = regex.compile(r"[\p{L}\p{N}\p{M}]")
WORD_EDGE = regex.compile(r"(?w)\b|\A|\Z")


@dataclass(frozen=True)
class TextMap:
    """``points[i]`` is the stored place of the shown code point ``i``; ``edges`` are code points of
    ``shown`` where a visible character begins, the last one its length."""

    shown: str
    points: tuple[int, ...]
    edges: tuple[int, ...]


def text_map(raw: str) -> TextMap:
    shown: list[str] = []
    points: list[int] = []
    for point, letter in enumerate(raw):
        if letter == "\n" and point and raw[point - 1] == "\r":
            continue
        points.append(point)
        shown.append("\n" if letter == "\r" else letter)
    text = "".join(shown)
    edges = [match.start() for match in GRAPHEME.finditer(text)]
    return TextMap(text, (*points, len(raw)), (*edges, len(text)))


def _shown_point(text: str, unit: int, up: bool) -> int:
    """The code point boundary of ``text`` at a UTF-16 unit; inside a pair, the one outward."""
    units = 0
    for point, letter in enumerate(text):
        if units >= unit:
            return point
        units += 2 if ord(letter) > 0xFFFF else 1
        if units > unit:
            return point + up
    return len(text)


def select(text: TextMap, start: int, end: int) -> tuple[int, int] | None:
    """The stored span of the units ``start`` to ``end``; None where nothing but white space is.

    Whole visible characters, outward; no white space at the edges.
    """
    low, high = max(0, min(start, end)), max(0, start, end)
    first, last = _shown_point(text.shown, low, False), _shown_point(text.shown, high, True)
    if first >= last:
        return None
    edges = text.edges
    i = bisect_right(edges, first) - 1
    j = bisect_right(edges, last) - 1
    j += edges[j] < last
    while i < j and SPACE.fullmatch(text.shown, edges[i], edges[i + 1]):
        i += 1
    while i < j and SPACE.fullmatch(text.shown, edges[j - 1], edges[j]):
        j -= 1
    return (text.points[edges[i]], text.points[edges[j]]) if i < j else None


def word(text: TextMap, unit: int) -> tuple[int, int] | None:
    """The stored span of the word that holds a unit, without the punctuation around it.

    A sign that is no word by itself is taken alone. Word boundaries are Unicode's default ones:
    where a language writes no blanks, the page knows more words than this.
    """
    at = _shown_point(text.shown, unit, False)
    if at >= len(text.shown):
        return None
    found = [match.start() for match in WORD_EDGE.finditer(text.shown)]
    i = bisect_right(found, at) - 1
    start, end = found[i], found[i + 1]
    if not LETTER.search(text.shown, start, end):
        j = bisect_right(text.edges, at) - 1
        start, end = text.edges[j], text.edges[j + 1]
    else:
        while not LETTER.match(text.shown[start]):
            start += 1
        while not LETTER.match(text.shown[end - 1]):
            end -= 1
    units = [len(text.shown[:point].encode("utf-16-le")) // 2 for point in (start, end)]
    return select(text, *units)
