"""What the owner of an account does with it, and the site's keeper for them; erasing it."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.actions.audit import note
from annotation.actions.locks import lock_everywhere
from annotation.actions.people import leave
from annotation.actions.sessions import end_every_session
from annotation.errors import Problem, Refused, Unknown
from annotation.models import ApiToken, User
from annotation.selectors.accounts import last_coordinator_of


@transaction.atomic
def change_email(user: User, address: str) -> None:
    """Keep the address for mail about the password; an empty one takes it away."""
    address = User.objects.normalize_email(address.strip())
    if address:
        try:
            validate_email(address)
        except ValidationError as error:
            raise Refused(*(Problem("email", message) for message in error.messages)) from None
    user.email = address
    user.save(update_fields=["email"])
    note(user, "email.changed", subject=user, given=bool(address))


@transaction.atomic
def revoke_own_token(user: User, pk: int) -> None:
    """End one of the account's own API tokens."""
    gone, _rows = ApiToken.objects.filter(user=user, pk=pk).delete()
    if not gone:
        raise Unknown(str(pk))
    note(user, "token.revoked", subject=user, count=1)


@transaction.atomic
def revoke_own_tokens(user: User) -> int:
    """End all of them; how many there were."""
    gone, _rows = ApiToken.objects.filter(user=user).delete()
    if gone:
        note(user, "token.revoked", subject=user, count=gone)
    return gone


@transaction.atomic
def reset_second_factor(user: User) -> bool:
    """Take the second factor and the recovery codes away, for somebody who lost the telephone."""
    gone, _rows = Authenticator.objects.filter(user=user).delete()
    if gone:
        note(None, "second_factor.reset", subject=user)
    return bool(gone)


@transaction.atomic
def erase_account(by: User | None, user: User) -> None:
    """Delete the account and all that names the person; the work stays under the pseudonyms.

    ``by`` is the owner, or None for the site's keeper at the command line. Refused for the only
    coordinator of a project.
    """
    if by is not None and by.pk != user.pk:
        raise Unknown(str(user.pk))
    people = lock_everywhere(user)
    if alone := last_coordinator_of(user):
        listed = ", ".join(project.name for project in alone)
        message = _("Nobody else coordinates %s: name another coordinator there first.")
        raise Refused(("account", message % listed))
    for person in people:
        leave(person, user)
        note(by, "account.erased", person.project, subject=person)
    if not people:
        note(by, "account.erased", subject=user)
    end_every_session(user)
    # Not before the rows that others write of the account just now: those must go with it.
    if User.objects.select_for_update().filter(pk=user.pk).first() is None:
        raise Unknown(str(user.pk))
    user.delete()
