"""What is wrong with a text that is no JSON, in words and with its place; and with a table."""

from __future__ import annotations

import csv
import json
import re

# What the parser's message begins with -> what a person reads. A message that is not here is left
# out: the place says enough.
WORDS = (
    ("Expecting property name", "a name in double quotes is missing here"),
    ("Expecting ':'", "a colon is missing here"),
    ("Expecting ','", "a comma is missing here, or the value before is no JSON"),
    ("Expecting value", "a value is missing here, or it is no JSON"),
    ("Extra data", "there is more here after the value's end"),
    ("Unterminated string", "the text that begins here has no closing quote"),
    ("Invalid control character", r"a text holds a line end, tab or control: write it as \n, \t"),
    ("Invalid \\escape", r"a backslash before this character means nothing: write it as \\"),
    ("Invalid \\uXXXX", r"\u needs four hexadecimal digits"),
    ("Illegal trailing comma", "the comma before the closing bracket is too many"),
)
DIGITS = 4300
LONG = re.compile(rf'"(?:[^"\\]|\\.)*"|-?\d{{{DIGITS + 1},}}')


def why(error: Exception, text: str) -> tuple[str, int]:
    """The reason with its column, and the line it stands in (from 1), for an error of `json`."""
    if isinstance(error, json.JSONDecodeError):
        found = (words for start, words in WORDS if error.msg.startswith(start))
        reason = "".join(f": {words}" for words in found)
        return f"broken JSON at column {error.colno}{reason}", error.lineno
    if isinstance(error, RecursionError):
        return "too many brackets stand inside one another", 1
    for match in LONG.finditer(text):
        if not match[0].startswith('"'):
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - text.rfind("\n", 0, match.start())
            return f"a number with more than {DIGITS} digits at column {column}", line
    return "it cannot be read as JSON", 1


def other_separator(header: str) -> str:
    """Why a first line that parts its cells by something else is no header; empty where it may be.

    >>> other_separator("key;language")
    'its cells are separated by semicolons: save the table with commas between its cells'
    """
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if separator in header and "," not in header:
            return (
                f"its cells are separated by {name}: save the table with commas between its cells"
            )
    return ""


def why_table(error: csv.Error) -> str:
    """The reason for an error of `csv`."""
    said = str(error)
    if "unexpected end" in said:
        return "a quoted cell is not closed before the file ends"
    if "new-line character" in said:
        return "a cell with a carriage return needs quotes around it"
    if "field limit" in said:
        return "a cell is longer than can be read: perhaps a quote is not closed"
    if "expected after" in said:
        return "a closing quote is followed by other text: double the quotes inside a cell"
    return "the quoting is broken"
