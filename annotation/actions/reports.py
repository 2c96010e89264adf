"""Items that cannot be judged: reporting one, putting it back, retiring it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.audit import note
from annotation.actions.history import revision, stored_answers
from annotation.actions.places import free_places, lock_places, refresh_offers
from annotation.errors import Refused
from annotation.models import Annotation, Assignment, Item, Revision, User
from annotation.records import REASON_MAX
from annotation.visible import is_blank


@transaction.atomic
def report(by: User, place_id: int, reason: str) -> Annotation:
    """Report the item of a claimed place as unusable: the item is held for the coordinator.

    A repeat of the same report changes nothing. Raises `Unknown`, and `Refused` where the reason
    is empty, the answer is submitted already or the place went to somebody else.
    """
    place, annotation = access.assignment_for(by, place_id, lock=True, around=True)
    if is_blank(reason):
        raise Refused(("reason", _("Say in a few words what is wrong with the item.")))
    if len(reason) > REASON_MAX:
        raise Refused(("reason", _("At most %d characters.") % REASON_MAX))
    if annotation.state == Annotation.State.SUBMITTED:
        raise Refused(("state", _("You have submitted an answer here: correct it instead.")))
    if annotation.state == Annotation.State.SET_ASIDE:
        raise Refused(("state", _("Somebody else has this place now; your work is kept.")))
    if place.state == Assignment.State.REPORTED and annotation.reason == reason:
        return annotation
    now = timezone.now()
    annotation.reason = reason
    annotation.version += 1
    annotation.save(update_fields=["reason", "version"])
    place.state, place.leased_until = Assignment.State.REPORTED, None
    place.save(update_fields=["state", "leased_until"])
    Item.objects.filter(pk=place.item_id, state=Item.State.ACTIVE).update(state=Item.State.HELD)
    Assignment.objects.filter(item_id=place.item_id, offered=1).update(offered=0)
    answer = stored_answers([annotation])[annotation.pk]
    revision(annotation, Revision.Kind.REPORT, by, now, answer).save(force_insert=True)
    return annotation


@transaction.atomic
def put_back(by: User | None, item: Item) -> None:
    """Make a held or retired item active again; reported places open to others.

    What the people who reported it had marked is kept, set aside with their reasons.
    """
    access.check_coordinator(by, item.project)
    lock_places([item.pk])
    changed = Item.objects.filter(pk=item.pk).exclude(state=Item.State.ACTIVE)
    if not changed.update(state=Item.State.ACTIVE):
        raise Refused(("item", _("This item is active already.")))
    freed = free_places(item.places.filter(state=Assignment.State.REPORTED), by)
    refresh_offers([item.pk])
    note(by, "item.put_back", item.project, item.key, places=freed)


@transaction.atomic
def retire(by: User | None, item: Item) -> None:
    """Take the item out of offers, progress and exports; every answer stays stored."""
    access.check_coordinator(by, item.project)
    lock_places([item.pk])
    changed = Item.objects.filter(pk=item.pk).exclude(state=Item.State.RETIRED)
    if not changed.update(state=Item.State.RETIRED):
        raise Refused(("item", _("This item is retired already.")))
    refresh_offers([item.pk])
    note(by, "item.retired", item.project, item.key)
