"""Who did what to a project or an account: rows are added and never changed."""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.models.fields import JSONTextField
from annotation.models.people import Participant
from annotation.models.projects import Project


class AppendOnly(Exception):
    """The log takes new rows alone."""


class AuditQuerySet(models.QuerySet["AuditEvent"]):
    def update(self, **values: Any) -> NoReturn:
        raise AppendOnly()

    def delete(self) -> NoReturn:
        raise AppendOnly()

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnly()


def _pointer(to: Any) -> Any:
    # No constraint: an account that is erased leaves its number here and nothing else, since a row
    # of the log cannot change.
    return models.ForeignKey(
        to,
        models.DO_NOTHING,
        null=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )


class AuditEvent(models.Model):
    """One thing that somebody did. The database's own triggers refuse changes too.

    People stand here by number, never by name. ``actor`` is null for the machine's command line.
    """

    at = models.DateTimeField(default=timezone.now)
    project = _pointer(Project)
    actor = _pointer(settings.AUTH_USER_MODEL)
    actor_person = _pointer(Participant)
    kind = models.CharField(max_length=40)
    target = models.CharField(max_length=200, blank=True)
    subject = _pointer(settings.AUTH_USER_MODEL)
    subject_person = _pointer(Participant)
    detail = JSONTextField(default=dict)
    source = models.CharField(max_length=8)

    objects = AuditQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["project", "-id"], name="audit_of_project")]

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnly()
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnly()
