"""How allauth behaves here: nobody signs up, and what it does to an account stands in the log."""

from __future__ import annotations

import time
from typing import Any

from allauth.account import app_settings
from allauth.account import signals as account_signals
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa import signals as mfa_signals
from allauth.mfa.models import Authenticator
from django.http import HttpRequest

from annotation.actions.audit import note
from annotation.actions.people import drop_links
from annotation.actions.sessions import end_sessions
from annotation.models import User
from annotation.selectors.accounts import has_second_factor


class ClosedAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """A code where there is a second factor: the password alone must not take it away."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [way for way in methods if way["id"].startswith("mfa")] or methods

    def is_reauthentication_required(self, *, app: str, **options: Any) -> bool:
        """Also asked of a session that gave the password just now, before there was a factor."""
        user = self.request.user
        if has_second_factor(user) and not _gave_code_lately(self.request):
            raise ReauthenticationRequired
        return bool(super().is_reauthentication_required(app=app, **options))

    def send_notification_mail(self, *args: Any, **options: Any) -> None:
        """None: mail here is for a forgotten password and for invitations."""


def _gave_code_lately(request: HttpRequest) -> bool:
    since = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
    records = get_authentication_records(request, request.user)
    return any(each.get("method") == "mfa" and each["at"] > since for each in records)


def _password_changed(request: HttpRequest, user: User, **_more: Any) -> None:
    note(user, "password.changed", subject=user)
    drop_links(user)
    here = request.session.session_key if request.user.is_authenticated else None
    end_sessions(user, keep=here)  # they are dead already: their owner's list shows none of them


def _authenticator_added(
    request: HttpRequest, user: User, authenticator: Authenticator, **_more: Any
) -> None:
    if authenticator.type != Authenticator.Type.TOTP:
        return
    note(user, "second_factor.added", subject=user)
    # Whoever sets it up has typed a code of it; every other session was opened without one.
    record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type)
    request.session.save()
    end_sessions(user, keep=request.session.session_key)


def _authenticator_removed(user: User, authenticator: Authenticator, **_more: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        note(user, "second_factor.removed", subject=user)


def keep_in_the_log() -> None:
    """Its own pages leave no other place than its signals to write a row of the log."""
    for name, signal, write in (
        ("changed", account_signals.password_changed, _password_changed),
        ("reset", account_signals.password_reset, _password_changed),
        ("added", mfa_signals.authenticator_added, _authenticator_added),
        ("removed", mfa_signals.authenticator_removed, _authenticator_removed),
    ):
        signal.connect(write, dispatch_uid=f"audit-{name}")
