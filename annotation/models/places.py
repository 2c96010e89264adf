"""Places: one row for each annotation an item is to get."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.items import Item
from annotation.models.people import Participant
from annotation.models.projects import Project


class Assignment(models.Model):
    """One place of an item. A surplus annotation cannot exist, since each needs a place.

    ``project``, ``language`` and ``number`` repeat the item's, and ``begun`` and ``offered`` follow
    from it, so that one index answers a claim. ``begun`` and ``offered`` are small integers because
    SQLite does not use a boolean column in an index.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CLAIMED = "claimed", _("Claimed")
        SUBMITTED = "submitted", _("Submitted")
        REPORTED = "reported", _("Reported")
        # Not to be filled: the item has its number of places. What the author of an answer made in
        # it still sends belongs there.
        CLOSED = "closed", _("Closed")

    UNFILLED = (State.OPEN, State.CLOSED)

    item = models.ForeignKey(Item, models.CASCADE, related_name="places")
    ordinal = models.PositiveSmallIntegerField()
    # No index of its own: (item, annotator) and place_held_by serve.
    annotator = models.ForeignKey(
        Participant, models.PROTECT, null=True, related_name="places", db_index=False
    )
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    leased_until = models.DateTimeField(null=True)
    project = models.ForeignKey(Project, models.CASCADE, related_name="places", db_index=False)
    language = models.CharField(max_length=35)
    number = models.BigIntegerField()
    begun = models.PositiveSmallIntegerField(
        default=0, help_text=_("1 when another place of the item is taken.")
    )
    offered = models.PositiveSmallIntegerField(
        default=1, help_text=_("1 while the item is active and its picture is there.")
    )

    class Meta:
        indexes = [
            # With ordinal and item the walk over places that the person had needs no table row.
            models.Index(
                fields=[
                    "project",
                    "language",
                    "offered",
                    "state",
                    "begun",
                    "number",
                    "ordinal",
                    "item",
                ],
                name="place_offer",
            ),
            # What nobody has touched yet, one entry an item: it is counted for each annotator, and
            # in the order of the offers, or a claim would read and sort it all.
            models.Index(
                fields=["project", "language", "number", "item"],
                name="place_untouched",
                condition=models.Q(offered=1, begun=0, ordinal=1, state="open"),
            ),
            models.Index(
                fields=["annotator"], name="place_held_by", condition=models.Q(state="claimed")
            ),
            models.Index(
                fields=["project", "leased_until"],
                name="place_leased",
                condition=models.Q(state="claimed"),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["item", "ordinal"], name="place_ordinal_once"),
            models.UniqueConstraint(fields=["item", "annotator"], name="place_annotator_once"),
            models.CheckConstraint(
                name="place_open_has_no_annotator",
                condition=models.Q(state__in=["open", "closed"], annotator=None, leased_until=None)
                | models.Q(state__in=["claimed", "submitted", "reported"], annotator__isnull=False),
            ),
            models.CheckConstraint(
                name="place_claimed_has_lease",
                condition=~models.Q(state="claimed") | models.Q(leased_until__isnull=False),
            ),
        ]
