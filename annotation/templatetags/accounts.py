"""What pages ask about the site's accounts."""

from __future__ import annotations

from django import template

from annotation.selectors import accounts

register = template.Library()


@register.simple_tag
def mail_works() -> bool:
    """Whether the site sends mail."""
    return accounts.mail_works()
