"""Keeping those who have seen an error from the items that hold it."""

from __future__ import annotations

from annotation.actions.withheld import withhold
from annotation.models import Item, Participant
from writing.models import Sample
from writing.selectors.families import items_of, seen_by


def withhold_item(sample: Sample, item: Item) -> None:
    """Keep everybody of the family from an item that was just published."""
    withhold((item.pk, person) for person in seen_by(sample).values_list("pk", flat=True))


def withhold_from(sample: Sample, person: Participant) -> None:
    """Keep somebody who now sees a text of the family from all of its items.

    Run it under the project's lock: a publication at the same moment must see the person.
    """
    withhold((item, person.pk) for item in items_of(sample))
