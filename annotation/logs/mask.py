"""Texts without what a log may not hold: credentials, cookies, secret parts of addresses."""

from __future__ import annotations

import re

from annotation.logs import context

HIDDEN = "***"
_RULES = (
    # a header that was written out, to the end of its line
    (re.compile(r"(?i)\b(authorization|(?:set-)?cookie)\b(['\"]?\s*[:=]\s*)[^\r\n]+"), r"\1\2***"),
    (re.compile(r"(?i)\b(token|bearer|basic)\s+[\w.~+/=-]{16,}"), r"\1 ***"),
    (
        re.compile(
            r"(?i)\b(sessionid|csrf\w*|\w*password\w*|\w*secret\w*|\w*token)"
            r"(['\"]?\s*[:=]\s*)(?:'[^']*'|\"[^\"]*\"|[^\s'\"&,;)}]+)"
        ),
        r"\1\2***",
    ),
    (re.compile(r"(://[^\s/@:]*:)[^\s/@]+@"), r"\1***@"),
    # the query of an address
    (re.compile(r"(/[^\s?\"']*)\?[^\s\"']+"), r"\1?***"),
    # a word at random, as links and tokens are made of
    (
        re.compile(
            r"(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[A-Za-z0-9_-]{20,}(?![\w-])"
        ),
        HIDDEN,
    ),
)


def masked(text: str) -> str:
    """The text with every secret in it replaced by three stars."""
    for secret in context.secrets():
        text = text.replace(secret, HIDDEN)
    for pattern, shown in _RULES:
        text = pattern.sub(shown, text)
    return text
