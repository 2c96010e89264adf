"""Samples with their lineage, one JSON object a line: the export format ``samples``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotation.formats.base import Format, gettext_noop
from annotation.formats.output import json_line
from annotation.models import Project
from writing.models import Sample

CHUNK = 500
Ancestors = dict[int, tuple[int | None, str]]


def sample_rows(project: Project) -> Iterator[dict[str, Any]]:
    """The samples that are not deleted, in the order in which they were begun; streamed."""
    samples = (
        Sample.objects.filter(project=project)
        .exclude(state=Sample.State.DELETED)
        .select_related("brief", "label", "writer", "item")
        .order_by("pk")
    )
    last = 0
    while found := list(samples.filter(pk__gt=last)[:CHUNK]):
        last = found[-1].pk
        ancestors = _ancestors(found)
        for sample in found:
            yield _row(sample, ancestors)


def _ancestors(samples: list[Sample]) -> Ancestors:
    """Sample id -> its parent's id and its language, for everything above these samples."""
    known: Ancestors = {}
    wanted = {sample.parent_id for sample in samples if sample.parent_id}
    while wanted:
        rows = Sample.objects.filter(pk__in=wanted).order_by()
        for pk, parent, language in rows.values_list("pk", "parent_id", "language"):
            known[pk] = parent, language
        wanted = {parent for parent, _ in known.values() if parent} - known.keys()
    return known


def _chain(sample: Sample, ancestors: Ancestors) -> list[str]:
    """The languages from the root on."""
    chain, parent = [sample.language], sample.parent_id
    while parent is not None:
        parent, language = ancestors[parent]
        chain.insert(0, language)
    return chain


def _key(pk: int | None) -> str | None:
    return None if pk is None else f"sample-{pk}"


def _row(sample: Sample, ancestors: Ancestors) -> dict[str, Any]:
    return {
        "key": sample.key,
        "brief": sample.brief.key,
        "language": sample.language,
        "state": sample.state,
        "version": sample.version,
        "origin": sample.origin,
        "label": sample.label.code if sample.label else None,
        "question": sample.question or ("" if sample.parent_id else sample.brief.question),
        "text": sample.text,
        "spans": sample.spans,
        "correct": sample.correct,
        "edits": sample.edits,
        "writer": sample.writer.pseudonym if sample.writer else None,
        "declared": sample.declared,
        "typed": sample.typed,
        "pasted": sample.pasted,
        "active_ms": sample.active_ms,
        "submitted_at": sample.submitted_at.isoformat() if sample.submitted_at else None,
        "parent": _key(sample.parent_id),
        "root": _key(sample.root_id or sample.pk),
        "chain": _chain(sample, ancestors),
        "replaces": _key(sample.replaces_id),
        "stale": sample.stale,
        "machine": sample.machine,
        "char_distance": sample.char_distance,
        "word_distance": sample.word_distance,
        "untranslatable": sample.untranslatable,
        "item": sample.item.key if sample.item else None,
    }


def write(rows: Iterable[dict[str, Any]], boundaries: str = "exact") -> Iterator[str]:
    for row in rows:
        yield json_line(row)


FORMAT = Format(
    "samples",
    gettext_noop("Written samples and translations with their intended errors and lineage"),
    "jsonl",
    "application/x-ndjson; charset=utf-8",
    write,
    rows=sample_rows,
)
