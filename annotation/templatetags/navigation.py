"""The tabs of a project's pages for coordinators."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

register = template.Library()

TABS = (
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
)


@register.simple_tag(takes_context=True)
def project_tabs(context: template.Context) -> list[dict[str, Any]]:
    """``[{"name", "text", "url"}]`` for the project in the context."""
    slug = context["project"].slug
    return [{"name": name, "text": text, "url": reverse(name, args=[slug])} for name, text in TABS]
