"""Places: claiming one, freeing them, and what of an item is offered.

Locks are taken in the order of `annotation.actions.locks`: the person, then places by id, then
annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, connection, transaction
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.audit import note
from annotation.actions.fitting import fit_by_project, is_surplus
from annotation.actions.history import set_state_aside
from annotation.actions.offers import next_place, waited_place
from annotation.errors import Refused
from annotation.models import Annotation, Assignment, Item, Participant, User
from annotation.selectors.asked import item_for

State = Assignment.State
TRIES = 5
Which = Callable[[Participant, datetime, int | None], Assignment | None]


def claim(by: User, slug: str, after: int | None = None) -> Annotation | None:
    """Give the annotator a place and answer their annotation in it; None when nothing is left.

    Without ``after`` a place the person still holds comes first; with it (the place on screen)
    the next one. The order of the rest: an expired place, a place of an item that others have
    begun, an untouched item. Raises `Unknown` or `Forbidden`.
    """
    tries = TRIES
    while tries:
        try:
            for which in (next_place, waited_place):
                annotation = _claim(by, slug, after, which)
                if annotation is not None:
                    return annotation
            return None
        except (IntegrityError, _Barred):
            tries -= 1  # the person's other tab was quicker on this item, or an import barred it
        except _Surplus as found:
            tries -= not _free_surplus(found.item_id)
    return None


class _Barred(Exception):
    """The item was withheld from the person after the query for it had begun."""


class _Surplus(Exception):
    """The place found has expired, and its item has enough without it."""

    def __init__(self, item_id: int) -> None:
        self.item_id = item_id


@transaction.atomic
def _claim(by: User, slug: str, after: int | None, which: Which) -> Annotation | None:
    person = access.person_in(by, slug, access.Role.ANNOTATOR, lock=True)
    now = timezone.now()
    place = which(person, now, after)
    if place and place.annotator_id not in (None, person.pk) and is_surplus(place):
        # Not here: to count its places is to lock them all, and this one is locked.
        raise _Surplus(place.item_id)
    if place is None:
        return None
    if place.annotator_id == person.pk:
        place.leased_until = lease(person, now)
        place.save(update_fields=["leased_until"])
        return _annotation_in(place, person)
    return _take(place, person, now)


def lease(person: Participant, now: datetime) -> datetime:
    return now + timedelta(minutes=person.project.lease_minutes)


def _annotation_in(place: Assignment, person: Participant) -> Annotation:
    annotation = Annotation.objects.select_related("item").get(place=place, annotator=person)
    annotation.place = place
    return annotation


def _take(place: Assignment, person: Participant, now: datetime) -> Annotation:
    """Make the place the person's; whoever let it expire keeps the answer, set aside."""
    if place.state == State.CLAIMED:
        _set_expired_aside(place, now)
    if not place.begun:
        Assignment.objects.filter(item_id=place.item_id, begun=0).update(begun=1)
    place.annotator, place.state, place.leased_until = person, State.CLAIMED, lease(person, now)
    place.save(update_fields=["annotator", "state", "leased_until"])
    (item,) = item_for(person.pk, place.item_id)
    if item.is_withheld or item.author == person.pseudonym:  # type: ignore[attr-defined]
        raise _Barred
    return Annotation.objects.create(item=item, annotator=person, place=place, saved_at=now)


def _set_expired_aside(place: Assignment, now: datetime) -> None:
    mine = Annotation.objects.filter(place=place, annotator=place.annotator_id)
    set_state_aside(mine.select_for_update(no_key=True), None, now)


def lock_places(items: Collection[int] | QuerySet[Item]) -> None:
    """Lock all places of the items, by id, until the transaction ends.

    Whoever changes an item's state, the number of its places, or what follows from all of them
    (``begun``, ``offered``) locks them before it looks, in a statement of its own: on PostgreSQL a
    statement sees what stood when it began, also where it waited meanwhile.
    """
    if not connection.features.has_select_for_update:
        return  # SQLite has one writer at a time
    of_items = Assignment.objects.filter(item__in=items).order_by("id").values_list("pk")
    for _row in of_items.select_for_update(no_key=True, of=("self",)).iterator(5000):
        pass


