"""Sheepfold's own format: an item with everybody's last answer as one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, BinaryIO

from annotation.formats import values
from annotation.formats.base import Fault, Format, Row, Rules, gettext_noop
from annotation.formats.lines import read_json
from annotation.formats.output import json_line
from annotation.records import (
    ANNOTATION_STATES,
    CONTEXT_FORMATS,
    ITEM_STATES,
    STRATEGIES,
    AnnotationRecord,
    ItemRecord,
    span_json,
)

KEYS = tuple(field.name for field in fields(ItemRecord))
# Room for what is still saved after an import, in the database's columns.
MOST = {"version": 10**9, "active_ms": 2**41}
ANNOTATION_KEYS = tuple(field.name for field in fields(AnnotationRecord))


def read(source: BinaryIO, name: str, rules: Rules) -> Iterator[Row]:
    return read_json(source, name, rules, record_of)


def record_of(row: dict[str, Any], rules: Rules) -> ItemRecord:
    values.known_keys(row, KEYS)
    values.required(row, ("key", "language", "response"))
    response = values.response_of(row)
    metadata = values.object_of(row, "metadata")
    expectation = None if row.get("expectation") is None else values.object_of(row, "expectation")
    values.clean(metadata, "metadata")
    values.clean(expectation, "expectation")
    annotations = values.list_of(row, "annotations")
    withheld = _withheld(values.list_of(row, "withheld"))
    if not rules.with_annotations:
        rules.leave_out(len(annotations))
    return ItemRecord(
        key=values.key_of(row, "key"),
        language=values.language_of(row, rules),
        response=response,
        question=values.optional(row, "question") or "",
        image_name=values.image_name_of(row),
        context_format=values.one_of(row, "context_format", CONTEXT_FORMATS),
        strategy=values.one_of(row, "strategy", STRATEGIES),
        expectation=expectation,
        metadata=metadata,
        state=values.one_of(row, "state", ITEM_STATES) or "active",
        annotations=_annotations(annotations, response, rules) if rules.with_annotations else (),
        withheld=withheld if rules.with_annotations else (),
        **{
            name: values.optional(row, name)
            for name in ("split", "context", "model", "source", "prelabel", "author")
        },
    )


def _withheld(names: list[Any]) -> tuple[str, ...]:
    found = [values.annotator_of(name, f"withheld[{i}]") for i, name in enumerate(names)]
    for i, name in enumerate(found):
        values.clean(name, f"withheld[{i}]")
        if name in found[:i]:
            raise Fault(f"withheld[{i}]", "this person stands in the list already")
    return tuple(sorted(found))


def _annotations(rows: list[Any], response: str, rules: Rules) -> tuple[AnnotationRecord, ...]:
    values.few_answers(rows, "annotations")
    found = [_annotation(row, f"annotations[{i}]", response, rules) for i, row in enumerate(rows)]
    names: set[str] = set()
    for i, annotation in enumerate(found):
        if annotation.annotator in names:
            raise Fault(f"annotations[{i}].annotator", "this annotator has an answer here already")
        names.add(annotation.annotator)
    return tuple(found)


def _annotation(row: Any, field: str, response: str, rules: Rules) -> AnnotationRecord:
    if not isinstance(row, dict):
        raise Fault(field, f"must be an object, not {values.kind_of(row)}")
    values.known_keys(row, ANNOTATION_KEYS, f"{field}.")
    try:
        state = values.one_of(row, "state", ANNOTATION_STATES) or "submitted"
        numbers = {name: _whole(row, name) for name in ("version", "active_ms") if name in row}
        annotation = AnnotationRecord(
            annotator=values.annotator_of(row.get("annotator"), "annotator"),
            spans=values.checked_spans(
                values.spans_of(values.list_of(row, "spans"), "spans"), response, rules, "spans"
            ),
            state=state,
            comment=values.optional(row, "comment") or "",
            no_hallucination=_flag(row, "no_hallucination"),
            submitted_at=_time(row, "submitted_at"),
            reason=values.reason_of(row),
            draft=_draft(row, response, rules),
            **numbers,
        )
    except Fault as fault:
        raise Fault(f"{field}.{fault.field}", fault.reason) from None
    if annotation.no_hallucination and annotation.spans:
        raise Fault(f"{field}.no_hallucination", "cannot stand beside spans")
    if state == "submitted" and not annotation.spans and not annotation.no_hallucination:
        raise Fault(f"{field}.spans", "a submitted answer has a span or no_hallucination: true")
    return annotation


def _draft(row: dict[str, Any], response: str, rules: Rules) -> dict[str, Any] | None:
    draft = values.object_of(row, "draft")
    if not draft:
        return None
    values.known_keys(draft, ("spans", "comment", "no_hallucination"), "draft.")
    spans = values.spans_of(draft.get("spans", []), "draft.spans")
    values.checked_spans(spans, response, rules, "draft.spans")
    return {
        "spans": [span_json(span) for span in spans],
        "comment": values.optional(draft, "comment") or "",
        "no_hallucination": _flag(draft, "no_hallucination"),
    }


def _whole(row: dict[str, Any], field: str) -> int:
    value, most = row[field], MOST[field]
    if type(value) is not int or not 0 <= value <= most:
        raise Fault(field, f"must be a whole number from 0 to {most}")
    return value


def _flag(row: dict[str, Any], field: str) -> bool:
    value = row.get(field, False)
    if type(value) is not bool:
        raise Fault(field, f"must be true or false, not {values.kind_of(value)}")
    return value


def _time(row: dict[str, Any], field: str) -> str | None:
    value = values.optional(row, field)
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise Fault(field, f"{value!r} needs its offset from UTC, such as +00:00")
        return moment.astimezone(UTC).isoformat()
    except Fault:
        raise
    except (ValueError, OverflowError):
        raise Fault(field, f"{value!r} is no ISO 8601 time") from None


def write(items: Iterable[ItemRecord], boundaries: str = "exact") -> Iterator[str]:
    for item in items:
        row = row_of(item)
        if not row["withheld"]:  # most items have nobody: their lines stay as they were
            del row["withheld"]
        yield json_line(row)


def row_of(item: ItemRecord) -> dict[str, Any]:
    row = {name: getattr(item, name) for name in KEYS}
    row["annotations"] = [annotation_json(annotation) for annotation in item.annotations]
    row["withheld"] = list(item.withheld)
    return row


def annotation_json(annotation: AnnotationRecord) -> dict[str, Any]:
    row = {name: getattr(annotation, name) for name in ANNOTATION_KEYS}
    row["spans"] = [span_json(span) for span in annotation.spans]
    return row if annotation.draft is not None else {k: v for k, v in row.items() if k != "draft"}


FORMAT = Format(
    "jsonl",
    gettext_noop("Sheepfold's own lines: every field of an item and everybody's last answer"),
    "jsonl",
    "application/x-ndjson; charset=utf-8",
    write,
    read,
)
