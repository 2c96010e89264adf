"""Who has seen the error of an item and is not asked to annotate it."""

from __future__ import annotations

from django.db import models

from annotation.models.items import Item
from annotation.models.people import Participant


class Withheld(models.Model):
    """The person is offered no place of the item; the item's ``author`` needs no row."""

    # No index of its own: the constraint's begins with the item.
    item = models.ForeignKey(Item, models.CASCADE, related_name="withheld", db_index=False)
    participant = models.ForeignKey(Participant, models.CASCADE, related_name="withheld")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "participant"], name="withheld_once")
        ]
