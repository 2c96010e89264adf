"""What coordinators do with samples: return, accept, publish, open again as a new version."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.access import check_coordinator
from annotation.actions.audit import note
from annotation.actions.items import add_item
from annotation.actions.reports import retire
from annotation.errors import Refused
from annotation.formats import Fault
from annotation.formats.values import clean
from annotation.models import Item, Participant, User
from annotation.records import ItemRecord
from writing import access
from writing.actions.families import withhold_from, withhold_item
from writing.actions.history import lock_project_of, record
from writing.actions.sources import move_translations
from writing.keys import hashed_key, numbered_key
from writing.models import Sample
from writing.selectors.balance import GONE
from writing.visible import is_blank

State = Sample.State
COMMENT_MAX = 5_000
# what a new version begins with
COPIED = (
    *("project", "brief", "language", "origin", "label", "question", "text", "spans", "correct"),
    *("edits", "parent", "root", "stale", "machine", "char_distance", "word_distance"),
)


def _changed(sample: Sample, kind: str, by: User | None) -> Sample:
    sample.version += 1
    sample.save()
    record(sample, kind, by, timezone.now())
    return sample


def _decided(by: User | None, pk: int, *states: str) -> Sample:
    sample = access.sample_to_take(by, pk)
    check_coordinator(by, sample.project)
    if sample.state not in states:
        now = sample.get_state_display()
        raise Refused(("state", _("This sample is %s now: load the page again.") % now))
    return sample


@transaction.atomic
def send_back(by: User, pk: int, comment: str) -> Sample:
    """Return a submitted or accepted sample to its writer, who reads the comment."""
    sample = _decided(by, pk, State.SUBMITTED, State.ACCEPTED)
    _check_comment(comment)
    if sample.state == State.ACCEPTED and not sample.parent_id:
        _without_translations(by, sample)
    sample.state, sample.comment = State.RETURNED, comment
    return _changed(sample, "return", by)


def _check_comment(comment: str) -> None:
    if is_blank(comment):
        raise Refused(("comment", _("Say what the writer is to change.")))
    if len(comment) > COMMENT_MAX:
        raise Refused(("comment", _("At most %d characters.") % COMMENT_MAX))
    try:
        clean(comment, "comment")
    except Fault as fault:
        raise Refused(("comment", _("The comment %s.") % fault.reason)) from None


def _without_translations(by: User, sample: Sample) -> None:
    """Take back the translation tasks of a sample whose text may change; none may be begun."""
    tasks = Sample.objects.filter(root=sample).exclude(state__in=GONE)
    locked = list(tasks.select_for_update(no_key=True).order_by("pk"))
    if any(task.writer_id for task in locked):
        text = _("Its translations are being edited: publish it, then open a new version.")
        raise Refused(("state", text))
    for task in locked:
        task.state = State.DELETED
        _changed(task, "delete", by)


@transaction.atomic
def accept(by: User, pk: int) -> Sample:
    """Accept a submitted sample: it can be translated and published."""
    sample = _decided(by, pk, State.SUBMITTED)
    sample.state = State.ACCEPTED
    return _changed(sample, "accept", by)


@transaction.atomic
def publish(by: User, pk: int) -> Item:
    """Make an item of an accepted sample, with its places; nothing of it tells that it was written.

    Whoever has seen the error is kept from it. The item of the version that this one replaces is
    retired: its annotations stay with the old text; the translations of that version move here, or
    are marked as stale. Raises `Refused` for an untranslatable sample.
    """
    lock_project_of(pk)
    sample = _decided(by, pk, State.ACCEPTED)
    if sample.untranslatable.strip():
        raise Refused(("state", _("This translation was flagged as impossible.")))
    item = add_item(by, sample.project, item_record(sample), sample.brief.image)
    note(by, "sample.published", sample.project, sample.key)
    sample.item, sample.state = item, State.PUBLISHED
    if sample.root is not None and sample.root.state == State.SUPERSEDED:
        sample.stale = True
    _changed(sample, "publish", by)
    withhold_item(sample, item)
    old = sample.replaces
    if old is not None:
        old.state = State.SUPERSEDED
        _changed(old, "supersede", by)
        if old.item is not None and old.item.state != Item.State.RETIRED:
            retire(by, old.item)
        if sample.parent_id is None:
            move_translations(by, sample, timezone.now())
    return item


def item_record(sample: Sample) -> ItemRecord:
    """The sample as an item: strategy ``human``, the intended label as prelabel and expectation."""
    assert sample.label is not None  # noqa: S101 - a constraint of the table
    label = sample.label.code
    spans = [{"start": s["start"], "end": s["end"], "label": label} for s in sample.spans]
    return ItemRecord(
        key=item_key(sample),
        language=sample.language,
        response=sample.text,
        question=sample.question,
        image_name=sample.brief.image.name if sample.brief.image else None,
        context=sample.brief.context,
        context_format=sample.brief.context_format,
        strategy="human",
        prelabel=label,
        author=sample.writer.pseudonym if sample.writer else None,
        expectation={"label": label, "spans": spans},
        metadata={"lineage": lineage(sample)},
    )


def item_key(sample: Sample) -> str:
    """A name that tells nothing, for annotators see it through the API: one like the others."""
    secret = f"{sample.project.pseudonym_key}\0sample\0{sample.pk}"
    items = Item.objects.filter(project=sample.project).order_by()
    imported = items.filter(language=sample.language, sample=None)
    named = list(imported.values_list("key", flat=True))
    taken = set(items.values_list("key", flat=True))
    return numbered_key(named, taken, secret) or hashed_key(sample.language, taken, secret)


def lineage(sample: Sample) -> dict[str, object]:
    """Where the text comes from: its root sample, languages from the root on, origin, versions."""
    chain = [sample.language]
    parent = sample.parent
    while parent is not None:
        chain.insert(0, parent.language)
        parent = parent.parent
    root = sample.root or sample
    found: dict[str, object] = {
        "sample": sample.key,
        "root": root.key,
        "source_language": root.language,
        "chain": chain,
        "origin": sample.origin,
        "brief": sample.brief.key,
    }
    if sample.replaces_id:
        found["replaces"] = f"sample-{sample.replaces_id}"
    return found


@transaction.atomic
def revise(
    by: User | None, pk: int, comment: str = "", writer: Participant | None = None
) -> Sample:
    """A new version of a published sample, open to its writer; the old one stays until then.

    ``comment`` tells why; ``writer`` is somebody else who is to write it.
    """
    if comment:
        _check_comment(comment)
    sample = _decided(by, pk, State.PUBLISHED)
    newer = Sample.objects.filter(replaces=sample).exclude(state__in=GONE).first()
    if newer is not None:
        return newer
    Sample.objects.filter(replaces=sample).update(replaces=None)  # one that was given up
    now = timezone.now()
    newer = Sample.objects.create(
        **{name: getattr(sample, name) for name in COPIED},
        writer=writer or sample.writer,
        family_id=sample.head,
        state=State.RETURNED,
        replaces=sample,
        saved_at=now,
        comment=comment or _("A new version."),
    )
    record(newer, "revise", by, now)
    if writer is not None:
        withhold_from(newer, writer)
    return newer
