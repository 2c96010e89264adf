"""What is judged: an item's response, with its picture or context."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from annotation.models.fields import JSONTextField
from annotation.models.projects import Project


class Image(models.Model):
    """A picture of a project: decoded, turned upright, stripped of metadata."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="images")
    name = models.CharField(max_length=400, help_text=_("Name that items give."))
    file = models.FileField(max_length=200)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, help_text=_("Of the file as it was given."))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="image_name_once")]


class Item(models.Model):
    class State(models.TextChoices):
        ACTIVE = "active", _("Active")
        HELD = "held", _("Held")
        RETIRED = "retired", _("Retired")

    project = models.ForeignKey(Project, models.CASCADE, related_name="items")
    key = models.CharField(max_length=400, help_text=_("The item's name in files."))
    language = models.CharField(max_length=35)
    split = models.TextField(null=True)
    question = models.TextField(blank=True)
    response = models.TextField(help_text=_("Kept code point for code point."))
    image_name = models.CharField(max_length=400, null=True)
    image = models.ForeignKey(Image, models.SET_NULL, null=True, related_name="items")
    context = models.TextField(null=True)
    context_format = models.CharField(max_length=8, null=True)
    strategy = models.CharField(max_length=8, null=True)
    model = models.TextField(null=True)
    source = models.TextField(null=True)
    prelabel = models.TextField(null=True)
    author = models.TextField(null=True)
    expectation = JSONTextField(null=True, help_text=_("Intended label and spans."))
    metadata = JSONTextField(default=dict)
    state = models.CharField(max_length=8, choices=State, default=State.ACTIVE)
    number = models.BigIntegerField(help_text=_("Random number that orders the offers."))

    class Meta:
        verbose_name_plural = _("items")
        # Import order is id order: an export must not depend on a database's collation.
        indexes = [
            models.Index(fields=["project", "id"], name="item_in_import_order"),
            models.Index(
                fields=["project", "author"],
                name="item_by_author",
                # Pseudonyms are no longer, and PostgreSQL takes no long text into an index.
                condition=models.Q(LessThanOrEqual(Length("author"), 200)),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="item_key_once"),
            models.CheckConstraint(
                name="item_state_known", condition=models.Q(state__in=["active", "held", "retired"])
            ),
            models.CheckConstraint(
                name="item_response_not_empty", condition=~models.Q(response="")
            ),
        ]

    def __str__(self) -> str:
        return self.key
