"""Invitations to a project by link."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotation.models.fields import JSONTextField
from annotation.models.people import Membership, Participant
from annotation.models.projects import Project


class Invitation(models.Model):
    """A link that gives one person a role, once; only the SHA-256 of its secret is kept.

    ``created_by`` is null where it was made on the machine's command line.
    """

    class State(models.TextChoices):
        OPEN = "open"
        USED = "used"
        REVOKED = "revoked"
        EXPIRED = "expired"

    project = models.ForeignKey(Project, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=Membership.Role)
    languages = JSONTextField(default=list)
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        Participant, models.CASCADE, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(
        Participant, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="invitation_role_known",
                condition=models.Q(role__in=["coordinator", "annotator", "writer", "reviewer"]),
            ),
        ]

    @property
    def state(self) -> str:
        """How it stands now; that its maker has left the project is for the reader to look up."""
        if self.used_at is not None:
            return self.State.USED
        if self.revoked_at is not None:
            return self.State.REVOKED
        return self.State.EXPIRED if self.expires_at <= timezone.now() else self.State.OPEN
