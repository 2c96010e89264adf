"""Answers as records."""

from __future__ import annotations

from annotation.models import Annotation
from annotation.records import Answer, SpanRecord


def answer_of(annotation: Annotation) -> Answer:
    """The stored answer of one annotation, in one query; in none where nothing was saved yet."""
    if annotation.version == 0:
        return Answer((), annotation.comment, annotation.no_hallucination)
    rows = annotation.spans.values_list("start", "end", "label__code", "sublabel__code")
    return Answer(
        tuple(SpanRecord(*row) for row in rows), annotation.comment, annotation.no_hallucination
    )
