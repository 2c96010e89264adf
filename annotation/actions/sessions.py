"""Ending the sessions of an account."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction

from annotation.actions.audit import note
from annotation.errors import Unknown
from annotation.models import User


@transaction.atomic
def end_sessions(user: User, keep: str | None, pk: int | None = None) -> int:
    """End the account's session ``pk``, or all but the one with the key ``keep``; how many."""
    rows = UserSession.objects.filter(user=user)
    rows = rows.filter(pk=pk) if pk is not None else rows.exclude(session_key=keep or "")
    keys = list(rows.values_list("session_key", flat=True))
    if pk is not None and not keys:
        raise Unknown(str(pk))
    Session.objects.filter(session_key__in=keys).delete()
    rows.delete()
    if keys:
        note(user, "session.ended", subject=user, count=len(keys))
    return len(keys)


def end_every_session(user: User) -> None:
    """In every browser; also a session that is in no list: it says inside whose it is."""
    own = str(user.pk)
    keys = [
        session.session_key
        for session in Session.objects.iterator()
        if session.get_decoded().get("_auth_user_id") == own
    ]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).delete()
