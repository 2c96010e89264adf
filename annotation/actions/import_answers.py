"""Answers that come with a file: each gets its place, its spans and a first revision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils import timezone

from annotation.actions.history import revision
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
STATES = {"draft": "claimed", "submitted": "submitted", "reported": "reported"}
State = Assignment.State


@dataclass
class AnswerWriter:
    """Writes the answers of one import, a chunk of items at a time, in its transaction.

    ``labels`` are all the project's: an import may bring one that is archived.
    """

    project: Project
    by: User | None
    labels: dict[tuple[str, str], int]
    people: dict[str, Participant] = field(default_factory=dict)

    def learn_people(self, names: Iterable[str]) -> None:
        """Know the participants of these pseudonyms; those that are missing are made."""
        missing = sorted(set(names) - self.people.keys())
        if not missing:
            return
        known = Participant.objects.filter(project=self.project, pseudonym__in=missing)
        self.people |= {person.pseudonym: person for person in known}
        made = [
            Participant(project=self.project, pseudonym=name)
            for name in missing
            if name not in self.people
        ]
        Participant.objects.bulk_create(made, batch_size=BATCH)
        self.people |= {person.pseudonym: person for person in made}

    def add(self, work: Sequence[tuple[Item, Sequence[AnnotationRecord], list[Assignment]]]) -> None:
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
        Assignment.objects.bulk_create(made, batch_size=BATCH)
        Assignment.objects.bulk_update(
            filled, ["annotator", "state", "leased_until", "begun"], batch_size=200
        )
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
        place.annotator = self.people[answer.annotator]
        place.state = STATES[answer.state]
        # Nobody works on it here: its lease has run out, so it counts as open.
        if place.state == State.CLAIMED:
            place.leased_until = now - timedelta(seconds=1)
        return place

    def _write(
        self, pairs: Sequence[tuple[Item, AnnotationRecord, Assignment | None]], now: datetime
    ) -> None:
        rows = [self._annotation(item, answer, place, now) for item, answer, place in pairs]
        Annotation.objects.bulk_create(rows, batch_size=BATCH)
        Span.objects.bulk_create(
            (
                Span(
                    annotation=row,
                    ordinal=ordinal,
                    start=span.start,
                    end=span.end,
                    label_id=self.labels[Label.Facet.LABEL, span.label],
                    sublabel_id=self.labels.get((Label.Facet.SUBLABEL, span.sublabel or "")),
                )
                for row, (_, answer, _) in zip(rows, pairs, strict=True)
                for ordinal, span in enumerate(answer.spans)
            ),
            batch_size=BATCH,
        )
        Revision.objects.bulk_create(
            (
                revision(
                    row,
                    Revision.Kind.IMPORT,
                    self.by,
                    now,
                    Answer(answer.spans, answer.comment, answer.no_hallucination),
                )
                for row, (_, answer, _) in zip(rows, pairs, strict=True)
            ),
            batch_size=BATCH,
        )

    def _annotation(
        self, item: Item, answer: AnnotationRecord, place: Assignment | None, now: datetime
    ) -> Annotation:
        state = "draft" if answer.state == "reported" else answer.state
        at = datetime.fromisoformat(answer.submitted_at) if answer.submitted_at else None
        if state == Annotation.State.SUBMITTED:
            at = at or now
        return Annotation(
            item=item,
            annotator=self.people[answer.annotator],
            place=place,
            state=state,
            comment=answer.comment,
            no_hallucination=answer.no_hallucination,
            version=answer.version,
            active_ms=answer.active_ms,
            submitted_at=at,
            saved_at=at or now,
            draft=answer.draft,
            reason=answer.reason,
        )


def _mark_begun(places: Iterable[Assignment]) -> None:
    places = list(places)
    begun = int(any(place.state != State.OPEN for place in places))
    for place in places:
        place.begun = begun


def new_place(item: Item, ordinal: int) -> Assignment:
    ready = item.state == Item.State.ACTIVE and (not item.image_name or bool(item.image_id))
    return Assignment(
        item=item,
        ordinal=ordinal,
        project_id=item.project_id,
        language=item.language,
        number=item.number,
        offered=int(ready),
    )


def label_ids(project: Project) -> dict[tuple[str, str], int]:
    """(facet, code) -> id of every label, archived ones too."""
    rows = project.labels.order_by().values_list("facet", "code", "pk")
    return {(facet, code): pk for facet, code, pk in rows}
