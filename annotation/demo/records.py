"""The demo's items and answers as lines of the ``jsonl`` format."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
HOURS_BETWEEN = 3


def read_items() -> list[dict[str, Any]]:
    lines = (FOLDER / "items.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def read_answers() -> list[dict[str, Any]]:
    """``{"item", "who", "marks": [[words, label, wider words?]], "seconds", "comment", ...}``."""
    answers: list[dict[str, Any]] = json.loads(
        (FOLDER / "answers.json").read_text(encoding="utf-8")
    )
    return answers


def span_of(response: str, words: str, label: str, within: str = "") -> dict[str, Any]:
    """The span of ``words``, found inside ``within`` where they alone stand more than once.

    Raises `ValueError` unless the place is the only one.
    """
    wide = within or words
    if response.count(wide) != 1 or wide.count(words) != 1:
        raise ValueError(f"{words!r} does not stand exactly once in {response!r}")
    start = response.index(wide) + wide.index(words)
    return {"start": start, "end": start + len(words), "label": label}


def demo_file(pseudonyms: Mapping[str, str], now: datetime) -> bytes:
    """The file to import: account name -> pseudonym; the newest answer came shortly before now."""
    answers = read_answers()
    items = read_items()
    responses = {item["key"]: item["response"] for item in items}
    of_item: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for age, answer in enumerate(reversed(answers)):
        at = now - timedelta(hours=HOURS_BETWEEN * age, minutes=20)
        line = _annotation(answer, responses[answer["item"]], pseudonyms[answer["who"]], at)
        of_item[answer["item"]].insert(0, line)
    lines = [json.dumps(item | {"annotations": of_item[item["key"]]}) for item in items]
    return "\n".join(lines).encode()


def _annotation(
    answer: dict[str, Any], response: str, pseudonym: str, at: datetime
) -> dict[str, Any]:
    state = answer.get("state", "submitted")
    submitted = state == "submitted"
    return {
        "annotator": pseudonym,
        "spans": [span_of(response, *mark) for mark in answer["marks"]],
        "state": state,
        "comment": answer["comment"],
        "no_hallucination": submitted and not answer["marks"],
        "version": 1,
        "active_ms": answer["seconds"] * 1000,
        "submitted_at": at.isoformat() if submitted else None,
        "reason": answer.get("reason", ""),
    }
