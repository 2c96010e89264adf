"""What was refused of a form, at the fields it is about; ``problems`` is in the context."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotation.errors import Problem

register = template.Library()


def _of(context: template.Context, name: str) -> list[Problem]:
    return [problem for problem in context.get("problems") or [] if problem.where == name]


@register.simple_tag(takes_context=True)
def faulty(context: template.Context, name: str, described: str = "") -> SafeString:
    """Attributes of the field: its description, and what is refused; the first gets the focus."""
    here = _of(context, name)
    ids = f"{described} {name}-problem".strip() if here else described
    parts = [format_html(' aria-describedby="{}"', ids)] if ids else []
    if here:
        parts.append(SafeString(' aria-invalid="true"'))
    if here and context["problems"][0].where == name:
        parts.append(SafeString(" autofocus"))
    return SafeString("".join(parts))


@register.simple_tag(takes_context=True)
def problems_of(context: template.Context, name: str) -> SafeString:
    """Why the field is refused, to stand under it; nothing where it is not."""
    here = _of(context, name)
    if not here:
        return SafeString("")
    lines = format_html_join(SafeString("<br>"), "{}", ((problem.message,) for problem in here))
    return format_html('<p class="errors" id="{}-problem" role="alert">{}</p>', name, lines)


@register.filter
def elsewhere(problems: Iterable[Problem] | None, names: str) -> list[Problem]:
    """The problems of no field among ``names``, for the place above the form."""
    return [problem for problem in problems or [] if problem.where not in names.split()]
