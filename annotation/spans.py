"""Checking spans, and their text form ``"3:14;31:46|A;A"``."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from annotation.errors import Problem
from annotation.records import SpanRecord

PAIR = re.compile(r"[0-9]{1,18}:[0-9]{1,18}")


def check_spans(
    spans: Sequence[SpanRecord],
    length: int,
    labels: Collection[str] | None,
    overlap_allowed: bool,
    sublabels: Collection[str] | None = None,
) -> list[Problem]:
    """Every fault of the spans over a response of ``length`` code points.

    ``labels`` and ``sublabels`` are the codes that may stand; None takes any. Touching is not
    overlapping. ``where`` of a problem is ``spans[i].start`` and the like, ``i`` from 0; messages
    count spans from 1, as a person does.
    """
    found: list[Problem] = []
    for i, span in enumerate(spans):
        if not 0 <= span.start < length:
            message = f"{span.start} is outside the text of {length} characters."
            found.append(Problem(f"spans[{i}].start", message))
        elif span.end <= span.start:
            message = f"{span.end} is not after the start {span.start}: the span is empty."
            found.append(Problem(f"spans[{i}].end", message))
        elif span.end > length:
            message = f"{span.end} is past the end of the text of {length} characters."
            found.append(Problem(f"spans[{i}].end", message))
        if labels is not None and span.label not in labels:
            found.append(Problem(f"spans[{i}].label", _unknown("label", span.label, labels)))
        if span.sublabel is not None and sublabels is not None and span.sublabel not in sublabels:
            message = _unknown("sublabel", span.sublabel, sublabels)
            found.append(Problem(f"spans[{i}].sublabel", message))
    return found if overlap_allowed else found + overlaps(spans)


def _unknown(kind: str, code: str, codes: Collection[str]) -> str:
    listed = ", ".join(sorted(codes)) or "none"
    return f"Unknown {kind} {code!r}: this project has {listed}."


def overlaps(spans: Sequence[SpanRecord]) -> list[Problem]:
    """A problem for each span that shares a character with one before it in the text."""
    found: list[Problem] = []
    order = sorted(range(len(spans)), key=lambda i: (spans[i].start, spans[i].end))
    last = None
    for i in order:
        if last is not None and spans[i].start < spans[last].end:
            message = f"This overlaps span {last + 1}: move its edge or choose another place."
            found.append(Problem(f"spans[{i}]", message))
        if last is None or spans[i].end > spans[last].end:
            last = i
    return found


def parse_raw(text: str) -> tuple[SpanRecord, ...]:
    """The spans of a raw annotation: the nth offset pair has the nth label; ``"|"`` has none.

    Raises `ValueError` with what is wrong.
    """
    offsets, bar, labels = text.partition("|")
    if not bar:
        raise ValueError(f"{text!r} has no '|' between offsets and labels")
    pairs = offsets.split(";") if offsets else []
    codes = labels.split(";") if labels else []
    if len(pairs) != len(codes):
        raise ValueError(f"{len(pairs)} offset pairs but {len(codes)} labels in {text!r}")
    for pair in pairs:
        if not PAIR.fullmatch(pair):
            raise ValueError(f"{pair!r} is not START:END in whole numbers")
    edges = [int(edge) for pair in pairs for edge in pair.split(":")]
    return tuple(map(SpanRecord, edges[::2], edges[1::2], codes))


def format_raw(spans: Sequence[SpanRecord]) -> str:
    """The inverse of `parse_raw`."""
    offsets = ";".join(f"{span.start}:{span.end}" for span in spans)
    return offsets + "|" + ";".join(span.label for span in spans)
