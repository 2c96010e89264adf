"""Accounts, and the participants that annotations point to."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.fields import JSONTextField
from annotation.models.projects import Project


class User(AbstractUser):
    """An account; what it did in a project hangs on its `Participant`."""


class Participant(models.Model):
    """Somebody in a project. Outlives the account; also an annotator that came with an import."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="participants")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="participants",
    )
    pseudonym = models.CharField(max_length=200, help_text=_("Name in every download."))

    # Languages by role; no column: the gates of `annotation.access` fill it in.
    roles: dict[str, list[str]]

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="participant_user_once"),
            models.UniqueConstraint(
                fields=["project", "pseudonym"], name="participant_pseudonym_once"
            ),
        ]

    def __str__(self) -> str:
        return self.user.get_username() if self.user else self.pseudonym


class Membership(models.Model):
    class Role(models.TextChoices):
        COORDINATOR = "coordinator", _("Coordinator")
        ANNOTATOR = "annotator", _("Annotator")
        WRITER = "writer", _("Writer")
        REVIEWER = "reviewer", _("Reviewer")

    participant = models.ForeignKey(Participant, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)
    languages = JSONTextField(default=list, help_text=_("None given: all of the project's."))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["participant", "role"], name="membership_role_once"),
            models.CheckConstraint(
                name="membership_role_known",
                condition=models.Q(role__in=["coordinator", "annotator", "writer", "reviewer"]),
            ),
        ]


class ApiToken(models.Model):
    """A token of the API; only its SHA-256 is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)


class PasswordLink(models.Model):
    """A one-time link to set a password; only the SHA-256 of its secret is kept.

    It stands for what was so when it was made: who made it (null for the machine's command line),
    for whom, and over which password (the SHA-256 of what is stored of it).
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="password_link"
    )
    person = models.ForeignKey(
        Participant, models.CASCADE, null=True, related_name="+", db_index=False
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", db_index=False
    )
    over = models.CharField(max_length=64, default="")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
