"""Items with their people's answers as records: what exports and agreement read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from operator import itemgetter
from typing import Any

from django.db import connection, transaction
from django.db.models.expressions import RawSQL

from annotation.models import Annotation, Item, Project, Span, Withheld
from annotation.records import AnnotationRecord, ItemRecord, SpanRecord

CHUNK = 500
Mark = tuple[int, int, int, int, int | None]  # annotation, start, end, label, sublabel
ITEM_FIELDS = tuple(field.name for field in fields(ItemRecord))[:-2]
BRIEF_FIELDS = (
    "id",
    "item_id",
    "annotator_id",
    "place__ordinal",
    "place__state",
    "place__annotator_id",
    "state",
    "comment",
)
ANSWER_FIELDS = (
    *BRIEF_FIELDS,
    "no_hallucination",
    "version",
    "active_ms",
    "submitted_at",
    "reason",
    "draft",
)


def item_records(project: Project, *states: str, brief: bool = False) -> Iterator[ItemRecord]:
    """The project's items in the order of import, streamed; only those in ``states`` if given.

    ``brief`` leaves out all answers but submitted ones, and of them all but annotator, spans,
    state and comment, as well as the people who are not asked: a third of the work.
    Four queries for every `CHUNK` items, so that memory does not grow with the project. Run it in
    `one_reading` where the items have to be of one moment.
    """
    names = Names(project)
    items = Item.objects.filter(project=project)
    if states:
        items = items.filter(state__in=states)
    last = 0
    rows: list[tuple[Any, ...]]
    while rows := list(
        items.filter(pk__gt=last).order_by("pk").values_list("pk", *ITEM_FIELDS)[:CHUNK]
    ):
        last = rows[-1][0]
        ids = [row[0] for row in rows]
        answers = _answers(names, ids, brief=brief)
        withheld = {} if brief else withheld_of(ids)
        for row in rows:
            brought = tuple(answers.get(row[0], ()))
            yield ItemRecord(*(*row[1:], brought, withheld.get(row[0], ())))


def withheld_of(item_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Item id -> pseudonyms of those who are never offered it, in their order; one query."""
    found: dict[int, list[str]] = defaultdict(list)
    rows = Withheld.objects.filter(item_id__in=_among(item_ids)).order_by()
    for item, name in rows.values_list("item_id", "participant__pseudonym"):
        found[item].append(name)
    return {item: tuple(sorted(names)) for item, names in found.items()}


def answers_of(
    project: Project, item_ids: Sequence[int], blank: bool = False
) -> dict[int, list[AnnotationRecord]]:
    """Item id -> its people's answers: by ordinal of their places, then those without a place.

    A set-aside answer that never held anything is left out unless ``blank``. Four queries.
    """
    return _answers(Names(project), item_ids, blank=blank)


class Names:
    """What the rows of a project's answers name by id.

    Who joins, or what is added, during a long export on SQLite is read when it is met.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self.read()

    def read(self) -> None:
        people = self.project.participants.order_by().values_list("pk", "pseudonym")
        self.people = dict(people)
        self.labels = dict(self.project.labels.order_by().values_list("pk", "code"))

    def cover(self, people: Iterable[int], labels: Iterable[int]) -> None:
        if not self.people.keys() >= set(people) or not self.labels.keys() >= set(labels):
            self.read()


def _among(ids: Sequence[int]) -> Sequence[int] | RawSQL:
    """The ids as the right side of ``__in``.

    PostgreSQL gets one array, as text: a list of 1,500 parameters costs more than finding their
    rows, and one of numbers more than its text.
    """
    if connection.vendor != "postgresql":
        return ids
    return RawSQL("SELECT unnest(%s::bigint[])", [f"{{{','.join(map(str, ids))}}}"])


def _answers(
    names: Names, item_ids: Sequence[int], blank: bool = False, brief: bool = False
) -> dict[int, list[AnnotationRecord]]:
    wanted = Annotation.objects.filter(item_id__in=_among(item_ids), annotator__isnull=False)
    if brief:
        wanted = wanted.filter(state=Annotation.State.SUBMITTED)
    with _one_moment():
        rows = list(wanted.order_by().values_list(*(BRIEF_FIELDS if brief else ANSWER_FIELDS)))
        marks = _marks([row[0] for row in rows]) if rows else []
    used = {mark[3] for mark in marks} | {mark[4] for mark in marks if mark[4] is not None}
    names.cover({row[2] for row in rows}, used)
    spans = _spans(names.labels, marks)
    found: dict[int, list[tuple[tuple[bool, int, int], AnnotationRecord]]] = defaultdict(list)
    for row in rows:
        order, record = _answer(row, names.people, spans)
        empty = record.state == "set_aside" and not record.version and not record.reason
        if blank or not empty:
            found[row[1]].append((order, record))
    return {
        item: [record for _, record in sorted(pairs, key=itemgetter(0))]
        for item, pairs in found.items()
    }


@contextmanager
def _one_moment() -> Iterator[None]:
    """On SQLite the statements inside see one moment, and stop no writer.

    Else the spans could be those of a correction that was sent after its comment was read.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _answer(
    row: tuple[Any, ...], people: dict[int, str], spans: dict[int, list[SpanRecord]]
) -> tuple[tuple[bool, int, int], AnnotationRecord]:
    pk, _, person, ordinal, place_state, holder, state, comment, *rest = row
    holds = holder == person and state != "set_aside"
    if holds and place_state == "reported":
        state = "reported"
    if rest:
        clean, version, active, at, reason, draft = rest
        rest = [clean, version, active, at and at.isoformat(), reason, draft]
    record = AnnotationRecord(people[person], tuple(spans.get(pk, ())), state, comment, *rest)
    return (not holds, ordinal if holds else 0, pk), record


def _marks(annotation_ids: list[int]) -> list[Mark]:
    return list(
        Span.objects.filter(annotation_id__in=_among(annotation_ids))
        .order_by("annotation_id", "ordinal")
        .values_list("annotation_id", "start", "end", "label_id", "sublabel_id")
    )


def _spans(codes: dict[int, str], marks: list[Mark]) -> dict[int, list[SpanRecord]]:
    found: dict[int, list[SpanRecord]] = defaultdict(list)
    for owner, start, end, label, sublabel in marks:
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
