"""Which format a file is in, from its name and its first object."""

from __future__ import annotations

import codecs
import json
from typing import BinaryIO

HEAD = 1 << 20


def guess_format(source: BinaryIO, name: str) -> str:
    """``csv`` by the name; else ``sheep`` where the first object has an ``id`` and no ``key``.

    Anything else is taken as ``jsonl``, whose reader says what is wrong. The file is rewound.
    """
    if name.lower().endswith(".csv"):
        return "csv"
    head = source.read(HEAD).removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    source.seek(0)
    text = head.lstrip().removeprefix("[").lstrip()
    try:
        first, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return "jsonl"
    if not isinstance(first, dict) or "key" in first:
        return "jsonl"
    return "sheep" if {"id", "prompt", "raw_annots"} & first.keys() else "jsonl"
