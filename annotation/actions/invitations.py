"""Invitations by link: making them, taking them back, accepting one."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.audit import note
from annotation.actions.locks import lock_project
from annotation.actions.new_accounts import check_username, new_account
from annotation.actions.people import check_role, digest, give_role
from annotation.errors import Problem, Refused, Unknown
from annotation.models import Invitation, Membership, Participant, Project, User
from annotation.selectors.invitations import may_still_invite

MOST_DAYS, MOST_AT_ONCE = 365, 1000


@transaction.atomic
def make_invitations(
    by: User | None, project: Project, role: str, languages: list[str], days: int, count: int = 1
) -> list[str]:
    """The secrets of new invitations, each shown this once; only their digests are kept."""
    project = lock_project(project)
    access.check_coordinator(by, project)
    _check(project, role, languages, days, count)
    made = [secrets.token_urlsafe(32) for _n in range(count)]
    creator = None if by is None else access.participant_for(by, project)
    expires_at = timezone.now() + timedelta(days=days)
    Invitation.objects.bulk_create(
        Invitation(
            project=project,
            role=role,
            languages=languages,
            digest=digest(secret),
            created_by=creator,
            expires_at=expires_at,
        )
        for secret in made
    )
    values: dict[str, Any] = {"role": role, "languages": languages, "days": days}
    note(by, "invitation.made", project, count=count, **values)
    return made


def _check(project: Project, role: str, languages: list[str], days: int, count: int) -> None:
    problems: list[Problem] = []
    try:
        check_role(project, role, languages)
    except Refused as refused:
        problems += refused.problems
    if not 1 <= days <= MOST_DAYS:
        problems.append(Problem("days", _("An invitation lasts 1 to %d days.") % MOST_DAYS))
    if not 1 <= count <= MOST_AT_ONCE:
        problems.append(Problem("count", _("Between 1 and %d links at once.") % MOST_AT_ONCE))
    if problems:
        raise Refused(*problems)


@transaction.atomic
def revoke_invitation(by: User | None, project: Project, pk: int) -> None:
    """End an invitation of the project that nobody has used; `Unknown` for a foreign one."""
    project = lock_project(project)
    access.check_coordinator(by, project)
    invitation = project.invitations.filter(pk=pk).first()
    if invitation is None:
        raise Unknown(str(pk))
    unused = Invitation.objects.filter(pk=pk, used_at=None, revoked_at=None)
    if not unused.update(revoked_at=timezone.now()):
        raise Refused(("invitation", _("This invitation has been used or revoked already.")))
    note(by, "invitation.revoked", project, str(pk), role=invitation.role)


@transaction.atomic
def accept_as_new(secret: str, username: str, password: str) -> Participant:
    """Make the account of a new person and spend the link; `Refused` leaves both undone."""
    invitation = _spend(secret)
    username = User.normalize_username(username)
    check_username(username)
    if User.objects.filter(username__iexact=username).exists():
        message = _("This name is taken: choose another, or log in if the account is yours.")
        raise Refused(("username", message))
    user = new_account(username, password)
    note(user, "account.made", invitation.project, subject=user)
    return _join(invitation, user)


@transaction.atomic
def accept_as(user: User, secret: str) -> Participant:
    """Let an account join and spend the link; an account that gains nothing leaves it unspent."""
    invitation = _spend(secret)
    held = Membership.objects.filter(
        participant__project=invitation.project, participant__user=user, role=invitation.role
    ).first()
    if held is not None:
        listed = held.languages or invitation.project.languages
        if set(invitation.languages or invitation.project.languages) <= set(listed):
            message = _("You have this role in the project already: the link is still unused.")
            raise Refused(("role", message))
    return _join(invitation, user)


def _spend(secret: str) -> Invitation:
    """Mark the invitation as used: of two at once the database lets one through."""
    invitation = Invitation.objects.select_related("project").filter(digest=digest(secret)).first()
    if invitation is None:
        raise Unknown("invitation")
    invitation.project = lock_project(invitation.project)
    now = timezone.now()
    open_ = Invitation.objects.filter(
        pk=invitation.pk, used_at=None, revoked_at=None, expires_at__gt=now
    )
    if not may_still_invite(invitation) or not open_.update(used_at=now):
        raise Refused(("link", _("This invitation cannot be used any more.")))
    return invitation


def _join(invitation: Invitation, user: User) -> Participant:
    person = give_role(invitation.project, user, invitation.role, invitation.languages)
    Invitation.objects.filter(pk=invitation.pk).update(used_by=person)
    note(
        user,
        "invitation.used",
        invitation.project,
        str(invitation.pk),
        subject=person,
        role=invitation.role,
        languages=invitation.languages,
    )
    return person
