"""The ``sheep`` format: the datapoint of the SHEEP paper's Figure 1b, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from annotation.aggregate import aggregate
from annotation.formats import values
from annotation.formats.base import Fault, Format, Row, Rules, gettext_noop
from annotation.formats.lines import read_json
from annotation.formats.output import json_line
from annotation.records import STRATEGIES, AnnotationRecord, ItemRecord
from annotation.spans import format_raw, parse_raw

KEYS = (
    "id",
    "split",
    "language",
    "prompt",
    "image_name",
    "response",
    "comments",
    "raw_annots",
    "labels",
    "metadata",
)
# metadata's first four and the record's fields that hold them
METADATA = {
    "prelabel": "prelabel",
    "orig_dataset": "source",
    "model": "model",
    "strategy": "strategy",
}
NO_HALLUCINATION = "No hallucination"


def read(source: BinaryIO, name: str, rules: Rules) -> Iterator[Row]:
    return read_json(source, name, rules, record_of, "id")


def record_of(row: dict[str, Any], rules: Rules) -> ItemRecord:
    values.known_keys(row, KEYS)
    values.required(row, ("id", "language", "response"))
    response = values.response_of(row)
    raw, comments = values.object_of(row, "raw_annots"), values.object_of(row, "comments")
    annotations = _annotations(raw, comments, response, rules) if rules.with_annotations else ()
    if not rules.with_annotations:
        rules.leave_out(len(raw))
    return ItemRecord(
        key=values.key_of(row, "id"),
        language=values.language_of(row, rules),
        response=response,
        split=values.optional(row, "split"),
        question=values.optional(row, "prompt") or "",
        image_name=values.image_name_of(row),
        annotations=annotations,
        **_metadata(values.object_of(row, "metadata")),
    )


def _metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    """The record's fields from ``metadata``; what they cannot give back stays in metadata too."""
    values.clean(metadata, "metadata")
    fields: dict[str, Any] = {}
    rest = dict(metadata)
    for key, field in METADATA.items():
        if key not in metadata:
            continue
        value = metadata[key]
        if value is not None and not isinstance(value, str):
            reason = f"must be a text or null, not {values.kind_of(value)}"
            raise Fault(f"metadata.{key}", reason)
        if key == "strategy" and value is not None:
            fields[field] = value.lower() if value.lower() in STRATEGIES else "other"
        else:
            fields[field] = value
        if value is not None and fields[field] == value:
            del rest[key]
    return fields | {"metadata": rest}


def _annotations(
    raw: dict[str, Any], comments: dict[str, Any], response: str, rules: Rules
) -> tuple[AnnotationRecord, ...]:
    for name in comments:
        if name not in raw:
            raise Fault(f"comments.{name}", "this annotator has no entry in raw_annots")
    values.few_answers(raw, "raw_annots")
    found = []
    for name, text in raw.items():
        field = f"raw_annots.{name}"
        values.annotator_of(name, field)
        if not isinstance(text, str):
            raise Fault(field, f"must be a text such as '3:14|A', not {values.kind_of(text)}")
        try:
            spans = values.checked_spans(parse_raw(text), response, rules, f"{field}.spans")
        except Fault:
            raise
        except ValueError as error:
            raise Fault(field, str(error)) from None
        comment = comments.get(name)
        if comment is not None and not isinstance(comment, str):
            reason = f"must be a text or null, not {values.kind_of(comment)}"
            raise Fault(f"comments.{name}", reason)
        if not spans and comment == NO_HALLUCINATION:
            comment = None
        found.append(
            AnnotationRecord(name, spans, comment=comment or "", no_hallucination=not spans)
        )
    return tuple(found)


def write(items: Iterable[ItemRecord], boundaries: str) -> Iterator[str]:
    """One line for each item that is not retired, with its submitted annotations."""
    for item in items:
        if item.state != "retired":
            yield json_line(row_of(item, boundaries))


def row_of(item: ItemRecord, boundaries: str) -> dict[str, Any]:
    submitted = [a for a in item.annotations if a.state == "submitted"]
    runs = aggregate([a.spans for a in submitted], item.response, boundaries)
    return {
        "id": item.key,
        "split": item.split,
        "language": item.language,
        "prompt": item.question,
        "image_name": item.image_name,
        "response": item.response,
        "comments": {a.annotator: _comment(a) for a in submitted},
        "raw_annots": {a.annotator: format_raw(a.spans) for a in submitted},
        "labels": [
            {"start": run.start, "prob": run.prob, "label": run.label, "end": run.end}
            for run in runs
        ],
        "metadata": _metadata_row(item),
    }


def _comment(annotation: AnnotationRecord) -> str | None:
    if annotation.comment:
        return annotation.comment
    return None if annotation.spans else NO_HALLUCINATION


def _metadata_row(item: ItemRecord) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, field in METADATA.items():
        if key in item.metadata:
            row[key] = item.metadata[key]
        elif (value := getattr(item, field)) is not None:
            row[key] = value
    return row | {key: item.metadata[key] for key in sorted(item.metadata) if key not in METADATA}


FORMAT = Format(
    "sheep",
    gettext_noop("The SHEEP data set's lines: raw annotations, comments and aggregated labels"),
    "jsonl",
    "application/x-ndjson; charset=utf-8",
    write,
    read,
    brief=True,
)
