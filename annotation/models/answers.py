"""Annotations with their spans, and every revision of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.fields import JSONTextField
from annotation.models.items import Item
from annotation.models.people import Participant
from annotation.models.places import Assignment
from annotation.models.projects import Label, Project


class Run(models.Model):
    """One pass of a system (judge, detector) over items; its outputs are annotations."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="runs")
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="run_name_once")]


class Annotation(models.Model):
    """One person's (or run's) answer on one item.

    A person's ``draft`` holds a claimed or reported place, ``submitted`` a submitted one, and
    ``set_aside`` none; ``place`` remembers the place it was made in, also after it went to another.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        SUBMITTED = "submitted", _("Submitted")
        SET_ASIDE = "set_aside", _("Set aside")

    item = models.ForeignKey(Item, models.CASCADE, related_name="annotations", db_index=False)
    annotator = models.ForeignKey(
        Participant, models.PROTECT, null=True, related_name="annotations", db_index=False
    )
    run = models.ForeignKey(Run, models.CASCADE, null=True, related_name="annotations")
    place = models.ForeignKey(Assignment, models.SET_NULL, null=True, related_name="annotations")
    state = models.CharField(max_length=9, choices=State, default=State.DRAFT)
    comment = models.TextField(blank=True)
    no_hallucination = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=0)
    active_ms = models.PositiveBigIntegerField(default=0)
    submitted_at = models.DateTimeField(null=True)
    saved_at = models.DateTimeField(help_text=_("Last acknowledged save, or the claim."))
    draft = JSONTextField(null=True, help_text=_("Correction of a submitted answer, not sent yet."))
    reason = models.TextField(blank=True, help_text=_("Why the item was reported as unusable."))

    class Meta:
        indexes = [
            # Only of submitted answers, so that "had the person this item?" cannot walk through all
            # that the person ever did where PostgreSQL has no statistics yet.
            models.Index(
                fields=["annotator", "submitted_at"],
                name="annotation_last_answers",
                condition=models.Q(submitted_at__isnull=False),
            ),
            models.Index(
                fields=["annotator"],
                name="annotation_set_aside",
                condition=models.Q(state="set_aside"),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="annotation_person_once"),
            models.UniqueConstraint(fields=["item", "run"], name="annotation_run_once"),
            models.CheckConstraint(
                name="annotation_of_person_or_run",
                condition=models.Q(annotator__isnull=False, run=None)
                | models.Q(annotator=None, run__isnull=False),
            ),
            models.CheckConstraint(
                name="annotation_submitted_has_time",
                condition=~models.Q(state="submitted") | models.Q(submitted_at__isnull=False),
            ),
        ]


class Span(models.Model):
    annotation = models.ForeignKey(Annotation, models.CASCADE, related_name="spans", db_index=False)
    ordinal = models.PositiveIntegerField(help_text=_("Marking order."))
    start = models.PositiveIntegerField(help_text=_("First code point."))
    end = models.PositiveIntegerField(help_text=_("Code point after the last."))
    label = models.ForeignKey(Label, models.PROTECT, related_name="spans")
    sublabel = models.ForeignKey(Label, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "ordinal"], name="span_ordinal_once"),
            models.CheckConstraint(
                name="span_not_empty", condition=models.Q(end__gt=models.F("start"))
            ),
        ]


class Revision(models.Model):
    """An accepted write of an annotation; rows are added and never changed."""

    class Kind(models.TextChoices):
        SAVE = "save", _("Saved")
        SUBMIT = "submit", _("Submitted")
        REPORT = "report", _("Reported")
        SET_ASIDE = "set_aside", _("Set aside")
        ADOPT = "adopt", _("Adopted")
        IMPORT = "import", _("Imported")

    annotation = models.ForeignKey(Annotation, models.CASCADE, related_name="revisions")
    kind = models.CharField(max_length=9, choices=Kind)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    at = models.DateTimeField()
    version = models.PositiveIntegerField()
    answer = JSONTextField(help_text=_("The whole answer after the write."))
