"""Pictures that may not become other ones: work rests on them, of this app and of the others."""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from annotation.models import Annotation, Assignment, Item

# (ids of pictures, whether to lock what work begins at) -> those that work rests on, with reasons
Find = Callable[[Collection[int], bool], dict[int, str]]
_FINDS: list[Find] = []
PART = 500


def add_resting(find: Find) -> None:
    """Let ``find`` tell which pictures its app's work rests on; twice is once."""
    if find not in _FINDS:
        _FINDS.append(find)


def resting_on(pictures: Collection[int], lock: bool = False) -> dict[int, str]:
    """Those of the pictures that may not be replaced, each with the reason as words.

    With ``lock`` nobody begins such work before the transaction ends; hold the project's lock.
    """
    found: dict[int, str] = {}
    ids = sorted(pictures)
    for at in range(0, len(ids), PART):
        part = ids[at : at + PART]
        for find in (_written, *_FINDS, _annotated):  # the last reason stands
            found |= find(part, lock)
    return found


def _annotated(pictures: Collection[int], lock: bool) -> dict[int, str]:
    if lock:
        places = Assignment.objects.filter(item__image__in=pictures).order_by("pk")
        list(places.select_for_update(no_key=True, of=("self",)).values_list("pk"))
    known = Annotation.objects.filter(item__image__in=pictures).order_by()
    reason = _("people have annotated it")
    return dict.fromkeys(known.values_list("item__image", flat=True).distinct(), reason)


def _written(pictures: Collection[int], lock: bool) -> dict[int, str]:
    """Pictures of items that come from samples, as imports know them: by their lineage."""
    named = Item.objects.filter(image__in=pictures).annotate(said=Cast("metadata", TextField()))
    rows = named.filter(said__contains='"lineage":').order_by().values_list("image", "metadata")
    reason = _("an item with it comes from a sample")
    return {image: reason for image, metadata in rows if "lineage" in metadata}
