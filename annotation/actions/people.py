"""People of a project: accounts, roles, one-time links, tokens, leaving."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.audit import note
from annotation.actions.leaving import roles_changed
from annotation.actions.locks import lock_account, lock_member, lock_person, lock_project
from annotation.actions.new_accounts import check_password, check_username, new_account
from annotation.actions.places import free_places
from annotation.actions.sessions import end_sessions
from annotation.errors import Forbidden, Problem, Refused, Unknown
from annotation.models import (
    ApiToken,
    Assignment,
    Membership,
    Participant,
    PasswordLink,
    Project,
    User,
)
from annotation.pseudonyms import pseudonym

Role = Membership.Role
LINK_DAYS = 7


def digest(secret: str) -> str:
    """What is kept of a token or link: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def ensure_participant(project: Project, user: User) -> Participant:
    person, _made = Participant.objects.get_or_create(
        project=project,
        user=user,
        defaults={"pseudonym": pseudonym(project.pseudonym_key, f"user:{user.pk}")},
    )
    return person


def check_role(project: Project, role: str, languages: list[str]) -> None:
    problems = []
    if role not in Role.values:
        problems.append(Problem("role", _("A role is one of %s.") % ", ".join(Role.values)))
    for code in languages:
        if code not in project.languages:
            listed = ", ".join(project.languages)
            message = _("%(code)s is no language of this project: it has %(listed)s.")
            problems.append(Problem("languages", message % {"code": code, "listed": listed}))
    if problems:
        raise Refused(*problems)


def give_role(project: Project, user: User, role: str, languages: list[str]) -> Participant:
    """Let the account hold the role; languages given before are added to, none means all."""
    person = ensure_participant(project, user)
    membership, made = Membership.objects.get_or_create(
        participant=person, role=role, defaults={"languages": languages}
    )
    if not made and membership.languages:
        both = [*membership.languages, *languages] if languages else []
        membership.languages = list(dict.fromkeys(both))
        membership.save(update_fields=["languages"])
    if made:
        drop_links(user)
    return person


def drop_links(user: User | None) -> None:
    """End the account's one-time links: what they rested on has changed."""
    PasswordLink.objects.filter(user=user).delete()


@transaction.atomic
def add_member(
    by: User | None,
    project: Project,
    username: str,
    role: str,
    languages: list[str],
    password: str | None = None,
) -> tuple[Participant, bool]:
    """Give an account a role, making the account where it is missing; (participant, account made).

    A password is only set on an account that this call makes.
    """
    project = lock_project(project)
    access.check_coordinator(by, project)
    check_role(project, role, languages)
    username = User.normalize_username(username)
    check_username(username)
    user = lock_account(username)
    made = user is None
    if user is None:
        user = new_account(username, password)
        note(by, "account.made", project, subject=user)
    person = give_role(project, user, role, languages)
    note(by, "member.added", project, subject=person, role=role, languages=languages)
    return person, made


@transaction.atomic
def new_password_link(by: User | None, person: Participant) -> str:
    """The secret of a one-time link to set a password; it replaces an earlier one.

    Who holds the link can become that person. So a coordinator gets none for a superuser, nor for
    somebody who is also in a project that ``by`` does not coordinate, whether the account has a
    password already or waits for its first; for those ``manage.py changepassword`` remains.
    """
    access.check_coordinator(by, lock_member(person))
    user = _renewable(by, person)
    secret = secrets.token_urlsafe(32)
    PasswordLink.objects.update_or_create(
        user=user,
        defaults={
            "person": person,
            "made_by": by,
            "over": digest(user.password),
            "digest": digest(secret),
            "expires_at": timezone.now() + timedelta(days=LINK_DAYS),
        },
    )
    note(by, "password_link.made", person.project, subject=person)
    return secret


def _renewable(by: User | None, person: Participant) -> User:
    """The member's account, if ``by`` may decide about its password and tokens."""
    user = person.user
    if user is None or not person.memberships.exists():
        raise Refused(("user", _("This person is no member of the project.")))
    if by is not None and not may_renew(by, user):
        message = _("%s is also in projects of other coordinators: ask the site’s administrator.")
        raise Refused(("user", message % user.username))
    return user


def may_renew(by: User, user: User) -> bool:
    """Whether ``by`` may hold a link to that account: their own, or all its projects are theirs."""
    if by.pk == user.pk or by.is_superuser:
        return True
    theirs = Project.objects.filter(
        participants__user=user, participants__memberships__isnull=False
    )
    mine = Project.objects.filter(
        participants__user=by, participants__memberships__role=Role.COORDINATOR
    )
    return not user.is_superuser and not theirs.exclude(pk__in=mine).exists()


