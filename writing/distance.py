"""How far two texts are from each other. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import regex
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel, Levenshtein

SKETCH = 0.7  # two sketches less alike than this are of different texts
WHOLE = 8  # texts that are compared whole, those with the likest sketches first
# one letter of eight or so, whatever the script: every eighth byte of UTF-8 is kept
LEFT_OUT = bytes(byte for byte in range(256) if byte % 8 != 1)


def distances(machine: str, edited: str) -> tuple[int, int]:
    """Levenshtein distance of two texts, in characters and in words.

    A word is what stands between white space; in Chinese a character is one.
    """
    return (
        Levenshtein.distance(machine, edited),
        Levenshtein.distance(word_list(machine), word_list(edited)),
    )


def word_list(text: str) -> list[str]:
    """The words of a text; each CJK character is one."""
    return regex.findall(
        r"[\p{Han}\p{Hiragana}\p{Katakana}]|[^\s\p{Han}\p{Hiragana}\p{Katakana}]+", text
    )


def almost_same(text: str, others: Iterable[str], cutoff: float) -> bool:
    """Whether one of the others is as similar as ``cutoff`` of 100 (`rapidfuzz.fuzz.ratio`).

    Examples
    --------
    >>> almost_same("Two sheep on a hill.", ["Two sheeps on a hill."], 90)
    True
    >>> almost_same("Two sheep on a hill.", ["A tram in the rain."], 90)
    False
    """
    return any(fuzz.ratio(text, other, score_cutoff=cutoff) for other in others)


def likest(text: str, others: Sequence[str]) -> list[int]:
    """Where the others stand that may be near-duplicates: `WHOLE` at the most, the likest first.

    Comparing two texts whole costs the square of their length. Their sketches, the letters of a
    few kinds in their order, tell other texts apart at a sixtieth of that; a near-duplicate that
    differs in hardly any letters but those may be missed.
    """
    found = process.extract(
        _sketch(text),
        [_sketch(other) for other in others],
        scorer=Indel.normalized_similarity,
        score_cutoff=SKETCH,
        limit=WHOLE,
    )
    return [at for _sketch, _share, at in found]


def _sketch(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").translate(None, LEFT_OUT)
