"""Making an account: the rules for its name and its password."""

from __future__ import annotations

import regex
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.errors import Problem, Refused
from annotation.models import User
from annotation.visible import is_blank

# Alphabets with letters of one shape: with two in one name it could pass for another's.
LOOK_ALIKE = [regex.compile(rf"\p{{Script={name}}}") for name in ("Latin", "Greek", "Cyrillic")]


def check_username(username: str) -> None:
    try:
        User._meta.get_field("username").clean(username, None)
    except ValidationError as error:
        raise Refused(*(Problem("username", message) for message in error.messages)) from None
    # Some letters draw nothing: a name with one looks like another, or like none.
    if any(map(is_blank, username)):
        raise Refused(("username", _("A name has no characters that nobody can see.")))
    if sum(bool(letters.search(username)) for letters in LOOK_ALIKE) > 1:
        raise Refused(("username", _("A name has the letters of one alphabet: some look alike.")))


def new_account(username: str, password: str | None) -> User:
    """Store an account; `Refused` where the name is taken or the password too weak."""
    # Logging in looks at no case: of two names that differ in it alone, neither could.
    alike = User.objects.filter(username__iexact=username).first()
    if alike is not None:
        message = _("There is an account %s: names must differ by more than capitals.")
        raise Refused(("username", message % alike.username))
    user = User(username=username)
    if password is None:
        user.set_unusable_password()
    else:
        check_password(password, user)
        user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:  # somebody made it a moment ago
        raise Refused(("username", _("This account was just made: try again."))) from None
    return user


def check_password(password: str, user: User) -> None:
    if "\x00" in password:  # no login form takes it
        raise Refused(("password", _("A password cannot hold the character NUL.")))
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(*(Problem("password", message) for message in error.messages)) from None
