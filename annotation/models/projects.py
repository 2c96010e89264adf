"""A project and its label set."""

from __future__ import annotations

import secrets

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.fields import JSONTextField
from annotation.visible import is_blank

CODE = RegexValidator(r"\A[A-Za-z0-9_.-]+\Z", _("Use letters, digits, dot, dash and underscore."))


def new_key() -> str:
    return secrets.token_urlsafe(32)


def new_seed() -> int:
    return secrets.randbelow(2**31)


def _check_seen(row: models.Model, *fields: str) -> None:
    """Refuse what is there and shows nothing; what is empty is another rule's affair."""
    unseen = [name for name in fields if (text := getattr(row, name)) and is_blank(text)]
    if unseen:
        raise ValidationError(dict.fromkeys(unseen, _("Nothing of this can be seen.")))


class Project(models.Model):
    slug = models.SlugField(unique=True, help_text=_("Short name in addresses."))
    name = models.CharField(max_length=200, help_text=_("Name that people see."))
    languages = JSONTextField(default=list, help_text=_("Language codes of the items, in order."))
    guidelines = models.TextField(blank=True, help_text=_("For annotators, in Markdown."))
    writer_guidelines = models.TextField(blank=True, help_text=_("For writers, in Markdown."))
    per_item = models.PositiveSmallIntegerField(
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
        help_text=_("How many people annotate each item."),
    )
    overlap_allowed = models.BooleanField(
        default=False, help_text=_("Spans of one annotation may overlap.")
    )
    lease_minutes = models.PositiveIntegerField(
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(60 * 24 * 31)],
        help_text=_("Minutes without a save after which a claimed place counts as open."),
    )
    idle_seconds = models.PositiveIntegerField(
        default=60,
        validators=[MinValueValidator(5), MaxValueValidator(3600)],
        help_text=_("Seconds without activity after which active time stops."),
    )
    seed = models.BigIntegerField(
        default=new_seed, help_text=_("Decides the order in which items are offered.")
    )
    pseudonym_key = models.CharField(
        max_length=64, default=new_key, editable=False, help_text=_("Secret behind pseudonyms.")
    )
    items_version = models.PositiveBigIntegerField(
        default=0, editable=False, help_text=_("Rises whenever fields of stored items change.")
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="project_per_item_at_least_one", condition=models.Q(per_item__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    def clean(self) -> None:
        """A name of invisible characters alone would leave lists and headings empty."""
        _check_seen(self, "name")


class Label(models.Model):
    class Facet(models.TextChoices):
        LABEL = "label", _("Label")
        SUBLABEL = "sublabel", _("Sublabel")

    project = models.ForeignKey(Project, models.CASCADE, related_name="labels")
    facet = models.CharField(max_length=8, choices=Facet, default=Facet.LABEL)
    code = models.CharField(max_length=40, validators=[CODE], help_text=_("Code in exports."))
    name = models.CharField(max_length=80, help_text=_("Name on the button."))
    description = models.TextField(blank=True, help_text=_("What the label means."))
    rule = models.TextField(blank=True, help_text=_("How to decide between this and the others."))
    colour = models.CharField(max_length=7, help_text=_("Deep colour, such as #a84300."))
    key = models.CharField(max_length=1, blank=True, help_text=_("Key that gives the label."))
    position = models.PositiveSmallIntegerField(default=0)
    writable = models.BooleanField(default=True, help_text=_("Writers may write this error."))
    comment_required = models.BooleanField(
        default=False, help_text=_("An answer with this label needs a comment.")
    )
    archived = models.BooleanField(default=False, help_text=_("No longer offered."))

    class Meta:
        ordering = ["facet", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "facet", "code"], name="label_code_once"),
            models.UniqueConstraint(
                fields=["project", "facet", "key"],
                condition=~models.Q(key="") & models.Q(archived=False),
                name="label_key_once",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def clean(self) -> None:
        """A name or key of invisible characters alone would be a button that nobody can tell."""
        _check_seen(self, "name", "key")
