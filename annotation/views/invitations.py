"""Invitations: making and revoking them on the members page, and the page behind a link."""

from __future__ import annotations

import smtplib
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from annotation import access
from annotation.actions import invitations as actions
from annotation.actions.people import digest
from annotation.addresses import invitation_address
from annotation.errors import Refused, Unknown
from annotation.models import Invitation, Membership, Project
from annotation.requests import UserRequest
from annotation.selectors.accounts import mail_works
from annotation.selectors.invitations import invitation_of, state_of
from annotation.views.members import members_page


@login_required
@require_POST
def invite(request: UserRequest, slug: str) -> HttpResponse:
    """Make one invitation and show its link, this once; send it where mail is set up."""
    project = access.coordinated(request.user, slug)
    days, address = request.POST.get("days", ""), request.POST.get("email", "").strip()
    try:
        if address:
            _check_address(address)
        secret = actions.make_invitations(
            request.user,
            project,
            request.POST.get("role", ""),
            request.POST.getlist("languages"),
            int(days) if days.isascii() and days.isdigit() and len(days) < 6 else 0,
        )[0]
    except Refused as refused:
        return members_page(request, project, 422, problems=refused.problems, invited=request.POST)
    link = invitation_address(secret, f"{request.scheme}://{request.get_host()}")
    if address:
        _send(request, project, address, link)
    return members_page(request, project, invitation_link=link, invited=request.POST)


def _check_address(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError as error:
        raise Refused(("email", error.messages[0])) from None
    if not mail_works():
        raise Refused(("email", _("This site sends no mail: hand the link on yourself.")))


def _send(request: HttpRequest, project: Project, address: str, link: str) -> None:
    subject = _("Invitation to %s") % " ".join(project.name.split())
    text = _("You are invited to %(name)s. This link works once:\n\n%(link)s\n")
    try:
        send_mail(subject, text % {"name": project.name, "link": link}, None, [address])
    except (OSError, smtplib.SMTPException):
        messages.error(request, _("The mail could not be sent: hand the link on yourself."))
    else:
        messages.success(request, _("The invitation is sent."))


@login_required
@require_POST
def invitation_revoke(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    try:
        actions.revoke_invitation(request.user, project, pk)
        messages.success(request, _("The invitation is revoked."))
    except Refused as refused:
        messages.error(request, refused.problems[0].message)
    return redirect("members", slug)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """The page of a link: join with the account at hand, or make one."""
    invitation = invitation_of(digest(secret))
    if invitation is None:
        return render(request, "annotation/join_closed.html", {"state": "unknown"}, status=404)
    if state_of(invitation) != Invitation.State.OPEN:
        return _closed(request, invitation)
    context: dict[str, Any] = {
        "invitation": invitation,
        "role": Membership.Role(invitation.role).label,
        "languages": invitation.languages or invitation.project.languages,
        "values": request.POST,
    }
    if request.method == "POST":
        try:
            return _accept(request, secret)
        except (Refused, Unknown) as error:
            latest = invitation_of(digest(secret))
            if latest is not None and state_of(latest) != Invitation.State.OPEN:
                return _closed(request, latest)
            context["problems"] = error.problems if isinstance(error, Refused) else []
            return render(request, "annotation/join.html", context, status=422)
    return render(request, "annotation/join.html", context)


def _closed(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """410 with what to do; whoever used the link is told where the project is."""
    used_by = invitation.used_by
    mine = request.user.is_authenticated and used_by and used_by.user_id == request.user.pk
    context = {"state": state_of(invitation), "slug": invitation.project.slug if mine else ""}
    return render(request, "annotation/join_closed.html", context, status=410)


def _accept(request: HttpRequest, secret: str) -> HttpResponse:
    if request.user.is_authenticated:
        person = actions.accept_as(request.user, secret)
        messages.success(request, _("You are in %s now.") % person.project.name)
        return redirect("home")
    password = request.POST.get("password", "")
    if password != request.POST.get("again", ""):
        raise Refused(("again", _("The two passwords differ: type both again.")))
    actions.accept_as_new(secret, request.POST.get("username", "").strip(), password)
    messages.success(request, _("Your account is made. Log in with it."))
    return redirect(settings.LOGIN_URL)
