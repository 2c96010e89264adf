"""Reported and set-aside answers, one JSON object a line: what the aggregated files leave out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotation.formats.base import Format, gettext_noop
from annotation.formats.output import json_line
from annotation.records import Answer, ItemRecord


def write(items: Iterable[ItemRecord], boundaries: str = "exact") -> Iterator[str]:
    for item in items:
        for a in item.annotations:
            if a.state in ("reported", "set_aside"):
                answer = Answer(a.spans, a.comment, a.no_hallucination)
                row = {
                    "item": item.key,
                    "pseudonym": a.annotator,
                    "state": a.state,
                    "reason": a.reason,
                    "answer": answer.as_json(),
                }
                yield json_line(row)


FORMAT = Format(
    "aside",
    gettext_noop("Reported and set-aside answers with their reasons"),
    "jsonl",
    "application/x-ndjson; charset=utf-8",
    write,
)
