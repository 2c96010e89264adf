"""Whether a text shows anything: white space and invisible characters alone say nothing."""

from __future__ import annotations

import unicodedata

# Control, format, separators, and what has no meaning of its own.
UNSEEN = {"Cc", "Cf", "Cn", "Cs", "Zl", "Zp", "Zs"}
# Letters and marks of other categories that draw nothing: fillers, joiners, blanks, selectors.
BLANKS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))


def _unseen(character: str) -> bool:
    code = ord(character)
    return (
        character.isspace()
        or unicodedata.category(character) in UNSEEN
        or code in BLANKS
        or any(code in selectors for selectors in SELECTORS)
    )


def is_blank(text: str) -> bool:
    """Whether nobody would see anything of the text.

    >>> is_blank(" \\u200b\\ufeff"), is_blank("\\u200ba")
    (True, False)
    """
    return all(map(_unseen, text))
