"""Keeping people from items whose error they have seen."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.models import Withheld


def withhold(pairs: Iterable[tuple[int, int]]) -> None:
    """Let no participant be offered the item: ids of (item, participant). Run it in a transaction.

    A place that somebody holds or has filled already is left alone.
    """
    rows = [Withheld(item_id=item, participant_id=person) for item, person in pairs]
    Withheld.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)
