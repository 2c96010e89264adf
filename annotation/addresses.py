"""Whole addresses of pages, for links that leave the site."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse


def welcome_address(secret: str, origin: str = "http://127.0.0.1:8000") -> str:
    """The address at which the holder of the secret sets a password.

    ``origin`` (scheme, host, port) is what counts on a site without ``PUBLIC_URL``.
    """
    path = reverse("password_link", args=[secret])
    return f"{settings.ORIGIN if settings.PRODUCTION else origin}{path}"
