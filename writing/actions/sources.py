"""Translations whose source has a new version."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Refused, Unknown
from annotation.models import User
from writing import access
from writing.actions.history import lock_writing, record
from writing.models import Sample
from writing.selectors.balance import GONE
from writing.selectors.families import family, source_now

State = Sample.State


def rest_on(sample: Sample, source: Sample | None) -> None:
    """Let a translation rest on the version of its source, with its label; it is not saved yet."""
    if source is not None:
        sample.parent = sample.root = source
        sample.label = source.label


def move_translations(by: User, source: Sample, now: datetime) -> None:
    """Let untouched translations rest on the new version, and mark the others as stale.

    A machine's text in an untouched one was made from the old version: that is stale too, and no
    edits are measured from it any more.
    """
    tasks = family(source).filter(parent__isnull=False).exclude(state__in=GONE)
    for task in tasks.select_related("label").select_for_update(
        no_key=True, of=("self",)
    ).order_by("pk"):  # fmt: skip
        if task.writer_id is None:
            rest_on(task, source)
            task.machine = ""
        task.stale = task.writer_id is not None or bool(task.text)
        task.save(update_fields=["parent", "root", "label", "stale", "machine"])
        record(task, "source", by, now)


@transaction.atomic
def take_up(by: User, pk: int) -> Sample:
    """Let a translation rest on the newest version of its source; its text stays as it is.

    A machine's text of the older version is history then: edits are not measured from it.
    Its post-editor does it while the translation is theirs to change. Raises `Refused` where it was
    sent, and where the source has no newer version.
    """
    lock_writing(by, pk)
    sample, _person = access.own_sample_for(by, pk, lock=True)
    if sample.parent_id is None or sample.writer_id is None:
        raise Unknown(str(pk))
    source = source_now(sample)
    if not sample.stale or source is None:
        raise Refused(("source", _("This translation rests on the newest version already.")))
    if sample.state not in (State.DRAFT, State.RETURNED):
        raise Refused(("state", _("This translation was sent: ask for it to be returned.")))
    rest_on(sample, source)
    sample.stale = False
    sample.machine = ""
    sample.char_distance = sample.word_distance = None
    sample.version += 1
    sample.save()
    record(sample, "take_up", by, timezone.now())
    return sample
