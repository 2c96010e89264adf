"""A user agent's string in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from annotation.browsers import browser_of

register = template.Library()


@register.filter
def in_words(agent: str) -> str:
    """``Firefox on Linux``; empty where the string does not say."""
    found = browser_of(agent)
    if found is None:
        return ""
    return _("%(browser)s on %(system)s") % {"browser": found[0], "system": found[1]}
