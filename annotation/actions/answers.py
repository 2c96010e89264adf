"""Saving an annotation: drafts, submissions, corrections, and what comes too late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.history import revision
from annotation.errors import Problem, Refused
from annotation.models import Annotation, Assignment, Label, Project, Revision, Span, User
from annotation.records import Answer, SpanRecord, answer_from_json
from annotation.selectors.asked import labels_of
from annotation.spans import check_spans
from annotation.visible import is_blank


class Outcome(Enum):
    SAVED = 200
    CONFLICT = 409
    TOO_LATE = 410


@dataclass(frozen=True)
class Saved:
    """What became of a save: the annotation as it stands now, with its stored answer."""

    outcome: Outcome
    annotation: Annotation
    answer: Answer


@dataclass(frozen=True)
class LabelTable:
    """A project's labels: ids by code for people, and codes by id."""

    ids: dict[tuple[str, str], int]
    codes: dict[int, str]
    comment_required: frozenset[str]

    def offered(self, facet: str) -> set[str]:
        return {code for kind, code in self.ids if kind == facet}


def label_table(project: Project) -> LabelTable:
    labels = labels_of(project.pk)
    return LabelTable(
        {(facet, code): pk for pk, facet, code, archived, _needs in labels if not archived},
        {pk: code for pk, _facet, code, _archived, _needs in labels},
        frozenset(code for _pk, _facet, code, _archived, needs in labels if needs),
    )


def stored_answer(annotation: Annotation, table: LabelTable) -> Answer:
    if annotation.version == 0:  # a claim, and nothing saved
        return Answer((), annotation.comment, annotation.no_hallucination)
    rows = annotation.spans.values_list("start", "end", "label_id", "sublabel_id")
    spans = tuple(
        SpanRecord(start, end, table.codes[label], table.codes.get(sublabel))
        for start, end, label, sublabel in rows
    )
    return Answer(spans, annotation.comment, annotation.no_hallucination)


def problems_of(
    answer: Answer, annotation: Annotation, table: LabelTable, submit: bool
) -> list[Problem]:
    """Every reason to refuse the answer; ``where`` names fields of the API."""
    project = annotation.item.project
    found = check_spans(
        answer.spans,
        len(annotation.item.response),
        table.offered(Label.Facet.LABEL),
        project.overlap_allowed,
        table.offered(Label.Facet.SUBLABEL),
    )
    if answer.no_hallucination and answer.spans:
        found.append(
            Problem("no_hallucination", _("There are marked spans: remove them or untick this."))
        )
    if submit and not answer.spans and not answer.no_hallucination:
        found.append(Problem("spans", _("Mark at least one span, or choose “No hallucination”.")))
    needs = {span.label for span in answer.spans} & table.comment_required
    if submit and needs and is_blank(answer.comment):
        found.append(
            Problem("comment", _("Label %s needs a comment that says why.") % sorted(needs)[0])
        )
    return found


@transaction.atomic
def save(
    by: User, place_id: int, answer: Answer, version: int, active_ms: int, submit: bool
) -> Saved:
    """Store the answer of the annotator in the place with that id.

    ``version`` is the one the change rests on; ``active_ms`` counts since the last acknowledged
    save. Raises `Unknown` for a place the person never held and `Refused` with every fault.
    A repeat of the stored answer is `Outcome.SAVED` without a new revision.
    """
    place, annotation = access.assignment_for(by, place_id, lock=True)
    table = label_table(annotation.item.project)
    stored = stored_answer(annotation, table)
    now = timezone.now()
    late = annotation.state == Annotation.State.SET_ASIDE
    outcome = Outcome.TOO_LATE if late else Outcome.SAVED
    if _is_repeat(annotation, stored, answer, submit):
        if version not in (annotation.version, annotation.version - 1):
            return Saved(Outcome.CONFLICT, annotation, stored)
        _renew(place, annotation, now)
        return Saved(outcome, annotation, stored)
    if version != annotation.version:
        return Saved(Outcome.CONFLICT, annotation, stored)
    found = problems_of(answer, annotation, table, submit)
    if submit and place.state == Assignment.State.REPORTED and not late:
        found.append(
            Problem("submit", _("You reported this item: your coordinator decides about it."))
        )
    if found:
        raise Refused(*found)
    correcting = annotation.state == Annotation.State.SUBMITTED and not submit
    if correcting:
        annotation.draft = None if answer == stored else answer.as_json()
    else:
        _store(annotation, stored, answer, table)
        annotation.draft = None
        if submit and not late:
            annotation.state = Annotation.State.SUBMITTED
            annotation.submitted_at = now
    _acknowledge(annotation, active_ms, now)
    _renew(place, annotation, now)
    kind = Revision.Kind.SUBMIT if submit and not late else Revision.Kind.SAVE
    revision(annotation, kind, by, now, answer).save(force_insert=True)
    return Saved(outcome, annotation, stored if correcting else answer)


def _is_repeat(annotation: Annotation, stored: Answer, answer: Answer, submit: bool) -> bool:
    if annotation.state == Annotation.State.DRAFT:
        return not submit and answer == stored
    if annotation.state == Annotation.State.SET_ASIDE:
        return answer == stored
    if submit:
        return annotation.draft is None and answer == stored
    last = stored if annotation.draft is None else answer_from_json(annotation.draft)
    return answer == last


def _store(annotation: Annotation, stored: Answer, answer: Answer, table: LabelTable) -> None:
    annotation.comment = answer.comment
    annotation.no_hallucination = answer.no_hallucination
    if answer.spans == stored.spans:
        return
    if stored.spans:
        annotation.spans.all()._raw_delete("default")  # nothing hangs on a span
    Span.objects.bulk_create(
        Span(
            annotation=annotation,
            ordinal=ordinal,
            start=span.start,
            end=span.end,
            label_id=table.ids[Label.Facet.LABEL, span.label],
            sublabel_id=table.ids.get((Label.Facet.SUBLABEL, span.sublabel or "")),
        )
        for ordinal, span in enumerate(answer.spans)
    )


def _acknowledge(annotation: Annotation, active_ms: int, now: datetime) -> None:
    """Add one version, and no more active time than the clock since the last save."""
    clock = max(0, int((now - annotation.saved_at) / timedelta(milliseconds=1)))
    annotation.active_ms += min(active_ms, clock)
    annotation.saved_at = now  # also where the clock was set back: else no time counts until then
    annotation.version += 1
    annotation.save(
        update_fields=[
            "comment",
            "no_hallucination",
            "state",
            "version",
            "active_ms",
            "submitted_at",
            "saved_at",
            "draft",
        ]
    )


def _renew(place: Assignment, annotation: Annotation, now: datetime) -> None:
    """Renew the lease of a place the person holds, or mark it as submitted."""
    if place.annotator_id != annotation.annotator_id:
        return
    if annotation.state == Annotation.State.SUBMITTED:
        if place.state == Assignment.State.CLAIMED:
            place.state, place.leased_until = Assignment.State.SUBMITTED, None
            place.save(update_fields=["state", "leased_until"])
    elif place.state == Assignment.State.CLAIMED:
        place.leased_until = now + timedelta(minutes=annotation.item.project.lease_minutes)
        place.save(update_fields=["leased_until"])
