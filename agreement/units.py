"""Records and files as `Units`, without a database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from pathlib import Path
from typing import Any

from agreement.expectation import expectation_fields
from agreement.stats.units import Units, UnknownField, units_from_columns
from annotation.formats import jsonl, sheep, values
from annotation.formats.base import Fault, Rules
from annotation.formats.guess import guess_format
from annotation.formats.lines import read_json
from annotation.records import ANNOTATION_STATES, AnnotationRecord, ItemRecord, Refusal
from annotation.spans import parse_raw

__all__ = [
    "FIELDS",
    "FILE_FORMATS",
    "Units",
    "UnknownField",
    "UnreadableFile",
    "units_from_columns",
    "units_from_file",
    "units_from_records",
]

# what an item can be grouped by; any other name is looked up in its metadata
FIELDS = ("language", "split", "strategy", "model", "source", "prelabel", "image_name")
FILE_FORMATS = ("sheep", "jsonl")
ANNOTATION_KEYS = tuple(f.name for f in dataclass_fields(AnnotationRecord))


class UnreadableFile(ValueError):
    """A file has rows that cannot be read; ``refusals`` says for each where and why."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("\n".join(map(str, refusals)))
        self.refusals = tuple(refusals)


def units_from_records(records: Iterable[ItemRecord]) -> Units:
    """Units of the submitted answers; retired items are left out, as an export does.

    Labels and annotators are numbered as they first occur.
    """
    kept = [record for record in records if record.state != "retired"]
    answers = [
        (item, answer)
        for item, record in enumerate(kept)
        for answer in record.annotations
        if answer.state == "submitted"
    ]
    spans = [(i, span) for i, (_, answer) in enumerate(answers) for span in answer.spans]
    people: dict[str, int] = {}
    labels: dict[str, int] = {}
    return units_from_columns(
        keys=[record.key for record in kept],
        lengths=[len(record.response) for record in kept],
        item_of=[item for item, _ in answers],
        annotator_of=[people.setdefault(a.annotator, len(people)) for _, a in answers],
        annotation_of=[i for i, _ in spans],
        starts=[_bounded(span.start) for _, span in spans],
        ends=[_bounded(span.end) for _, span in spans],
        codes=[labels.setdefault(span.label, len(labels)) for _, span in spans],
        annotators=list(people),
        labels=list(labels),
        fields={name: [getattr(record, name) for record in kept] for name in FIELDS}
        | expectation_fields(
            [record.expectation for record in kept],
            [record.prelabel for record in kept],
            [record.author for record in kept],
        ),
        metadata=[record.metadata for record in kept],
    )


def _bounded(offset: int) -> int:
    """An offset that an array holds; both sides of any text are far inside."""
    return max(-1, min(offset, 2**62))


def units_from_file(path: Path | str, format: str | None = None) -> Units:
    """Units of a ``sheep`` or ``jsonl`` file, without a database.

    Unlike an import it takes any label, spans that overlap and spans past the end (cut, and dropped
    where nothing is left), since published data has them.

    Parameters
    ----------
    path : path
    format : {"sheep", "jsonl"}, optional
        Found from the file's first object where it is not given.

    Raises
    ------
    UnreadableFile
        If any row cannot be read; it names every one.
    ValueError
        If the format holds no annotations.
    """
    path = Path(path)
    with path.open("rb") as source:
        name = format or guess_format(source, path.name)
        if name not in FILE_FORMATS:
            known = " and ".join(FILE_FORMATS)
            raise ValueError(f"{path.name} is read as {name!r}: agreement reads {known}.")
        reader, key = (_sheep, "id") if name == "sheep" else (_jsonl, "key")
        rows = list(read_json(source, path.name, Rules(), reader, key))
    if refusals := [row for row in rows if isinstance(row, Refusal)]:
        raise UnreadableFile(refusals)
    return units_from_records(row[1] for row in rows if not isinstance(row, Refusal))


def _sheep(row: dict[str, Any], rules: Rules) -> ItemRecord:
    """An item with its raw annotations as they stand; the reader of imports checks the rest."""
    found = []
    for name, text in values.object_of(row, "raw_annots").items():
        where = f"raw_annots.{name}"
        values.annotator_of(name, where)
        if not isinstance(text, str):
            raise Fault(where, f"must be a text such as '3:14|A', not {values.kind_of(text)}")
        try:
            found.append(AnnotationRecord(name, parse_raw(text)))
        except ValueError as error:
            raise Fault(where, str(error)) from None
    return replace(sheep.record_of(row, rules), annotations=tuple(found))


def _jsonl(row: dict[str, Any], rules: Rules) -> ItemRecord:
    found: dict[str, AnnotationRecord] = {}
    for i, answer in enumerate(values.list_of(row, "annotations")):
        where = f"annotations[{i}]"
        if not isinstance(answer, dict):
            raise Fault(where, f"must be an object, not {values.kind_of(answer)}")
        values.known_keys(answer, ANNOTATION_KEYS, f"{where}.")
        name = values.annotator_of(answer.get("annotator"), f"{where}.annotator")
        if name in found:
            raise Fault(f"{where}.annotator", "this annotator has an answer here already")
        if not isinstance(answer.get("spans"), list):
            raise Fault(f"{where}.spans", "must be a list; an empty one says “no hallucination”")
        spans = values.spans_of(answer["spans"], f"{where}.spans")
        clean = answer.get("no_hallucination")
        state = values.one_of(answer, "state", ANNOTATION_STATES) or "submitted"
        if clean is True and spans:
            raise Fault(f"{where}.no_hallucination", "is true, and there are spans")
        if clean is False and not spans and state == "submitted":
            raise Fault(f"{where}.no_hallucination", "is false, and there are no spans")
        found[name] = AnnotationRecord(name, spans, state=state)
    return replace(jsonl.record_of(row, rules), annotations=tuple(found.values()))
