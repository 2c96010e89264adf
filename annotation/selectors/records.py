"""Items with their people's answers as records: what exports and agreement read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from annotation.models import Annotation, Item, Label, Project, Span
from annotation.records import AnnotationRecord, ItemRecord, SpanRecord

CHUNK = 500
ITEM_FIELDS = tuple(field.name for field in fields(ItemRecord))[:-1]
ANSWER_FIELDS = (
    "id",
    "item_id",
    "annotator_id",
    "annotator__pseudonym",
    "state",
    "comment",
    "no_hallucination",
    "version",
    "active_ms",
    "submitted_at",
    "reason",
    "draft",
    "place__ordinal",
    "place__state",
    "place__annotator_id",
)


def item_records(project: Project, *states: str) -> Iterator[ItemRecord]:
    """The project's items in the order of import, streamed; only those in ``states`` if given.

    Four queries for every `CHUNK` items, so that memory does not grow with the project. Run it in
    `one_reading` where the items have to be of one moment.
    """
    items = Item.objects.filter(project=project)
    if states:
        items = items.filter(state__in=states)
    last = 0
    rows: list[tuple[Any, ...]]
    while rows := list(
        items.filter(pk__gt=last).order_by("pk").values_list("pk", *ITEM_FIELDS)[:CHUNK]
    ):
        last = rows[-1][0]
        answers = answers_of(project, [row[0] for row in rows])
        for row in rows:
            yield ItemRecord(*(*row[1:], tuple(answers.get(row[0], ()))))


def answers_of(
    project: Project, item_ids: Sequence[int], blank: bool = False
) -> dict[int, list[AnnotationRecord]]:
    """Item id -> its people's answers: by ordinal of their places, then those without a place.

    A set-aside answer that never held anything is left out unless ``blank``. Three queries.
    """
    rows = list(
        Annotation.objects.filter(item_id__in=item_ids, annotator__isnull=False)
        .order_by()
        .values_list(*ANSWER_FIELDS)
    )
    spans = _spans(project, [row[0] for row in rows]) if rows else {}
    found: dict[int, list[tuple[tuple[bool, int, int], AnnotationRecord]]] = defaultdict(list)
    for row in rows:
        order, record = _answer(row, spans)
        empty = record.state == "set_aside" and not record.version and not record.reason
        if blank or not empty:
            found[row[1]].append((order, record))
    return {
        item: [record for _, record in sorted(pairs, key=lambda pair: pair[0])]
        for item, pairs in found.items()
    }


def _answer(
    row: tuple[Any, ...], spans: dict[int, list[SpanRecord]]
) -> tuple[tuple[bool, int, int], AnnotationRecord]:
    pk, _, person, name, state, comment, clean, version, active, at, reason, draft = row[:12]
    ordinal, place_state, holder = row[12:]
    holds = holder == person and state != Annotation.State.SET_ASIDE
    if holds and place_state == "reported":
        state = "reported"
    record = AnnotationRecord(
        annotator=name,
        spans=tuple(spans.get(pk, ())),
        state=state,
        comment=comment,
        no_hallucination=clean,
        version=version,
        active_ms=active,
        submitted_at=at and at.isoformat(),
        reason=reason,
        draft=draft,
    )
    return (not holds, ordinal if holds else 0, pk), record


def _spans(project: Project, annotation_ids: list[int]) -> dict[int, list[SpanRecord]]:
    codes = dict(Label.objects.filter(project=project).order_by().values_list("pk", "code"))
    found: dict[int, list[SpanRecord]] = defaultdict(list)
    rows: QuerySet[Span, tuple[int, int, int, int, int | None]] = (
        Span.objects.filter(annotation_id__in=annotation_ids)
        .order_by("annotation_id", "ordinal")
        .values_list("annotation_id", "start", "end", "label_id", "sublabel_id")
    )
    for owner, start, end, label, sublabel in rows:
        found[owner].append(
            SpanRecord(start, end, codes[label], None if sublabel is None else codes[sublabel])
        )
    return found


@contextmanager
def one_reading() -> Iterator[None]:
    """Reads inside see one moment of the database on PostgreSQL.

    On SQLite nothing is opened: every transaction there is immediate and would stop the writers.
    """
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
