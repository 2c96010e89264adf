"""What coordinators do with samples: return, accept, publish, open again as a new version."""

from __future__ import annotations

import hashlib

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.access import check_coordinator
from annotation.actions.items import add_item
from annotation.actions.reports import retire
from annotation.errors import Refused
from annotation.models import Item, User
from annotation.records import ItemRecord
from writing import access
from writing.actions.history import lock_project_of, record
from writing.models import Sample

State = Sample.State
COMMENT_MAX = 5_000


def _changed(sample: Sample, kind: str, by: User) -> Sample:
    sample.version += 1
    sample.save()
    record(sample, kind, by, timezone.now())
    return sample


def _decided(by: User, pk: int, *states: str) -> Sample:
    sample = access.sample_for(by, pk, lock=True)
    check_coordinator(by, sample.project)
    if sample.state not in states:
        now = sample.get_state_display()
        raise Refused(("state", _("This sample is %s now: load the page again.") % now))
    return sample


@transaction.atomic
def send_back(by: User, pk: int, comment: str) -> Sample:
    """Return a submitted or accepted sample to its writer, who reads the comment."""
    sample = _decided(by, pk, State.SUBMITTED, State.ACCEPTED)
    if not comment.strip():
        raise Refused(("comment", _("Say what the writer is to change.")))
    if sample.state == State.ACCEPTED and not sample.parent_id:
        _without_translations(by, sample)
    sample.state, sample.comment = State.RETURNED, comment[:COMMENT_MAX]
    return _changed(sample, "return", by)


def _without_translations(by: User, sample: Sample) -> None:
    """Take back the translation tasks of a sample whose text may change; none may be begun."""
    tasks = Sample.objects.filter(root=sample).exclude(state__in=[State.DELETED, State.SUPERSEDED])
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

    The item of the version that this one replaces is retired: its annotations stay with the old
    text. Raises `Refused` for an untranslatable sample.
    """
    lock_project_of(pk)
    sample = _decided(by, pk, State.ACCEPTED)
    if sample.untranslatable.strip():
        raise Refused(("state", _("This translation was flagged as impossible.")))
    item = add_item(by, sample.project, item_record(sample), sample.brief.image)
    sample.item, sample.state = item, State.PUBLISHED
    _changed(sample, "publish", by)
    old = sample.replaces
    if old is not None:
        old.state = State.SUPERSEDED
        _changed(old, "supersede", by)
        if old.item is not None and old.item.state != Item.State.RETIRED:
            retire(by, old.item)
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
    """A name that tells nothing: annotators see it through the API."""
    text = f"{sample.project.pseudonym_key}\0sample\0{sample.pk}"
    return f"{sample.language}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


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
def revise(by: User, pk: int) -> Sample:
    """A new version of a published sample, open to its writer; the old one stays until then."""
    sample = _decided(by, pk, State.PUBLISHED)
    newer = Sample.objects.filter(replaces=sample).exclude(state=State.DELETED).first()
    if newer is not None:
        return newer
    Sample.objects.filter(replaces=sample).update(replaces=None)
    now = timezone.now()
    names = ("project", "brief", "writer", "language", "origin", "label", "question", "text")
    more = ("spans", "correct", "edits", "parent", "root", "machine", "char_distance",
            "word_distance")  # fmt: skip
    values = {name: getattr(sample, name) for name in (*names, *more)}
    newer = Sample.objects.create(
        **values, state=State.RETURNED, replaces=sample, saved_at=now, comment=_("A new version.")
    )
    record(newer, "revise", by, now)
    return newer
