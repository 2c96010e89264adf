"""Which scripts a page asks for in its head, before it is read to the end."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings


def ahead(modules: Sequence[str], entry: str) -> list[str]:
    """The page's modules; its one script alone where files were collected and joined."""
    return [entry] if settings.SCRIPTS_JOINED else list(modules)
