"""Reports that were computed, each for one state of its project's data."""

from __future__ import annotations

from django.db import models

from annotation.models import Project


class StoredReport(models.Model):
    """The last answer to one question about a project; stale once ``state`` is not the project's.

    ``question`` and ``state`` are SHA-256 digests, ``content`` is JSON text.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="reports", db_index=False)
    question = models.CharField(max_length=64)
    state = models.CharField(max_length=64)
    content = models.TextField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "question"], name="report_question_once")
        ]
