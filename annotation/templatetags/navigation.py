"""The tabs of a project's pages for coordinators."""

from __future__ import annotations

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
]


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
