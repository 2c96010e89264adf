"""How many places an item has: its project's number, whatever was freed, imported or set since."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Annotation, Assignment, Item, Project

State = Assignment.State
PART = 300


def fit_places(items: Collection[int], wanted: int) -> None:
    """Leave each item as many unfilled places as it needs to have ``wanted`` with the taken ones.

    The first by ordinal are open, also those that were closed. Of the others one in which an answer
    was made is closed, since what its author still sends belongs there, and the rest is deleted.
    Missing ones are not made. The places of the items are locked (`places.lock_places`).
    """
    ordered = sorted(items)
    for at in range(0, len(ordered), PART):
        _fit(ordered[at : at + PART], wanted)


def _fit(items: Collection[int], wanted: int) -> None:
    had = Exists(Annotation.objects.filter(place=OuterRef("pk")))
    places = Assignment.objects.filter(item__in=items).annotate(had=had)
    rows = places.order_by("item", "ordinal").values_list("item", "pk", "ordinal", "state", "had")
    opened, closed, gone, first = [], [], set(), []
    for _item, group in groupby(rows, key=itemgetter(0)):
        of_item = list(group)
        unfilled = [row for row in of_item if row[3] in Assignment.UNFILLED]
        needed = max(wanted - (len(of_item) - len(unfilled)), 0)
        opened += [pk for _, pk, _, state, _ in unfilled[:needed] if state == State.CLOSED]
        for _, pk, _, state, had_one in unfilled[needed:]:
            if not had_one:
                gone.add(pk)
            elif state == State.OPEN:
                closed.append(pk)
        left = [row for row in of_item if row[1] not in gone]
        if left and left[0][2] != 1:
            first.append(left[0][1])  # of an untouched item the first place alone is offered
    Assignment.objects.filter(pk__in=opened).update(state=State.OPEN)
    Assignment.objects.filter(pk__in=closed).update(state=State.CLOSED)
    Assignment.objects.filter(pk__in=gone).delete()
    Assignment.objects.filter(pk__in=first).update(ordinal=1)


def fit_by_project(items: Collection[int]) -> None:
    """`fit_places` with the number of each item's project as it stands now."""
    ordered = sorted(items)
    for at in range(0, len(ordered), PART):
        wanted: dict[int, list[int]] = {}
        part = Item.objects.filter(pk__in=ordered[at : at + PART]).order_by()
        for item, number in part.values_list("pk", "project__per_item"):
            wanted.setdefault(number, []).append(item)
        for number, of_number in wanted.items():
            fit_places(of_number, number)


def is_surplus(place: Assignment) -> bool:
    """Whether the item of a taken place has more of them than its project wants."""
    taken = Assignment.objects.filter(item=place.item_id).exclude(state__in=Assignment.UNFILLED)
    return taken.count() > place.project.per_item


def new_place(item: Item, ordinal: int, begun: int = 0) -> Assignment:
    """An open place, on offer if the item is active and has the picture that it names."""
    ready = item.state == Item.State.ACTIVE and (not item.image_name or bool(item.image_id))
    return Assignment(
        item_id=item.pk,
        ordinal=ordinal,
        project_id=item.project_id,
        language=item.language,
        number=item.number,
        begun=begun,
        offered=int(ready),
    )


def add_missing(project: Project) -> None:
    """Make the places that items lack to have the project's number."""
    counted = Item.objects.only("project", "language", "number", "state", "image_name", "image")
    counted = counted.filter(project=project).annotate(
        count=Count("places", filter=~Q(places__state=State.CLOSED))
    )
    short = list(counted.filter(count__lt=project.per_item))
    for at in range(0, len(short), PART):
        _add_missing(short[at : at + PART], project)


def _add_missing(items: Sequence[Item], project: Project) -> None:
    ordinals: dict[int, set[int]] = {item.pk: set() for item in items}
    count = dict.fromkeys(ordinals, 0)
    begun: set[int] = set()
    for item_id, ordinal, state in Assignment.objects.filter(item__in=list(ordinals)).values_list(
        "item", "ordinal", "state"
    ):
        ordinals[item_id].add(ordinal)
        count[item_id] += state != State.CLOSED
        if state not in Assignment.UNFILLED:
            begun.add(item_id)
    Assignment.objects.bulk_create(
        new_place(item, ordinal, int(item.pk in begun))
        for item in items
        for ordinal in _free_ordinals(ordinals[item.pk], project.per_item - count[item.pk])
    )


def _free_ordinals(taken: set[int], missing: int) -> list[int]:
    """The lowest ordinals that are not taken, ``missing`` of them."""
    free = (n for n in range(1, missing + len(taken) + 1) if n not in taken)
    return [next(free) for _ in range(missing)]
