"""A writer's samples: begun, saved as one writes, sent, taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.answers import Outcome
from annotation.errors import Refused
from annotation.models import User
from writing import access
from writing.actions import demands
from writing.actions.demands import TEXT_MAX, Content, words
from writing.actions.history import lock_writing, record
from writing.actions.holding import hold
from writing.checks import WARN
from writing.distance import distances
from writing.edits import apply, pairs, places
from writing.models import Brief, Sample
from writing.selectors.advice import advice
from writing.selectors.balance import GONE, writable

__all__ = (
    "TEXT_MAX",
    "Content",
    "Saved",
    "advice_on",
    "delete",
    "save",
    "start",
    "submit",
    "words",
)

State = Sample.State
OPEN = (State.DRAFT, State.RETURNED)
COUNT_MAX = 2**31 - 1


@dataclass(frozen=True)
class Saved:
    """``advice`` is whole after `submit`; after `save` without what is slow to find out."""

    outcome: Outcome
    sample: Sample
    advice: dict[str, str] = field(default_factory=dict)


@transaction.atomic
def start(by: User, brief_pk: int) -> Sample:
    """The writer's sample for the brief, begun where there is none.

    Raises `Unknown`, and `Refused` where another writer has the brief.
    """
    access.lock_person_of(by, briefs=brief_pk)  # a second click waits, and so does who ends roles
    brief, person = access.brief_for(by, brief_pk)
    locked = Brief.objects.select_for_update(no_key=True).get(pk=brief.pk)
    mine = _live(locked).filter(writer=person).first()
    if mine is not None:
        return mine
    if not locked.shared:
        if locked.writer_id not in (None, person.pk):
            raise Refused(("brief", _("Another writer has this brief: take another one.")))
        locked.writer = person
        locked.save(update_fields=["writer"])
    return Sample.objects.create(
        project=brief.project,
        brief=brief,
        writer=person,
        language=brief.language,
        saved_at=timezone.now(),
        question=brief.question,
    )


def _live(brief: Brief) -> QuerySet[Sample]:
    return Sample.objects.filter(brief=brief, parent=None).exclude(state__in=GONE).order_by("-pk")


class _Free(Exception):
    """The translation is nobody's: it has to be begun first, under another lock."""


def save(by: User, pk: int, content: Content, version: int, *, quick: bool = True) -> Saved:
    """Store the draft; ``version`` is the one the change rests on.

    The stored content sent again is `Outcome.SAVED` and no new version. A free translation becomes
    the person's. Raises `Unknown`, and `Refused` with every fault: nothing that would be lost is
    refused, but text that no database keeps, spans outside the text, a label that is not written,
    edits that cannot be. The advice of a ``quick`` save is without near-duplicates.
    """
    try:
        with transaction.atomic():
            return _save(by, pk, content, version, quick)
    except _Free:
        with transaction.atomic():
            hold(by, pk)
            saved = _save(by, pk, content, version, quick)
            if saved.outcome is not Outcome.SAVED:
                transaction.set_rollback(True)  # nothing was written: it is still free
            return saved


def _save(by: User, pk: int, content: Content, version: int, quick: bool) -> Saved:
    sample, _person = access.own_sample_for(by, pk, lock=True)
    now = timezone.now()
    problems = demands.faults(sample, content)
    if problems:
        raise Refused(*problems)
    same = _same(sample, content)
    if sample.version != version and not same:
        return Saved(Outcome.CONFLICT, sample)
    if sample.state not in OPEN:
        if same:
            return Saved(Outcome.SAVED, sample, advice_on(sample, quick=quick))
        raise Refused(("state", _("This sample was sent already: ask for it to be returned.")))
    if sample.writer_id is None and not same:
        raise _Free
    if not same:
        _write(sample, content, now)
        sample.save()
        record(sample, "save", by, now)
    elif sample.version == version and sample.writer_id is not None:
        _count(sample, content, now)  # typed and taken back; a repeat has an older version
    return Saved(Outcome.SAVED, sample, advice_on(sample, quick=quick))


def advice_on(sample: Sample, *, quick: bool = False) -> dict[str, str]:
    """Check -> ``warn`` or ``refuse``: the project's checks, and whether the label is still one."""
    return advice(sample, quick=quick) | (
        {"label_gone": WARN} if demands.label_gone(sample) else {}
    )


