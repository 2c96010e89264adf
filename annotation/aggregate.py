"""From the annotations of one item to its probabilistic labels.

``prob`` of a label on a character is the share of the item's annotations in which that character
has that label. Source of the ``sheep`` boundaries: the clean-up that the SHEEP and Mu-SHROOM
releases show (Mickus et al., 2026, Figure 1b).
"""

from __future__ import annotations

import string
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from annotation.records import SpanRecord

BOUNDARIES = ("exact", "sheep")


class LabelRun(NamedTuple):
    """A maximal run of characters with one probability of one label."""

    start: int
    prob: float
    label: str
    end: int


def aggregate(
    annotations: Sequence[Sequence[SpanRecord]], response: str, boundaries: str = "exact"
) -> list[LabelRun]:
    """The runs of all labels, sorted by start, end and label; ``prob`` has four decimals.

    ``annotations`` holds one list of spans per annotator, empty for an answer without a span.
    With ``boundaries="sheep"`` each list is cleaned by `tidy` first. Raises `ValueError` for
    other boundaries.
    """
    if boundaries not in BOUNDARIES:
        raise ValueError(f"boundaries are exact or sheep, not {boundaries!r}")
    if boundaries == "sheep":
        annotations = [tidy(spans, response) for spans in annotations]
    by_label: dict[str, list[list[tuple[int, int]]]] = defaultdict(list)
    for spans in annotations:
        own: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for span in spans:
            own[span.label].append((span.start, span.end))
        for label, intervals in own.items():
            by_label[label].append(merge(intervals) if len(intervals) > 1 else intervals)
    total = len(annotations)
    runs = [
        LabelRun(start, round(count / total, 4), label, end)
        for label, intervals in by_label.items()
        for start, end, count in _counts(intervals)
    ]
    return sorted(runs, key=lambda run: (run.start, run.end, run.label))


def hard_labels(annotations: Sequence[Sequence[SpanRecord]]) -> list[tuple[int, int]]:
    """The maximal runs that more than half of the annotations mark, whatever the label."""
    marked = [merge((span.start, span.end) for span in spans) for spans in annotations]
    half = len(annotations) / 2
    return merge((start, end) for start, end, count in _counts(marked) if count > half)


def merge(intervals: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The intervals' union as disjoint intervals that do not touch, in order."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _counts(annotations: Iterable[Sequence[tuple[int, int]]]) -> list[tuple[int, int, int]]:
    """``(start, end, count)`` of the maximal runs that ``count`` > 0 annotations cover."""
    changes: dict[int, int] = defaultdict(int)
    for intervals in annotations:
        for start, end in intervals:
            changes[start] += 1
            changes[end] -= 1
    runs: list[tuple[int, int, int]] = []
    count, since = 0, 0
    for place in sorted(changes):
        if changes[place] == 0:
            continue
        if count:
            runs.append((since, place, count))
        count += changes[place]
        since = place
    return runs


@lru_cache(maxsize=1 << 16)
def is_edge(character: str) -> bool:
    """White space or punctuation: what the ``sheep`` clean-up takes off a span's edges."""
    return (
        character.isspace()
        or character in string.punctuation
        or unicodedata.category(character).startswith("P")
    )


def tidy(spans: Sequence[SpanRecord], response: str) -> list[SpanRecord]:
    """One annotator's spans after the ``sheep`` clean-up, in stored order.

    A start moves right over punctuation and white space, an end over what follows of them; a span
    that then starts where the one before it (same label) ended is joined to it; at last trailing
    punctuation and white space are dropped.
    """
    joined: list[SpanRecord] = []
    for span in spans:
        start, end = span.start, span.end
        while start < end and is_edge(response[start]):
            start += 1
        if start >= end:
            continue
        while end < len(response) and is_edge(response[end]):
            end += 1
        if joined and joined[-1].end == start and joined[-1].label == span.label:
            joined[-1] = SpanRecord(joined[-1].start, end, span.label)
        else:
            joined.append(SpanRecord(start, end, span.label))
    return [SpanRecord(s.start, _end_of_words(s, response), s.label) for s in joined]


def _end_of_words(span: SpanRecord, response: str) -> int:
    end = span.end
    while end > span.start and is_edge(response[end - 1]):
        end -= 1
    return end
