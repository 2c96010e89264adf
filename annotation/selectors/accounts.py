"""An account as its owner and the gates see it: second factor, sessions, tokens."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.models import ApiToken, Membership, Project, User


def has_second_factor(user: User) -> bool:
    return Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists()


def is_erased(user: Any) -> bool:
    """Whether the account that asked, if one did, is there no more."""
    return bool(user.is_authenticated and not User.objects.filter(pk=user.pk).exists())


def coordinates_anything(user: User) -> bool:
    return Membership.objects.filter(
        participant__user=user, role=Membership.Role.COORDINATOR
    ).exists()


def sessions_of(user: User, current: str | None) -> list[dict[str, Any]]:
    """The live sessions, the newest first: ``{"session", "current"}``; ``current`` is a key."""
    rows = UserSession.objects.filter(user=user).order_by("-created_at", "-pk")
    live = set(
        Session.objects.filter(
            session_key__in=[row.session_key for row in rows], expire_date__gt=timezone.now()
        ).values_list("session_key", flat=True)
    )
    return [
        {"session": row, "current": row.session_key == current}
        for row in rows
        if row.session_key in live
    ]


def tokens_of_account(user: User) -> list[ApiToken]:
    return list(ApiToken.objects.filter(user=user).order_by("-pk"))


def last_coordinator_of(user: User) -> list[Project]:
    """The projects that would have no coordinator without this account."""
    mine = Project.objects.filter(
        participants__user=user, participants__memberships__role=Membership.Role.COORDINATOR
    )
    others = Membership.objects.filter(role=Membership.Role.COORDINATOR).exclude(
        participant__user=user
    )
    return list(mine.exclude(pk__in=others.values("participant__project")).order_by("pk"))


def mail_works() -> bool:
    """Whether the site can send mail; where it cannot, no page offers any."""
    return bool(settings.HAS_EMAIL)
