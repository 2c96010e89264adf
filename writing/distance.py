"""How far a post-edited translation is from the machine's. Pure."""

from __future__ import annotations

import regex
from rapidfuzz.distance import Levenshtein


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
