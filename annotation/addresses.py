"""Whole addresses of pages, for links that leave the site."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse


def welcome_address(secret: str) -> str:
    """The address at which the holder of the secret sets a password."""
    path = reverse("password_link", args=[secret])
    if settings.PRODUCTION:
        return f"{settings.ORIGIN}{path}"
    return f"http://127.0.0.1:8000{path}"
