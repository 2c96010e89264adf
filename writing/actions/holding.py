"""Whose a brief or a translation is: begun, given back, taken away."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.access import Role, check_coordinator
from annotation.actions.audit import note
from annotation.errors import Refused, Unknown
from annotation.models import Participant, Project, User
from writing import access
from writing.actions.families import withhold_from
from writing.actions.giving import languages_of, writer_of
from writing.actions.history import lock_project_of, lock_writing, record
from writing.actions.review import revise
from writing.actions.sources import rest_on
from writing.models import Brief, Sample
from writing.selectors.families import source_now

State = Sample.State
OPEN = (State.DRAFT, State.RETURNED)


@transaction.atomic
def begin(by: User, pk: int) -> Sample:
    """Make a free translation the post-editor's before anything is typed; twice is once.

    Raises `Unknown`, and `Refused` where somebody else has it already.
    """
    try:
        return hold(by, pk)
    except Unknown:
        if access.translates(by, pk):
            text = _("Somebody else has this translation already: choose another one.")
            raise Refused(("writer", text)) from None
        raise


def hold(by: User, pk: int) -> Sample:
    """As `begin`, but what somebody else has is `Unknown`. Run it in a transaction."""
    lock_writing(by, pk)  # a publication at the same moment must see who has the text
    sample, person = access.own_sample_for(by, pk, lock=True)
    if sample.parent_id is None:
        raise Unknown(str(pk))
    if sample.writer_id is None:
        sample.writer = person
        sample.save(update_fields=["writer"])
        record(sample, "begin", by, timezone.now())
        withhold_from(sample, person)
    return sample


@transaction.atomic
def release(by: User, pk: int) -> Sample:
    """Give a begun translation back: it is free, its text begins anew, the old one is history.

    It rests on the newest version of its source from then on, as one that nobody has begun.
    """
    lock_writing(by, pk)  # a new version at the same moment is either seen here or moves the task
    sample, _person = access.own_sample_for(by, pk, lock=True)
    if sample.parent_id is None or sample.writer_id is None:
        raise Unknown(str(pk))
    if sample.state not in OPEN:
        raise Refused(("state", _("This translation was sent: it cannot be given back.")))
    _anew(sample, by, "release", None)
    return sample


@transaction.atomic
def take_away(by: User | None, pk: int, to: int | None = None) -> Sample:
    """Take a begun sample or translation from its writer, and give the work to ``to`` if named.

    A translation begins anew from the machine's text, on the newest version of its source. A
    written draft is closed as *taken away*, its brief is free or the other writer's; of a new
    version the other writer gets a fresh copy.
    What the former person wrote stays in the history. Returns what there is to work on now, or the
    closed draft. Raises `Refused`, and then changes nothing.
    """
    lock_project_of(pk)
    sample = access.sample_to_take(by, pk)
    check_coordinator(by, sample.project)
    if sample.writer_id is None or sample.state not in OPEN:
        raise Refused(("state", _("Only a draft in somebody's hands can be taken away.")))
    person = None if to is None else _able(sample, to)
    note(by, "work.taken", sample.project, sample.key, subject=sample.writer)
    if sample.parent_id:
        _anew(sample, by, "take", person)
        return sample
    if sample.brief.shared and not sample.replaces_id and person is not None:
        raise Refused(("writer", _("This brief is shared: every writer has it.")))
    _close(sample, by, person)
    if sample.replaces_id and person is not None:
        return revise(by, sample.replaces_id, sample.comment, person)
    return sample


def _able(sample: Sample, pk: int) -> Participant:
    person = writer_of(sample.project, pk)
    if person.pk == sample.writer_id:
        raise Refused(("writer", _("%s has it: choose somebody else.") % person))
    if sample.language not in languages_of(sample.project, person):
        values = {"person": person, "language": sample.language}
        raise Refused(("writer", _("%(person)s does not write in %(language)s.") % values))
    return person


def _close(sample: Sample, by: User | None, person: Participant | None) -> None:
    """End a written draft; its exclusive brief is the person's, or free."""
    sample.state = State.TAKEN
    sample.version += 1
    sample.save(update_fields=["state", "version"])
    record(sample, "take", by, timezone.now())
    if not sample.replaces_id and not sample.brief.shared:
        Brief.objects.filter(pk=sample.brief_id).update(writer=person, given=person is not None)


def _anew(sample: Sample, by: User | None, kind: str, person: Participant | None) -> None:
    """Let a translation begin again for the person, or for whoever begins it."""
    now = timezone.now()
    record(sample, kind, by, now)
    _restore(sample)
    sample.untranslatable = sample.comment = ""
    sample.char_distance = sample.word_distance = sample.submitted_at = None
    sample.typed = sample.pasted = sample.active_ms = 0
    sample.declared = False
    sample.state, sample.writer, sample.saved_at = State.DRAFT, person, now
    sample.version += 1  # whoever has the page open is told before they write
    sample.save()
    if person is not None:
        record(sample, "given", person.user, now)  # they count as having seen it from now on
        withhold_from(sample, person)


def _restore(sample: Sample) -> None:
    """The text that the translation came with, on the newest version of its source.

    One that was made from an older version stays as a start, is marked, and counts as no machine's
    text any more: nobody's edits are to be measured from it.
    """
    came = sample.revisions.filter(kind__in=["machine", "revise"]).order_by("-pk").first()
    known = came.content if came is not None else {}
    rest_on(sample, source_now(sample))
    sample.text, sample.spans = known.get("text", ""), known.get("spans", [])
    sample.question = known.get("question", "")
    # a revision that does not tell is older than every second version
    older = came is not None and (known.get("root") or sample.family_id) != sample.root_id
    sample.stale = older and bool(sample.text)
    if older:
        sample.machine = ""
    elif came is not None and came.kind == "machine":
        sample.machine = sample.text


def leave(by: User | None, person: Participant, roles: Collection[str]) -> None:
    """Free what somebody who is no writer any more had begun or was given, as places are freed.

    Drafts for shared briefs stay: they keep nobody from the brief. Run it in a transaction.
    """
    if Role.WRITER in roles:
        return
    Project.objects.select_for_update(no_key=True).get(pk=person.project_id)
    mine = Sample.objects.filter(writer=person, state__in=OPEN)
    for sample in mine.select_for_update(no_key=True, of=("self",)).select_related(
        "brief", "label"
    ).order_by("pk"):  # fmt: skip
        if sample.parent_id:
            _anew(sample, by, "take", None)
        elif sample.replaces_id or not sample.brief.shared:
            _close(sample, by, None)
    unbegun = Brief.objects.filter(writer=person).exclude(samples__in=_alive(person))
    unbegun.update(writer=None, given=False)


def _alive(person: Participant) -> list[int]:
    gone = (State.DELETED, State.TAKEN)
    return list(
        Sample.objects.filter(writer=person, parent=None)
        .exclude(state__in=gone)
        .values_list("pk", flat=True)
    )
