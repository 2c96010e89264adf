"""Briefs, samples written for them, their translations, and every accepted write of a sample."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Image, Item, Label, Participant, Project
from annotation.models.fields import JSONTextField


class Policy(models.Model):
    """How strictly a project asks its writers for balance and checks what they send."""

    class Balance(models.TextChoices):
        SUGGEST = "suggest", _("Suggest the label with the largest deficit")
        WARN = "warn", _("Warn when a label is full")
        REQUIRE = "require", _("Refuse a label that is full")

    project = models.OneToOneField(Project, models.CASCADE, related_name="writing_policy")
    balance = models.CharField(max_length=7, choices=Balance, default=Balance.SUGGEST)
    targets = JSONTextField(
        default=dict, help_text=_("Label code to share; the others divide the rest evenly.")
    )
    checks = JSONTextField(
        default=dict, help_text=_("Check to off, warn or refuse; a check not named here warns.")
    )
    changed_share = models.FloatField(
        default=0.3, help_text=_("Largest share of the correct answer that an edit may change.")
    )


class Brief(models.Model):
    """What a sample is to answer: a question with a picture or a text.

    ``shared`` briefs take a sample of every writer. Of the others ``writer`` says whose the brief
    is: given by a coordinator, or taken by whoever began first.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="briefs", db_index=False)
    key = models.CharField(max_length=400, help_text=_("The brief's name in files."))
    language = models.CharField(max_length=35)
    question = models.TextField(blank=True)
    image = models.ForeignKey(Image, models.PROTECT, null=True, related_name="+")
    context = models.TextField(null=True)
    context_format = models.CharField(max_length=8, null=True)
    answer = models.TextField(blank=True, help_text=_("A correct answer, for the edit mode."))
    source = models.ForeignKey(Item, models.SET_NULL, null=True, related_name="+")
    shared = models.BooleanField(default=False)
    writer = models.ForeignKey(Participant, models.PROTECT, null=True, related_name="briefs")
    given = models.BooleanField(default=False, help_text=_("A coordinator gave it to the writer."))
    number = models.BigIntegerField(help_text=_("Random number that orders the briefs."))

    class Meta:
        verbose_name_plural = _("briefs")
        indexes = [models.Index(fields=["project", "language", "number"], name="brief_in_order")]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="brief_key_once"),
            models.CheckConstraint(
                name="brief_shared_is_nobodys",
                condition=models.Q(shared=False) | models.Q(writer=None),
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Sample(models.Model):
    """An answer with exactly one intended kind of error, or its translation.

    ``spans`` are ``[{"start", "end"}]`` in code points of ``text``, all of ``label``; ``edits`` are
    ``[{"start", "end", "original", "hallucinated"}]``, offsets in ``correct``, the correct answer
    that was changed. A translation has ``parent`` (what was translated) and ``root`` (what was
    written, in the version that was translated). ``family`` is the first version of the root: every
    version of it and every translation of these has it, but for that sample itself.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        SUBMITTED = "submitted", _("Submitted")
        RETURNED = "returned", _("Returned")
        ACCEPTED = "accepted", _("Accepted")
        PUBLISHED = "published", _("Published")
        SUPERSEDED = "superseded", _("Replaced by a newer version")
        DELETED = "deleted", _("Deleted")
        TAKEN = "taken", _("Taken away")

    class Origin(models.TextChoices):
        WRITTEN = "written", _("Written")
        EDITED = "edited", _("Edited from a correct answer")
        TRANSLATED = "translated", _("Translated")

    project = models.ForeignKey(Project, models.CASCADE, related_name="samples", db_index=False)
    brief = models.ForeignKey(Brief, models.PROTECT, related_name="samples")
    writer = models.ForeignKey(
        Participant, models.PROTECT, null=True, related_name="samples", db_index=False
    )
    language = models.CharField(max_length=35)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.WRITTEN)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    label = models.ForeignKey(Label, models.PROTECT, null=True, related_name="samples")
    question = models.TextField(blank=True, help_text=_("In the sample's language."))
    text = models.TextField(blank=True, help_text=_("Kept code point for code point."))
    spans = JSONTextField(default=list)
    correct = models.TextField(blank=True)
    edits = JSONTextField(default=list)
    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="translations")
    root = models.ForeignKey("self", models.PROTECT, null=True, related_name="descendants")
    replaces = models.ForeignKey("self", models.PROTECT, null=True, related_name="newer")
    family = models.ForeignKey("self", models.PROTECT, null=True, related_name="relatives")
    stale = models.BooleanField(
        default=False, help_text=_("A newer version has replaced the source of this translation.")
    )
    machine = models.TextField(blank=True, help_text=_("The machine's translation."))
    char_distance = models.PositiveIntegerField(
        null=True, help_text=_("Edits from the machine's translation, in characters.")
    )
    word_distance = models.PositiveIntegerField(null=True, help_text=_("The same in words."))
    untranslatable = models.TextField(blank=True, help_text=_("Why it cannot be translated."))
    declared = models.BooleanField(default=False, help_text=_("Declared to be the writer's own."))
    typed = models.PositiveIntegerField(default=0, help_text=_("Characters that were typed."))
    pasted = models.PositiveIntegerField(default=0, help_text=_("Characters that were pasted."))
    active_ms = models.PositiveBigIntegerField(default=0)
    comment = models.TextField(blank=True, help_text=_("Why it was returned."))
    version = models.PositiveIntegerField(default=0)
    item = models.OneToOneField(Item, models.SET_NULL, null=True, related_name="sample")
    created_at = models.DateTimeField(auto_now_add=True)
    saved_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = _("samples")
        indexes = [
            models.Index(fields=["project", "language", "state"], name="sample_balance"),
            models.Index(fields=["writer", "state"], name="sample_of_writer"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["brief", "writer", "language"],
                name="sample_brief_once",
                condition=models.Q(parent=None, replaces=None)
                & ~models.Q(state__in=["deleted", "superseded", "taken"]),
            ),
            models.UniqueConstraint(
                fields=["family", "language"],
                name="sample_translation_once",
                condition=models.Q(parent__isnull=False, replaces=None)
                & ~models.Q(state__in=["deleted", "superseded", "taken"]),
            ),
            models.UniqueConstraint(fields=["replaces"], name="sample_replaced_once"),
            models.CheckConstraint(
                name="sample_translation_has_parent",
                condition=models.Q(
                    origin="translated",
                    parent__isnull=False,
                    root__isnull=False,
                    family__isnull=False,
                )
                | (~models.Q(origin="translated") & models.Q(parent=None, root=None, stale=False)),
            ),
            models.CheckConstraint(
                name="sample_sent_is_whole",
                condition=models.Q(state__in=["draft", "returned", "deleted", "taken"])
                | ~models.Q(untranslatable="")
                | (models.Q(label__isnull=False) & ~models.Q(text="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.brief_id}/{self.language}"

    @property
    def key(self) -> str:
        """The sample's name in files."""
        return f"sample-{self.pk}"

    def content(self) -> dict[str, Any]:
        """What a revision keeps."""
        return {
            "label": self.label.code if self.label else None,
            "question": self.question,
            "text": self.text,
            "spans": self.spans,
            "correct": self.correct,
            "edits": self.edits,
            "state": self.state,
            "comment": self.comment,
            "declared": self.declared,
            "untranslatable": self.untranslatable,
            "root": self.root_id,
            "counts": [self.typed, self.pasted, self.active_ms],
        }

    @property
    def head(self) -> int:
        """The id of the family: that of the first version of what was written."""
        return self.family_id or self.pk


class SampleRevision(models.Model):
    """An accepted write of a sample; rows are added and never changed."""

    sample = models.ForeignKey(Sample, models.CASCADE, related_name="revisions")
    kind = models.CharField(max_length=10)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    at = models.DateTimeField()
    version = models.PositiveIntegerField()
    content = JSONTextField()
