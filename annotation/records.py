"""What formats, statistics and reads hand to each other: plain, frozen, without a database.

Offsets count Unicode code points of the response as imported, end exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

ANNOTATION_STATES = ("draft", "submitted", "reported", "set_aside")
ITEM_STATES = ("active", "held", "retired")
STRATEGIES = ("random", "map", "human", "other")
REASON_MAX = 2000  # characters that say why an item cannot be judged
CONTEXT_FORMATS = ("plain", "markdown", "json", "code")


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """One marked stretch ``[start, end)`` of a response and its label's code."""

    start: int
    end: int
    label: str
    sublabel: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says about a response, apart from its state; spans in marking order."""

    spans: tuple[SpanRecord, ...] = ()
    comment: str = ""
    no_hallucination: bool = False

    def as_json(self) -> dict[str, Any]:
        """``{"spans": [{"start", "end", "label"}], "comment", "no_hallucination"}``."""
        return {
            "spans": [span_json(span) for span in self.spans],
            "comment": self.comment,
            "no_hallucination": self.no_hallucination,
        }


def span_json(span: SpanRecord) -> dict[str, Any]:
    """The span as JSON; ``sublabel`` stands only where there is one."""
    value: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    if span.sublabel is not None:
        value["sublabel"] = span.sublabel
    return value


def answer_from_json(value: dict[str, Any]) -> Answer:
    """The inverse of `Answer.as_json`; extra keys are passed over."""
    spans = (
        SpanRecord(span["start"], span["end"], span["label"], span.get("sublabel"))
        for span in value["spans"]
    )
    return Answer(tuple(spans), value["comment"], value["no_hallucination"])


@dataclass(frozen=True, slots=True)
class AnnotationRecord:
    """One annotator's whole answer on one item; spans stand in marking order.

    ``state`` is one of `ANNOTATION_STATES`: ``draft`` and ``submitted`` hold a place, ``reported``
    holds one that its annotator found unusable (``reason`` says why), ``set_aside`` holds none.
    ``submitted_at`` is ISO 8601 with an offset. ``draft`` is a correction that is not sent yet:
    ``{"spans": [{"start", "end", "label"}], "comment": str, "no_hallucination": bool}``.
    """

    annotator: str
    spans: tuple[SpanRecord, ...] = ()
    state: str = "submitted"
    comment: str = ""
    no_hallucination: bool = False
    version: int = 1
    active_ms: int = 0
    submitted_at: str | None = None
    reason: str = ""
    draft: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One item as a file holds it, with the annotations it brings, in the order of their places.

    ``withheld`` are pseudonyms of people who are not asked about it, in their order.
    """

    key: str
    language: str
    response: str
    split: str | None = None
    question: str = ""
    image_name: str | None = None
    context: str | None = None
    context_format: str | None = None
    strategy: str | None = None
    model: str | None = None
    source: str | None = None
    prelabel: str | None = None
    author: str | None = None
    expectation: dict[str, Any] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    state: str = "active"
    annotations: tuple[AnnotationRecord, ...] = ()
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a row was refused; prints as ``FILE:LINE: FIELD: reason``."""

    file: str
    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field}: {self.reason}"