def refresh_begun(item_ids: Collection[int]) -> None:
    """Set ``begun`` of the items' places from the states of all their places, which are locked."""
    taken = Assignment.objects.filter(item=OuterRef("item"))
    taken = taken.exclude(state__in=Assignment.UNFILLED)
    for part in _parts(item_ids):
        Assignment.objects.filter(item_id__in=part).update(
            begun=Case(When(Exists(taken), then=Value(1)), default=Value(0))
        )


def refresh_offers(item_ids: Collection[int]) -> None:
    """Set ``offered`` of the places, which are locked, from the items' state and pictures."""
    ready = Q(item__state="active") & (
        Q(item__image_name=None) | Q(item__image_name="") | Q(item__image__isnull=False)
    )
    for part in _parts(item_ids):
        places = Assignment.objects.filter(item_id__in=part)
        offered = list(places.filter(ready).values_list("pk", flat=True))
        places.filter(pk__in=offered).update(offered=1)
        places.exclude(pk__in=offered).update(offered=0)


def _parts(ids: Collection[int]) -> list[list[int]]:
    ordered = sorted(ids)
    return [ordered[at : at + 300] for at in range(0, len(ordered), 300)]


def free_places(places: QuerySet[Assignment], who: User | None) -> int:
    """Open the places again and set the answers in them aside. Run it in a transaction.

    Returns how many places were freed: one of which the item has enough without is closed. What the
    people saved is kept, each with a revision.
    """
    held_now = places.exclude(state__in=Assignment.UNFILLED)
    # Every place of their items, since `begun` changes in all: two who free places of one item
    # would each wait for the other's.
    lock_places(Item.objects.filter(pk__in=held_now.order_by().values("item")))
    locked: Sequence[Assignment] = list(
        held_now.select_for_update(no_key=True, of=("self",)).order_by("id")
    )
    now = timezone.now()
    for at in range(0, len(locked), 300):
        part = locked[at : at + 300]
        held = {place.pk: place.annotator_id for place in part}
        answers = Annotation.objects.select_for_update(no_key=True).filter(place__in=list(held))
        set_state_aside([a for a in answers if held[a.place_id] == a.annotator_id], who, now)  # type: ignore[index]
        Assignment.objects.filter(pk__in=list(held)).update(
            annotator=None, state=State.OPEN, leased_until=None
        )
    freed = {place.item_id for place in locked}
    fit_by_project(freed)
    refresh_begun(freed)
    return len(locked)


@transaction.atomic
def _free_surplus(item_id: int) -> int:
    """Free the expired places that the item has too many; how many they were."""
    lock_places([item_id])
    taken = Assignment.objects.filter(item=item_id).exclude(state__in=Assignment.UNFILLED)
    wanted = Item.objects.values_list("project__per_item", flat=True).get(pk=item_id)
    expired = taken.filter(state=State.CLAIMED, leased_until__lt=timezone.now())
    surplus = list(expired.order_by("-ordinal").values_list("pk", flat=True))
    return free_places(
        Assignment.objects.filter(pk__in=surplus[: max(taken.count() - wanted, 0)]), None
    )


@transaction.atomic
def release_place(by: User | None, place: Assignment) -> None:
    """Free a claimed place; a coordinator's action. The draft in it is set aside."""
    access.check_coordinator(by, place.project)
    held = Assignment.objects.filter(pk=place.pk, state=State.CLAIMED)
    if not free_places(held, by):
        raise Refused(("place", _("This place is not claimed any more: load the page again.")))
    note(by, "place.released", place.project, place.item.key, subject=place.annotator)
