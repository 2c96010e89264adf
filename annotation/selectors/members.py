"""The people of a project as a coordinator sees them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.utils import timezone

from annotation.models import ApiToken, Membership, Participant, Project


def members_of(project: Project) -> list[dict[str, Any]]:
    """One row for each member, by name: participant, roles with languages, link and tokens."""
    people = (
        project.participants.filter(user__isnull=False, memberships__isnull=False)
        .select_related("user__password_link")
        .prefetch_related("memberships")
        .annotate(tokens=Count("user__tokens", distinct=True))
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
                "tokens": person.tokens,
                "link": link is not None and link.expires_at > timezone.now(),
            }
        )
    return rows


def tokens_of(person: Participant) -> int:
    """How many API tokens the person's account has."""
    return ApiToken.objects.filter(user=person.user_id).count() if person.user_id else 0
