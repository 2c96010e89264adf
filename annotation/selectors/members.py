"""The people of a project as a coordinator sees them."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from annotation.models import Membership, Project


def members_of(project: Project) -> list[dict[str, Any]]:
    """One row for each member, by name: participant, roles with languages, link state."""
    people = (
        project.participants.filter(user__isnull=False, memberships__isnull=False)
        .select_related("user__password_link")
        .prefetch_related("memberships")
        .order_by("user__username")
        .distinct()
    )
    rows = []
    for person in people:
        user = person.user
        link = getattr(user, "password_link", None)
        rows.append(
            {
                "person": person,
                "roles": [
                    (Membership.Role(m.role).label, m.languages) for m in person.memberships.all()
                ],
                "has_password": user is not None and user.has_usable_password(),
                "link": link is not None and link.expires_at > timezone.now(),
            }
        )
    return rows
