"""Answers as records."""

from __future__ import annotations

from annotation.models import Annotation
from annotation.records import Answer, SpanRecord


def answer_of(annotation: Annotation) -> Answer:
    """The stored answer of one annotation, in one query."""
    rows = annotation.spans.values_list("start", "end", "label__code", "sublabel__code")
    return Answer(
        tuple(SpanRecord(*row) for row in rows), annotation.comment, annotation.no_hallucination
    )
