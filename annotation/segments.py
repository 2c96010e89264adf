"""A response cut at the edges of its spans, for pages that show marks without a script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotation.records import SpanRecord


class Segment(NamedTuple):
    """A piece of the text, the labels that cover it, and the spans that begin here."""

    text: str
    labels: tuple[str, ...]
    begins: tuple[SpanRecord, ...]


def segments(text: str, spans: Sequence[SpanRecord]) -> list[Segment]:
    """The pieces in order; joined they are the text again. Spans may overlap."""
    edges = {0, len(text)}
    for span in spans:
        edges |= {span.start, span.end}
    cuts = sorted(edges)
    return [
        Segment(
            text[start:end],
            tuple(s.label for s in spans if s.start <= start and end <= s.end),
            tuple(s for s in spans if s.start == start),
        )
        for start, end in zip(cuts, cuts[1:], strict=False)
    ]
