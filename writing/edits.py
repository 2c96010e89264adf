"""Edits of a correct answer: the text and the exact spans that follow from them. Pure.

After section 4.3 of the LettuceDetect v2 paper: an error is put into a correct answer by replacing
stretches of it, so that its place is known and not found by comparing two texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """``clean[start:end]`` becomes ``hallucinated``; code points, end exclusive."""

    start: int
    end: int
    hallucinated: str


@dataclass(frozen=True, slots=True)
class Edited:
    """The text after all edits, and where each edit's words stand in it (end exclusive)."""

    text: str
    spans: tuple[tuple[int, int], ...]


OUTSIDE, CROSSES, SAME = "outside", "crosses", "same"


class BadEdit(ValueError):
    """``index`` is the edit that cannot be; ``code`` says why: `OUTSIDE`, `CROSSES` or `SAME`.

    ``length`` is that of the answer.
    """

    def __init__(self, index: int, code: str, length: int) -> None:
        super().__init__(code)
        self.index = index
        self.code = code
        self.length = length


def apply(clean: str, edits: Sequence[Edit]) -> Edited:
    """Replace every stretch; the edits stand in order and do not touch each other's characters.

    A deletion has no words of its own: its span reaches over the gap, from the last visible
    character before it to the first one behind it, or as far as the text goes.

    Raises
    ------
    BadEdit
        If an edit lies outside the answer, crosses the one before it, or changes nothing.

    Examples
    --------
    >>> apply("Two white sheep.", [Edit(4, 9, "black")])
    Edited(text='Two black sheep.', spans=((4, 9),))
    >>> apply("Two white sheep.", [Edit(0, 3, "Three"), Edit(9, 9, " woolly")]).spans
    ((0, 5), (11, 18))
    """
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    at = length = 0
    for index, edit in enumerate(edits):
        if not 0 <= edit.start <= edit.end <= len(clean):
            raise BadEdit(index, OUTSIDE, len(clean))
        if edit.start < at:
            raise BadEdit(index, CROSSES, len(clean))
        if clean[edit.start : edit.end] == edit.hallucinated:
            raise BadEdit(index, SAME, len(clean))
        parts.append(clean[at : edit.start])
        length += edit.start - at
        spans.append((length, length + len(edit.hallucinated)))
        parts.append(edit.hallucinated)
        length += len(edit.hallucinated)
        at = edit.end
    parts.append(clean[at:])
    text = "".join(parts)
    return Edited(text, tuple(_visible(span, text) for span in spans))


def _visible(span: tuple[int, int], text: str) -> tuple[int, int]:
    start, end = span
    if start < end:
        return span
    start = max(0, len(text[:start].rstrip()) - 1)
    behind = text[end:]
    end += len(behind) - len(behind.lstrip()) + 1
    return start, min(len(text), end)


def places(edited: Edited) -> list[tuple[int, int]]:
    """The spans as they are stored: in order, none empty, those that share a character as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(edited.spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif start < end:
            found.append((start, end))
    return found


def pairs(clean: str, edits: Sequence[Edit]) -> list[dict[str, object]]:
    """``[{"start", "end", "original", "hallucinated"}]`` as a sample stores them."""
    return [
        {
            "start": edit.start,
            "end": edit.end,
            "original": clean[edit.start : edit.end],
            "hallucinated": edit.hallucinated,
        }
        for edit in edits
    ]


def changed_share(clean: str, edits: Sequence[Edit]) -> float:
    """The share of the correct answer's characters that the edits replace or push in, at most 1."""
    changed = sum(max(edit.end - edit.start, len(edit.hallucinated)) for edit in edits)
    return min(1.0, changed / len(clean)) if clean else 1.0
