"""The tabs of a project's pages for coordinators, and the pages that a role leads to from home."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

register = template.Library()

TABS: list[tuple[str, Any]] = [
    ("project", _("Progress")),
    ("items", _("Items")),
    ("reported", _("Reported")),
    ("aside", _("Set aside")),
    ("import", _("Import")),
    ("jobs", _("Jobs")),
    ("export", _("Export")),
    ("members", _("Members")),
    ("labels", _("Labels")),
    ("project_settings", _("Settings")),
    ("audit", _("Log")),
]


# (role, name of the address, text) of other apps, for the home page
ROLE_PAGES: list[tuple[str, str, Any]] = []


def add_role_page(role: str, name: str, text: Any) -> None:
    """A page of another app that people with the role open from their home page."""
    if name not in [page[1] for page in ROLE_PAGES]:
        ROLE_PAGES.append((role, name, text))


def add_tab(name: str, text: Any, after: str) -> None:
    """A tab of another app: the name of its address and its text, behind the tab ``after``."""
    names = [tab[0] for tab in TABS]
    if name not in names:
        TABS.insert(names.index(after) + 1, (name, text))


@register.simple_tag(takes_context=True)
def project_tabs(context: template.Context) -> list[dict[str, Any]]:
    """``[{"name", "text", "url"}]`` for the project in the context."""
    slug = context["project"].slug
    return [{"name": name, "text": text, "url": reverse(name, args=[slug])} for name, text in TABS]


@register.simple_tag
def role_pages(slug: str, roles: Collection[str]) -> list[dict[str, Any]]:
    """``[{"text", "url"}]`` of the pages that one of the roles opens in the project."""
    return [
        {"text": text, "url": reverse(name, args=[slug])}
        for role, name, text in ROLE_PAGES
        if role in roles
    ]
