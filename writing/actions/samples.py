"""A writer's samples: begun, saved as one writes, sent, taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.answers import Outcome
from annotation.errors import Problem, Refused
from annotation.formats import Fault
from annotation.formats.values import clean
from annotation.models import Project, User
from annotation.records import SpanRecord
from annotation.spans import check_spans
from writing import access, checks
from writing.actions.history import record
from writing.distance import distances
from writing.edits import BadEdit, Edit, apply, pairs
from writing.models import Brief, Policy, Sample
from writing.selectors.advice import advice
from writing.selectors.balance import full, policy_of, writable

State = Sample.State
OPEN = (State.DRAFT, State.RETURNED)
TEXT_MAX = 20_000


@dataclass(frozen=True)
class Content:
    """What a writer says: in edit mode ``correct`` and ``edits``, and text and spans follow.

    ``spans`` are (start, end) in code points of ``text``; ``typed``, ``pasted`` and ``active_ms``
    count since the last acknowledged save.
    """

    label: str | None = None
    text: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    correct: str = ""
    edits: tuple[Edit, ...] = ()
    edit_mode: bool = False
    question: str = ""
    typed: int = 0
    pasted: int = 0
    active_ms: int = 0
    declared: bool = False
    untranslatable: str = ""


@dataclass(frozen=True)
class Saved:
    outcome: Outcome
    sample: Sample
    advice: dict[str, str] = field(default_factory=dict)


def start(by: User, brief_pk: int) -> Sample:
    """The writer's sample for the brief, begun where there is none.

    Raises `Unknown`, and `Refused` where another writer has the brief.
    """
    brief, person = access.brief_for(by, brief_pk)
    try:
        with transaction.atomic():
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
    except IntegrityError:  # a second click was quicker
        return _live(brief).get(writer=person)


def _live(brief: Brief) -> QuerySet[Sample]:
    return (
        Sample.objects.filter(brief=brief, parent=None)
        .exclude(state__in=[State.DELETED, State.SUPERSEDED])
        .order_by("-pk")
    )


@transaction.atomic
def save(by: User, pk: int, content: Content, version: int) -> Saved:
    """Store the draft; ``version`` is the one the change rests on.

    The stored content sent again is `Outcome.SAVED` and no new version. Raises `Unknown`, and
    `Refused` with every fault: nothing that would be lost is refused, but text that no database
    keeps, spans outside the text, a label that is not written, edits that cannot be.
    """
    sample, person = access.own_sample_for(by, pk, lock=True)
    now = timezone.now()
    problems = _faults(sample, content)
    if problems:
        raise Refused(*problems)
    if sample.version != version and not _same(sample, content):
        return Saved(Outcome.CONFLICT, sample)
    if sample.state not in OPEN:
        if _same(sample, content):
            return Saved(Outcome.SAVED, sample, advice(sample))
        raise Refused(("state", _("This sample was sent already: ask for it to be returned.")))
    if not _same(sample, content):
        _write(sample, content, now)
        sample.writer = person
        sample.save()
        record(sample, "save", by, now)
    return Saved(Outcome.SAVED, sample, advice(sample))


@transaction.atomic
def submit(by: User, pk: int, content: Content, version: int) -> Saved:
    """Save and send the sample; sent twice is sent once.

    Raises `Refused` where something is missing, where a label is full and the policy requires
    balance, and where a check refuses under the project's policy.
    """
    sample, _person = access.own_sample_for(by, pk, lock=True)
    if sample.state == State.SUBMITTED and _same(sample, content):
        return Saved(Outcome.SAVED, sample)
    # a translation and a new version take no place of the language's balance of their own
    Project.objects.select_for_update(no_key=True).get(pk=sample.project_id)
    saved = save(by, pk, content, version)
    if saved.outcome is not Outcome.SAVED:
        return saved
    sample = saved.sample
    policy = policy_of(sample.project)
    problems = _missing(sample, content) or [
        *_overfull(sample, policy),
        *(
            Problem(name, words(name))
            for name, level in saved.advice.items()
            if level == checks.REFUSE
        ),
    ]
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
def delete(by: User, pk: int) -> None:
    """Take back a sample that is not accepted yet; an exclusive brief becomes free again."""
    sample, _person = access.own_sample_for(by, pk, lock=True)
    if sample.state not in (*OPEN, State.SUBMITTED) or sample.parent_id:
        raise Refused(("state", _("Only a sample that is not accepted can be deleted.")))
    sample.state = State.DELETED
    sample.version += 1
    sample.save(update_fields=["state", "version"])
    record(sample, "delete", by, timezone.now())
    if not sample.brief.shared and not sample.brief.given:
        Brief.objects.filter(pk=sample.brief_id).update(writer=None)


def _write(sample: Sample, content: Content, now: datetime) -> None:
    labels = {label.code: label for label in writable(sample.project)}
    if content.edit_mode:
        edited = apply(content.correct, content.edits)
        sample.text, spans = edited.text, edited.spans
        sample.correct, sample.edits = content.correct, pairs(content.correct, content.edits)
    else:
        sample.text, spans = content.text, content.spans
        sample.correct, sample.edits = "", []
    if sample.origin != Sample.Origin.TRANSLATED:
        sample.origin = Sample.Origin.EDITED if content.edit_mode else Sample.Origin.WRITTEN
        sample.label = labels[content.label] if content.label else None
    else:
        sample.question, sample.untranslatable = content.question, content.untranslatable
        if sample.machine:
            moved = distances(sample.machine, sample.text)
            sample.char_distance, sample.word_distance = moved
    sample.spans = [{"start": start, "end": end} for start, end in spans]
    clock = max(0, int((now - sample.saved_at) / timedelta(milliseconds=1)))
    sample.active_ms += min(content.active_ms, clock)
    sample.typed += content.typed
    sample.pasted += content.pasted
    sample.saved_at = max(now, sample.saved_at)
    sample.version += 1


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


def _faults(sample: Sample, content: Content) -> list[Problem]:
    """What can be neither stored nor shown."""
    found: list[Problem] = []
    for name in ("text", "correct", "question", "untranslatable"):
        value = getattr(content, name)
        if len(value) > TEXT_MAX:
            found.append(Problem(name, _("At most %d characters.") % TEXT_MAX))
        try:
            clean(value, name)
        except Fault as fault:
            found.append(Problem(fault.field, fault.reason))
    codes = {label.code for label in writable(sample.project)}
    if content.label is not None and content.label not in codes:
        listed = ", ".join(sorted(codes))
        found.append(Problem("label", _("Nobody writes this label: choose one of %s.") % listed))
    if found:
        return found
    text = content.text
    spans: Sequence[tuple[int, int]] = content.spans
    if content.edit_mode:
        try:
            edited = apply(content.correct, content.edits)
        except BadEdit as error:
            return [Problem(f"edits[{error.index}]", str(error))]
        text, spans = edited.text, ()
        if len(text) > TEXT_MAX:
            return [Problem("edits", _("At most %d characters.") % TEXT_MAX)]
    records = [SpanRecord(start, end, "") for start, end in spans]
    return check_spans(records, len(text), {""}, False, set())


def _missing(sample: Sample, content: Content) -> list[Problem]:
    """What a sample needs before it is sent."""
    found = []
    translated = sample.origin == Sample.Origin.TRANSLATED
    if translated and sample.untranslatable.strip():
        return []
    if not sample.text.strip():
        found.append(Problem("text", _("Write the answer first.")))
    if sample.label is None:
        found.append(Problem("label", _("Choose the kind of error that the answer holds.")))
    if not sample.spans:
        found.append(Problem("spans", _("Mark the error in the text.")))
    elif not any(sample.text[s["start"] : s["end"]].strip() for s in sample.spans):
        found.append(Problem("spans", _("Nothing but white space is marked.")))
    if sample.brief.image_id is None and not sample.brief.context and not sample.brief.question:
        found.append(Problem("brief", _("The brief has lost its picture: tell your coordinator.")))
    if not content.declared:
        found.append(
            Problem("declared", _("Declare that you wrote this yourself, without a model."))
        )
    return found


def _overfull(sample: Sample, policy: Policy) -> list[Problem]:
    """With a strict policy a label of which there are enough; the sample itself counts as well."""
    if policy.balance != Policy.Balance.REQUIRE or sample.parent_id or sample.replaces_id:
        return []
    assert sample.label is not None  # noqa: S101 - `_missing` came first
    share = full(sample.project, sample.language, sample.label.code)
    if share is None or share.count <= share.target:
        return []
    text = _("There are enough samples of %(label)s (%(n)d of %(target)d): choose another label.")
    values = {"label": sample.label.name, "n": share.count - 1, "target": share.target}
    return [Problem("label", text % values)]


def words(check: str) -> str:
    """A check's finding as advice to the writer."""
    return {
        "too_short": _("The text is hardly more than the error: write a whole answer."),
        "near_duplicate": _("This is almost the same as an earlier sample."),
        "same_place": _("Your last errors stood at the same place of the text: vary it."),
        "wrong_language": _("This does not look like the language of the brief."),
        "text_in_picture": _("This kind of error needs a picture with text in it."),
        "large_change": _("The edits change a large part of the answer: make them smaller."),
        "in_evidence": _("The words you put in stand in the question or context already."),
        "hint_words": _("A word in the text gives the error away."),
        "repeated_original": _(
            "What you replaced stands in the answer more than once; your position counts."
        ),
    }[check]
