"""A JSON value as one line of a file, whatever a reader takes for the end of a line."""

from __future__ import annotations

import json
from typing import Any

# `str.splitlines`, and readers like it, break here too; JSON escapes the other such characters.
BREAKS = {ord(character): f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"}
ENCODER = json.JSONEncoder(ensure_ascii=False)


def json_line(value: Any) -> str:
    r"""The value with its line end; only what would break the line is escaped.

    >>> json_line({"é": "a\u2028b"})
    '{"é": "a\\u2028b"}\n'
    """
    text = ENCODER.encode(value)
    if "\u2028" in text or "\u2029" in text or "\x85" in text:
        text = text.translate(BREAKS)
    return text + "\n"