def link_for(secret: str) -> PasswordLink | None:
    """The link with that secret, if it is live and could be made anew by whoever made it."""
    link = (
        PasswordLink.objects.select_related("user", "made_by", "person__project", "person__user")
        .filter(digest=digest(secret), expires_at__gt=timezone.now())
        .first()
    )
    return link if link is not None and _still_right(link) else None


def _still_right(link: PasswordLink) -> bool:
    person = link.person
    if person is None:  # older than what is known of links
        return False
    try:
        access.check_coordinator(link.made_by, person.project)
        _renewable(link.made_by, person)
    except (Refused, Forbidden, Unknown):
        return False
    return link.over == digest(link.user.password)


@transaction.atomic
def use_password_link(secret: str, password: str) -> User:
    """Set the account's password and spend the link; `Refused` for a weak one or a dead link."""
    link = link_for(secret)
    if link is None:
        raise Refused(("link", _("This link has been used or has run out: ask for a new one.")))
    check_password(password, link.user)
    user = lock_account(link.user.username)
    spent, _rows = PasswordLink.objects.filter(pk=link.pk, digest=link.digest).delete()
    # Whoever changes a role or the password takes the link away: having it, ask once more.
    if user is not None:
        link.user = user
    if user is None or not spent or not _still_right(link):
        raise Refused(("link", _("This link has been used or has run out: ask for a new one.")))
    user.set_password(password)
    user.save(update_fields=["password"])
    note(user, "password.set", subject=user)
    end_sessions(user, keep=None)
    return user


@transaction.atomic
def change_roles(by: User | None, person: Participant, roles: Mapping[str, list[str]]) -> None:
    """Let the person hold exactly these roles, each with its languages (none: all)."""
    project = lock_member(person)
    access.check_coordinator(by, project)
    if not roles:
        raise Refused(("roles", _("Choose at least one role, or remove the person.")))
    for role, languages in roles.items():
        check_role(project, role, languages)
    if Role.COORDINATOR not in roles:
        keep_a_coordinator(person)
    if Role.ANNOTATOR not in roles:
        free_places(_claims(person), by)
    roles_changed(by, person, roles)
    person.memberships.exclude(role__in=roles).delete()
    for role, languages in roles.items():
        Membership.objects.update_or_create(
            participant=person, role=role, defaults={"languages": languages}
        )
    drop_links(person.user)
    note(by, "member.changed", person.project, subject=person, roles=dict(roles))


@transaction.atomic
def remove_member(by: User | None, person: Participant) -> None:
    """Take the person out of the project: answers stay, claimed places open again."""
    access.check_coordinator(by, lock_member(person))
    leave(person, by)
    note(by, "member.removed", person.project, subject=person)


def leave(person: Participant, by: User | None) -> None:
    """Free what the person holds and end the roles; `Refused` for the last coordinator."""
    lock_person(person)
    keep_a_coordinator(person)
    free_places(_claims(person), by)
    roles_changed(by, person, ())
    person.memberships.all().delete()
    drop_links(person.user)


def _claims(person: Participant) -> QuerySet[Assignment]:
    return Assignment.objects.filter(annotator=person, state=Assignment.State.CLAIMED)


def keep_a_coordinator(person: Participant) -> None:
    """`Refused` if the person is the only coordinator of the project; run it in a transaction."""
    # Two coordinators who remove each other at the same moment wait here for one another.
    Project.objects.select_for_update(no_key=True).get(pk=person.project_id)
    coordinators = Membership.objects.filter(
        participant__project=person.project, role=Role.COORDINATOR
    )
    if coordinators.filter(participant=person).exists() and coordinators.count() == 1:
        raise Refused(("roles", _("A project needs a coordinator: name another one first.")))


@transaction.atomic
def revoke_tokens(by: User | None, person: Participant) -> int:
    """Delete all API tokens of the person's account; how many there were.

    A new password leaves them alone: a forgotten password is no stolen one, and programs would stop
    for it. Whoever suspects more revokes them. Refused as `new_password_link` is, since the tokens
    serve every project of the account.
    """
    access.check_coordinator(by, lock_member(person))
    user = _renewable(by, person)
    count, _rows = ApiToken.objects.filter(user=user).delete()
    note(by, "token.revoked", person.project, subject=person, count=count)
    return count


@transaction.atomic
def make_token(user: User, by: User | None = None) -> str:
    """A new API token of the account; only its digest is kept."""
    token = secrets.token_urlsafe(32)
    ApiToken.objects.create(user=user, digest=digest(token))
    note(by, "token.made", subject=user)
    return token
