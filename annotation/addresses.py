"""Whole addresses of pages, for links that leave the site."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse


def welcome_address(secret: str, origin: str = "") -> str:
    """The address at which the holder of the secret sets a password.

    ``origin`` (scheme, host, port) is what counts on a site without ``PUBLIC_URL``; where neither
    is known the address is a path alone.
    """
    return _whole(reverse("password_link", args=[secret]), origin)


def invitation_address(secret: str, origin: str = "") -> str:
    """The address at which the holder of the secret joins a project; ``origin`` as above."""
    return _whole(reverse("join", args=[secret]), origin)


def new_password_address(uid: str, key: str, origin: str = "") -> str:
    """The address of a mailed link to set a forgotten password; ``origin`` as above."""
    return _whole(reverse("account_reset_password_from_key", args=[uid, key]), origin)


def _whole(path: str, origin: str) -> str:
    return f"{settings.ORIGIN if settings.PRODUCTION else origin}{path}"
