"""Answers that come with a file: each gets its place, its spans and a first revision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

from django.utils import timezone

from annotation.actions.bulk import insert
from annotation.actions.fitting import new_place
from annotation.actions.import_plan import holds_place
from annotation.models import (
    Annotation,
    Assignment,
    Item,
    Label,
    Participant,
    Project,
    Revision,
    Span,
    User,
)
from annotation.records import AnnotationRecord, Answer

BATCH = 1000
PLACE_COLUMNS = (
    "item_id",
    "ordinal",
    "annotator_id",
    "state",
    "leased_until",
    "project_id",
    "language",
    "number",
    "begun",
    "offered",
)
ANSWER_COLUMNS = (
    "item_id",
    "annotator_id",
    "place_id",
    "state",
    "comment",
    "no_hallucination",
    "version",
    "active_ms",
    "submitted_at",
    "saved_at",
    "draft",
    "reason",
)
_place_values = attrgetter(*PLACE_COLUMNS)
_answer_values = attrgetter(*ANSWER_COLUMNS)
STATES = {"draft": "claimed", "submitted": "submitted", "reported": "reported"}
State = Assignment.State
Work = tuple[Item, Sequence[AnnotationRecord], list[Assignment]]


@dataclass
class AnswerWriter:
    """Writes the answers of one import, a chunk of items at a time, in its transaction.

    ``labels`` are all the project's: an import may bring one that is archived.
    """

    project: Project
    by: User | None
    labels: dict[tuple[str, str], int]
    people: dict[str, int] = field(default_factory=dict)

    def learn_people(self, names: Iterable[str]) -> None:
        """Know the participants of these pseudonyms; those that are missing are made."""
        missing = sorted(set(names) - self.people.keys())
        if not missing:
            return
        known = Participant.objects.filter(project=self.project, pseudonym__in=missing)
        self.people |= dict(known.values_list("pseudonym", "pk"))
        made = [
            Participant(project=self.project, pseudonym=name)
            for name in missing
            if name not in self.people
        ]
        Participant.objects.bulk_create(made, batch_size=BATCH)
        self.people |= {person.pseudonym: person.pk for person in made}

    def add(self, work: Sequence[Work]) -> None:
        """Put answers into their items; the list holds the item's places, none where it is new."""
        now = timezone.now()
        self.learn_people(answer.annotator for _, answers, _ in work for answer in answers)
        made: list[Assignment] = []
        filled: list[Assignment] = []
        pairs: list[tuple[Item, AnnotationRecord, Assignment | None]] = []
        for item, answers, places in work:
            new = self._missing_places(item, answers, places)
            made += new
            free = [place for place in (*places, *new) if place.state == State.OPEN]
            for answer in answers:
                place = self._fill(free.pop(0), answer, now) if holds_place(answer) else None
                pairs.append((item, answer, place))
            _mark_begun([*places, *new])
            filled += places
        insert(Assignment, PLACE_COLUMNS, (_place_values(place) for place in made))
        Assignment.objects.bulk_update(
            filled, ["annotator", "state", "leased_until", "begun"], batch_size=200
        )
        _learn_ids(made)
        self._write(pairs, now)

    def _missing_places(
        self, item: Item, answers: Sequence[AnnotationRecord], places: list[Assignment]
    ) -> list[Assignment]:
        """New places: the project's number for a new item, and one for each answer without any."""
        needed = sum(holds_place(answer) for answer in answers)
        free = sum(place.state == State.OPEN for place in places)
        count = max(needed - free, 0 if places else self.project.per_item)
        last = max((place.ordinal for place in places), default=0)
        return [new_place(item, last + i) for i in range(1, count + 1)]

    def _fill(self, place: Assignment, answer: AnnotationRecord, now: datetime) -> Assignment:
        place.annotator_id = self.people[answer.annotator]
        place.state = STATES[answer.state]
        # Nobody works on it here: its lease has run out, so it counts as open.
        if place.state == State.CLAIMED:
            place.leased_until = now - timedelta(seconds=1)
        return place

    def _write(
        self, pairs: Sequence[tuple[Item, AnnotationRecord, Assignment | None]], now: datetime
    ) -> None:
        rows = [self._annotation(item, answer, place, now) for item, answer, place in pairs]
        insert(Annotation, ANSWER_COLUMNS, (_answer_values(row) for row in rows))
        found = Annotation.objects.filter(item__in=list({row.item_id for row in rows}))
        ids: dict[tuple[int, int | None], int] = {
            (item, person): pk
            for pk, item, person in found.values_list("pk", "item_id", "annotator_id")
        }
        answers = [answer for _, answer, _ in pairs]
        for row in rows:
            row.pk = ids[row.item_id, row.annotator_id]
        insert(
            Span,
            ("annotation_id", "ordinal", "start", "end", "label_id", "sublabel_id"),
            (
                (
                    row.pk,
                    ordinal,
                    span.start,
                    span.end,
                    self.labels[Label.Facet.LABEL, span.label],
                    self.labels.get((Label.Facet.SUBLABEL, span.sublabel or "")),
                )
                for row, answer in zip(rows, answers, strict=True)
                for ordinal, span in enumerate(answer.spans)
            ),
        )
        insert(
            Revision,
            ("annotation_id", "kind", "who_id", "at", "version", "answer"),
            (
                (row.pk, "import", self.by and self.by.pk, now, row.version, _kept(row, answer))
                for row, answer in zip(rows, answers, strict=True)
            ),
        )

    def _annotation(
        self, item: Item, answer: AnnotationRecord, place: Assignment | None, now: datetime
    ) -> Annotation:
        state = "draft" if answer.state == "reported" else answer.state
        at = datetime.fromisoformat(answer.submitted_at) if answer.submitted_at else None
        if state == Annotation.State.SUBMITTED:
            at = at or now
        return Annotation(
            item_id=item.pk,
            annotator_id=self.people[answer.annotator],
            place_id=place.pk if place else None,
            state=state,
            comment=answer.comment,
            no_hallucination=answer.no_hallucination,
            # Version 0 is a claim that nobody has saved anything in.
            version=answer.version or int(_says_anything(answer)),
            active_ms=answer.active_ms,
            submitted_at=at,
            saved_at=at or now,
            draft=answer.draft,
            reason=answer.reason,
        )


def _learn_ids(places: Sequence[Assignment]) -> None:
    """Read back the ids of places just inserted."""
    found = Assignment.objects.filter(item__in=list({place.item_id for place in places}))
    ids = {(item, n): pk for pk, item, n in found.values_list("pk", "item_id", "ordinal")}
    for place in places:
        place.pk = ids[place.item_id, place.ordinal]


def _kept(row: Annotation, answer: AnnotationRecord) -> dict[str, Any]:
    """What the revision holds: the whole answer and the state."""
    content = Answer(answer.spans, answer.comment, answer.no_hallucination).as_json()
    return content | {"state": row.state} | ({"reason": row.reason} if row.reason else {})


def _mark_begun(places: Iterable[Assignment]) -> None:
    places = list(places)
    begun = int(any(place.state not in Assignment.UNFILLED for place in places))
    for place in places:
        place.begun = begun


def label_ids(project: Project) -> dict[tuple[str, str], int]:
    """(facet, code) -> id of every label, archived ones too."""
    rows = project.labels.order_by().values_list("facet", "code", "pk")
    return {(facet, code): pk for facet, code, pk in rows}


def _says_anything(answer: AnnotationRecord) -> bool:
    said = answer.spans or answer.comment or answer.no_hallucination
    return bool(said) or answer.state == Annotation.State.SUBMITTED
