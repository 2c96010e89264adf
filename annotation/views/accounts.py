"""What people see of their own account: sessions, tokens, e-mail address, erasing it."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ResetPasswordForm
from allauth.account.views import PasswordResetView
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions import accounts as actions
from annotation.actions.password_mail import ask_for_link
from annotation.actions.sessions import end_sessions
from annotation.converters import BIGGEST
from annotation.errors import Refused, Unknown
from annotation.requests import UserRequest
from annotation.selectors.accounts import (
    has_second_factor,
    last_coordinator_of,
    mail_works,
    sessions_of,
    tokens_of_account,
)


@login_required
@require_safe
def account(request: UserRequest) -> HttpResponse:
    context = {
        "second_factor": has_second_factor(request.user),
        "sessions": len(sessions_of(request.user, None)),
        "tokens": len(tokens_of_account(request.user)),
        "mail_works": mail_works(),
    }
    return render(request, "account/account.html", context)


def _chosen(request: UserRequest, name: str) -> int | None:
    """The id in the form's field, none where it has no such field; what is no id is unknown."""
    text = request.POST.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:20]) <= BIGGEST):
        raise Unknown(name)
    return int(text)


@login_required
@require_http_methods(["GET", "POST"])
def sessions(request: UserRequest) -> HttpResponse:
    """The list; a POST ends the one it names, or all others."""
    here = request.session.session_key
    if request.method == "POST":
        ended = end_sessions(request.user, here, _chosen(request, "session"))
        text = ngettext("%d session is ended.", "%d sessions are ended.", ended)
        messages.success(request, text % ended)
        return redirect("account_sessions")
    rows = sessions_of(request.user, here)
    context = {"rows": rows, "others": any(not row["current"] for row in rows)}
    return render(request, "usersessions/usersession_list.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def tokens(request: UserRequest) -> HttpResponse:
    """The list; a POST revokes the one it names, or all."""
    if request.method == "POST":
        pk = _chosen(request, "token")
        if pk is not None:
            actions.revoke_own_token(request.user, pk)
            gone = 1
        else:
            gone = actions.revoke_own_tokens(request.user)
        text = ngettext("%d token is revoked.", "%d tokens are revoked.", gone)
        messages.success(request, text % gone)
        return redirect("account_tokens")
    return render(request, "account/tokens.html", {"tokens": tokens_of_account(request.user)})


@login_required
@require_http_methods(["GET", "POST"])
def email(request: UserRequest) -> HttpResponse:
    """There only where the site sends mail."""
    if not mail_works():
        raise Http404
    context: dict[str, Any] = {"value": request.POST.get("email", request.user.email)}
    if request.method == "POST":
        try:
            _ask_password(request)
            actions.change_email(request.user, request.POST.get("email", ""))
            messages.success(request, _("The e-mail address is saved."))
            return redirect("account")
        except Refused as refused:
            context["problems"] = refused.problems
            return render(request, "account/email.html", context, status=422)
    return render(request, "account/email.html", context)


def _ask_password(request: UserRequest) -> None:
    """Whoever finds an open session must not take or erase the account."""
    if not ratelimit.consume(request, action="reauthenticate", user=request.user):
        raise Refused(("password", _("Too many tries: wait a minute.")))
    if not request.user.check_password(request.POST.get("password", "")):
        raise Refused(("password", _("This is not your password.")))


class _ForgottenForm(ResetPasswordForm):
    """Looks nobody up: what it says of an address is the same for all."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"])

    def save(self, request: HttpRequest, **_options: Any) -> str:
        address = str(self.cleaned_data["email"])
        ask_for_link(address, f"{request.scheme}://{request.get_host()}")
        return address


class _ForgottenView(PasswordResetView):
    def get_form_class(self) -> type[ResetPasswordForm]:
        return _ForgottenForm


_by_mail = _ForgottenView.as_view()


def password_forgotten(request: HttpRequest) -> HttpResponseBase:
    """By mail where the site sends mail; whom to ask where it does not."""
    if mail_works():
        return _by_mail(request)
    return render(request, "account/password_ask.html")


@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "POST"])
def erase(request: UserRequest) -> HttpResponse:
    """What goes and what stays, and the password once more; then the account is gone."""
    alone = [project.name for project in last_coordinator_of(request.user)]
    context: dict[str, Any] = {"alone": alone}
    if request.method == "POST":
        try:
            _ask_password(request)
            actions.erase_account(request.user, request.user)
        except Refused as refused:
            context["problems"] = refused.problems
            return render(request, "account/erase.html", context, status=422)
        logout(request)
        messages.success(request, _("Your account is erased."))
        return redirect("account_login")
    return render(request, "account/erase.html", context)
