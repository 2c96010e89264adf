"""Invitations as their project's coordinators see them, and as the holder of a link does."""

from __future__ import annotations

from typing import Any

from annotation.models import Invitation, Membership, Project

SHOWN = 100


def may_still_invite(invitation: Invitation) -> bool:
    """Whoever made the invitation coordinates the project still, or it is the command line's."""
    if invitation.created_by_id is None:
        return True
    return Membership.objects.filter(
        participant=invitation.created_by_id, role=Membership.Role.COORDINATOR
    ).exists()


def state_of(invitation: Invitation) -> str:
    """A name of `Invitation.State`: one whose maker coordinates no longer counts as revoked."""
    if invitation.state == Invitation.State.OPEN and not may_still_invite(invitation):
        return Invitation.State.REVOKED
    return invitation.state


def invitation_of(digest: str) -> Invitation | None:
    return Invitation.objects.select_related("project").filter(digest=digest).first()


def invitations_of(project: Project) -> list[dict[str, Any]]:
    """The last `SHOWN`, the newest first: ``{"invitation", "state", "role", "used_by", "by"}``."""
    coordinators = set(
        Membership.objects.filter(
            participant__project=project, role=Membership.Role.COORDINATOR
        ).values_list("participant", flat=True)
    )
    found = project.invitations.select_related("created_by__user", "used_by__user")
    rows = []
    for invitation in found.order_by("-id")[:SHOWN]:
        state, by = invitation.state, invitation.created_by_id
        if state == Invitation.State.OPEN and by is not None and by not in coordinators:
            state = Invitation.State.REVOKED
        rows.append(
            {
                "invitation": invitation,
                "state": state,
                "role": Membership.Role(invitation.role).label,
                "by": invitation.created_by,
                "used_by": invitation.used_by,
            }
        )
    return rows
