"""Keys of published samples: formed like those of the items that were imported."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Set

NUMBERED = re.compile(r"(.*?)([0-9]{1,18})", re.DOTALL)
LEAST = 1000  # numbers to choose from beyond the last, where the range has no gap


def numbered_key(imported: Collection[str], taken: Set[str], secret: str) -> str | None:
    """A free key of the pattern that all the imported keys share; None where they share none.

    A pattern is a prefix and a number, as in ``en-0001``, with leading noughts or without. The
    number is drawn by the secret from the gaps of the range, or from beyond it where there is none.

    >>> numbered_key(["en-01", "en-02", "en-04"], {"en-01", "en-02", "en-04"}, "wool")
    'en-03'
    """
    found = [NUMBERED.fullmatch(key) for key in imported]
    parts = [(match[1], match[2]) for match in found if match]
    if len(parts) < max(2, len(found)) or len({prefix for prefix, _ in parts}) > 1:
        return None
    prefix, widths = parts[0][0], {len(digits) for _, digits in parts}
    padded = any(digits[0] == "0" and len(digits) > 1 for _, digits in parts)
    if padded and len(widths) > 1:
        return None
    width = widths.pop() if padded else 0
    numbers = {int(digits) for _, digits in parts}
    low, high = min(numbers), max(numbers)
    beyond = high + max(LEAST, high - low + 1)
    if padded:
        beyond = min(beyond, 10**width - 1)
    for first, last in ((low + 1, high - 1), (high + 1, beyond)):
        key = _drawn(prefix, width, first, last, taken, secret)
        if key is not None:
            return key
    return None


def _drawn(
    prefix: str, width: int, first: int, last: int, taken: Set[str], secret: str
) -> str | None:
    """The first free key from a number on that the secret names, going around."""
    size = last - first + 1
    if size < 1:
        return None
    start = int.from_bytes(hashlib.sha256(secret.encode()).digest()[:8], "big") % size
    # of so many numbers in a row one is free, if any is
    for step in range(min(size, len(taken) + 1)):
        key = f"{prefix}{first + (start + step) % size:0{width}d}"
        if key not in taken:
            return key
    return None


def hashed_key(language: str, taken: Set[str], secret: str) -> str:
    """The language and twelve hexadecimal digits of the secret's hash."""
    turn = 0
    while True:
        text = secret if not turn else f"{secret}\0{turn}"
        key = f"{language}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        if key not in taken:
            return key
        turn += 1
