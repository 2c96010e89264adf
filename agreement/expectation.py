"""What an item is expected to hold, against what its annotators marked. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agreement.stats import Units
from agreement.stats.units import Booleans

# fields of `Units` that speak of the expected label and spans and are no groupings of a page
FIELDS = ("expected", "expectation", "author")


def expectation_fields(
    expectations: Sequence[Mapping[str, Any] | None],
    prelabels: Sequence[str | None],
    authors: Sequence[str | None],
) -> dict[str, list[Any]]:
    """The columns of `FIELDS`; the expected label is the writer's, else the prelabel."""
    expected = [
        (expectation or {}).get("label") or prelabel
        for expectation, prelabel in zip(expectations, prelabels, strict=True)
    ]
    return {"expected": expected, "expectation": list(expectations), "author": list(authors)}


def _marked(length: int, spans: Sequence[tuple[int, int]]) -> Booleans:
    found = np.zeros(length, dtype=bool)
    for start, end in spans:
        found[max(start, 0) : max(end, 0)] = True
    return found


def _intended(expectation: Any) -> list[tuple[int, int]]:
    """The spans of an expectation; anything else that an import brought is passed over."""
    spans = expectation.get("spans") if isinstance(expectation, Mapping) else None
    return [
        (span["start"], span["end"])
        for span in (spans if isinstance(spans, list) else [])
        if isinstance(span, Mapping)
        and all(type(span.get(edge)) is int for edge in ("start", "end"))
        and span["start"] < span["end"]
    ]


def intended_hits(units: Units) -> list[dict[str, Any]]:
    """Whether annotators found the intended error, for each author and intended label.

    Only items whose expectation has spans take part.

    Returns
    -------
    list of ``{"author", "label", "items", "annotations", "hit", "labelled", "iou"}``
        ``hit`` annotations share a character with the intended spans, ``labelled`` ones do so with
        a span of the intended label; ``iou`` is the mean, over annotations, of the characters that
        both hold over those that either holds.
    """
    starts_at = np.searchsorted(units.item_of, np.arange(len(units) + 1))
    codes = {label: code for code, label in enumerate(units.labels)}
    expectations, authors = units.field("expectation"), units.field("author")
    found: dict[tuple[str, str], list[float]] = {}
    for item, label in enumerate(units.field("expected")):
        spans = _intended(expectations[item])
        answers = range(starts_at[item], starts_at[item + 1])
        if not spans or not answers:
            continue
        intended = _marked(int(units.lengths[item]), spans)
        row = found.setdefault((authors[item] or "", str(label)), [0, 0, 0, 0, 0.0])
        row[0] += 1
        for answer in answers:
            part = slice(units.span_starts_at[answer], units.span_starts_at[answer + 1])
            marks = list(zip(units.starts[part], units.ends[part], units.codes[part], strict=True))
            given = _marked(len(intended), [(start, end) for start, end, _ in marks])
            right = [(s, e) for s, e, code in marks if code == codes.get(label)]
            row[1] += 1
            row[2] += bool((given & intended).any())
            row[3] += bool((_marked(len(intended), right) & intended).any())
            row[4] += (given & intended).sum() / max((given | intended).sum(), 1)
    return [
        {
            "author": author or None,
            "label": label,
            "items": int(row[0]),
            "annotations": int(row[1]),
            "hit": int(row[2]),
            "labelled": int(row[3]),
            "iou": float(row[4] / row[1]),
        }
        for (author, label), row in sorted(found.items())
    ]
