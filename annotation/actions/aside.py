"""Answers without a place: setting one aside, adopting one, withdrawing a person's work."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.audit import note
from annotation.actions.fitting import fit_by_project
from annotation.actions.history import revision, stored_answers
from annotation.actions.locks import lock_person, lock_project
from annotation.actions.places import free_places, lock_places, refresh_begun
from annotation.errors import Refused
from annotation.models import Annotation, Assignment, Participant, Project, Revision, User
from annotation.records import Answer
from annotation.visible import is_blank

State = Assignment.State


@transaction.atomic
def set_aside(by: User | None, annotation: Annotation) -> None:
    """Set a person's answer aside and open its place to others; nothing is deleted."""
    access.check_coordinator(by, annotation.item.project)
    freed = free_places(
        annotation.item.places.filter(annotator=annotation.annotator, state__in=HOLDING), by
    )
    if not freed:
        raise Refused(("annotation", _("This answer holds no place any more.")))
    item = annotation.item
    note(by, "answer.set_aside", item.project, item.key, subject=annotation.annotator)


HOLDING = (State.CLAIMED, State.SUBMITTED)


@transaction.atomic
def adopt(by: User | None, annotation: Annotation) -> str:
    """Give an answer that was set aside a free place of its item: it counts as submitted again.

    The one it was made in comes first, then an open one, then one whose lease has run out. Raises
    `Refused` where no place is free or the answer says nothing. That a label needs a comment is a
    rule for who submits: a coordinator may adopt without it, and gets a note about it back (empty
    where there is none).
    """
    project = annotation.item.project
    access.check_coordinator(by, project)
    now = timezone.now()
    if annotation.annotator is not None:
        lock_person(annotation.annotator)
    lock_places([annotation.item_id])
    places = list(annotation.item.places.order_by("id"))
    annotation.refresh_from_db()
    if annotation.state != Annotation.State.SET_ASIDE:
        raise Refused(("annotation", _("This answer is not set aside any more.")))
    answer = stored_answers([annotation])[annotation.pk]
    if not answer.spans and not answer.no_hallucination:
        raise Refused(("annotation", _("This answer is empty: there is nothing to adopt.")))
    place = _free_place(places, annotation, now)
    if place is None:
        raise Refused(
            ("place", _("Every place of this item is taken: set another answer aside first."))
        )
    free_places(Assignment.objects.filter(pk=place.pk), by)
    Assignment.objects.filter(pk=place.pk).update(
        annotator=annotation.annotator, state=State.SUBMITTED, leased_until=None
    )
    fit_by_project([annotation.item_id])
    refresh_begun([annotation.item_id])
    annotation.place = place
    annotation.state = Annotation.State.SUBMITTED
    annotation.submitted_at = annotation.submitted_at or now
    annotation.version += 1
    annotation.save(update_fields=["place", "state", "submitted_at", "version"])
    revision(annotation, Revision.Kind.ADOPT, by, now, answer).save(force_insert=True)
    note(by, "answer.adopted", project, annotation.item.key, subject=annotation.annotator)
    return _without_comment(project, answer)


def _free_place(
    places: list[Assignment], annotation: Annotation, now: datetime
) -> Assignment | None:
    """The answer's own place, then an open one, then an expired one; None where all are taken.

    Its own also where that is closed, so that an answer set aside in error finds its way back.
    """
    expired = [
        p for p in places if p.state == State.CLAIMED and p.leased_until and p.leased_until < now
    ]
    own = [p for p in places if p.state == State.CLOSED and p.pk == annotation.place_id]
    free = [*own, *(p for p in places if p.state == State.OPEN), *expired]
    return next((p for p in free if p.pk == annotation.place_id), next(iter(free), None))


def _without_comment(project: Project, answer: Answer) -> str:
    """A note where a label of the answer needs a comment and there is none."""
    if not is_blank(answer.comment):
        return ""
    codes = {span.label for span in answer.spans}
    needs = project.labels.filter(facet="label", comment_required=True, code__in=codes)
    label = needs.order_by("position").first()
    if label is None:
        return ""
    return _("Label %s needs a comment, and this answer has none: it counts all the same.") % label


@transaction.atomic
def withdraw(by: User | None, person: Participant) -> int:
    """Set all answers of one person aside and open their places; returns how many places."""
    lock_person(person)
    lock_project(person.project)  # an import has places of many items locked, in its own order
    access.check_coordinator(by, person.project)
    freed = free_places(
        Assignment.objects.filter(project=person.project, annotator=person, state__in=HOLDING),
        by,
    )
    if freed:
        note(by, "work.withdrawn", person.project, subject=person, places=freed)
    return freed