def _count(sample: Sample, content: Content, now: datetime) -> None:
    """Add what was typed and pasted, and the time, where the content is as it was."""
    if content.typed or content.pasted or content.active_ms:
        _add_counts(sample, content, now)
        names = ("typed", "pasted", "active_ms", "saved_at")
        sample.save(update_fields=names)


@transaction.atomic
def submit(by: User, pk: int, content: Content, version: int) -> Saved:
    """Save and send the sample; sent twice is sent once.

    Raises `Refused` where something is missing, where a label is full and the policy requires
    balance, and where a check refuses under the project's policy.
    """
    lock_writing(by, pk)  # two writers at once must not both take the last place of a label
    saved = save(by, pk, content, version, quick=False)
    if saved.outcome is not Outcome.SAVED or saved.sample.state not in OPEN:
        return saved
    # a machine's text that is sent as it came was not saved, and nobody had begun it
    sample = saved.sample if saved.sample.writer_id else hold(by, pk)
    problems = demands.missing(sample, content) or demands.unfit(sample, saved.advice)
    if problems:
        raise Refused(*problems)
    now = timezone.now()
    sample.state, sample.submitted_at, sample.declared = State.SUBMITTED, now, True
    sample.comment = ""
    sample.version += 1
    sample.save()
    record(sample, "submit", by, now)
    return Saved(Outcome.SAVED, sample, saved.advice)


@transaction.atomic
def delete(by: User, pk: int, version: int | None = None) -> Saved:
    """Take back a sample that is not accepted yet; an exclusive brief becomes free again.

    With a ``version`` that is not the stored one nothing is deleted: `Outcome.CONFLICT`.
    """
    sample, _person = access.own_sample_for(by, pk, lock=True)
    if sample.parent_id:
        text = _("A translation cannot be deleted: give it back, or say that it is impossible.")
        raise Refused(("state", text))
    if sample.state not in (*OPEN, State.SUBMITTED):
        raise Refused(("state", _("Only a sample that is not accepted can be deleted.")))
    if version not in (None, sample.version):
        return Saved(Outcome.CONFLICT, sample)
    sample.state = State.DELETED
    sample.version += 1
    sample.save(update_fields=["state", "version"])
    record(sample, "delete", by, timezone.now())
    if not sample.replaces_id and not sample.brief.shared and not sample.brief.given:
        Brief.objects.filter(pk=sample.brief_id).update(writer=None)
    return Saved(Outcome.SAVED, sample)


def _write(sample: Sample, content: Content, now: datetime) -> None:
    labels = {label.code: label for label in writable(sample.project)}
    if content.edit_mode:
        edited = apply(content.correct, content.edits)
        sample.text, spans = edited.text, places(edited)
        sample.correct, sample.edits = content.correct, pairs(content.correct, content.edits)
    else:
        sample.text, spans = content.text, list(content.spans)
        sample.correct, sample.edits = "", []
    if sample.origin != Sample.Origin.TRANSLATED:
        sample.origin = Sample.Origin.EDITED if content.edit_mode else Sample.Origin.WRITTEN
        kept = sample.label if sample.label and sample.label.code == content.label else None
        sample.label = kept or (labels[content.label] if content.label else None)
    else:
        sample.question, sample.untranslatable = content.question, content.untranslatable
        if sample.machine:
            moved = distances(sample.machine, sample.text)
            sample.char_distance, sample.word_distance = moved
    sample.spans = [{"start": start, "end": end} for start, end in spans]
    _add_counts(sample, content, now)
    sample.version += 1


def _add_counts(sample: Sample, content: Content, now: datetime) -> None:
    clock = max(0, int((now - sample.saved_at) / timedelta(milliseconds=1)))
    sample.active_ms += min(content.active_ms, clock)
    sample.typed = min(COUNT_MAX, sample.typed + content.typed)
    sample.pasted = min(COUNT_MAX, sample.pasted + content.pasted)
    sample.saved_at = now  # also where the clock was set back


def _same(sample: Sample, content: Content) -> bool:
    spans = [(span["start"], span["end"]) for span in sample.spans]
    if content.edit_mode:
        same_text = sample.correct == content.correct and sample.edits == pairs(
            content.correct, content.edits
        )
    else:
        same_text = (sample.text, spans, sample.edits) == (content.text, list(content.spans), [])
    if sample.origin == Sample.Origin.TRANSLATED:
        return same_text and (sample.question, sample.untranslatable) == (
            content.question,
            content.untranslatable,
        )
    edited = sample.origin == Sample.Origin.EDITED
    code = sample.label.code if sample.label else None
    return same_text and edited == content.edit_mode and code == content.label
