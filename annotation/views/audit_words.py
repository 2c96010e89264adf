"""The details of the log in words, for its page; the downloads hold them as they are stored."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Label, Membership

NAMES: dict[str, Any] = {
    "annotations": gettext_lazy("with annotations"),
    "balance": gettext_lazy("balance"),
    "boundaries": gettext_lazy("boundaries"),
    "changed": gettext_lazy("changed"),
    "code": gettext_lazy("code"),
    "colour": gettext_lazy("colour"),
    "comment_required": gettext_lazy("comment needed"),
    "count": gettext_lazy("how many"),
    "days": gettext_lazy("days it can be used"),
    "description": gettext_lazy("description"),
    "facet": gettext_lazy("facet"),
    "fields": gettext_lazy("changed"),
    "given": gettext_lazy("an address was given"),
    "guidelines": gettext_lazy("guidelines for annotators changed"),
    "idle_seconds": gettext_lazy("idle after (seconds)"),
    "key": gettext_lazy("key"),
    "languages": gettext_lazy("languages"),
    "lease_minutes": gettext_lazy("lease (minutes)"),
    "name": gettext_lazy("name"),
    "new": gettext_lazy("new"),
    "overlap_allowed": gettext_lazy("spans may overlap"),
    "per_item": gettext_lazy("people per item"),
    "pictures": gettext_lazy("pictures"),
    "places": gettext_lazy("places opened"),
    "refused": gettext_lazy("refused"),
    "replaced": gettext_lazy("pictures replaced"),
    "role": gettext_lazy("role"),
    "roles": gettext_lazy("roles"),
    "rule": gettext_lazy("decision rule"),
    "same": gettext_lazy("the same"),
    "seed": gettext_lazy("seed"),
    "targets": gettext_lazy("target shares"),
    "up": gettext_lazy("moved up"),
    "writable": gettext_lazy("writers may write it"),
    "writer_guidelines": gettext_lazy("guidelines for writers changed"),
}
# codes that stand in a detail, as the other pages name them
VALUES: dict[str, Any] = {
    **dict(Membership.Role.choices),
    **dict(Label.Facet.choices),
}


def said(kind: str, detail: dict[str, Any]) -> str:
    """The detail on one line, such as ``people per item: 3 → 5; guidelines changed``."""
    return "; ".join(filter(None, (_part(kind, *pair) for pair in detail.items())))


def _part(kind: str, name: str, value: Any) -> str:
    word = str(NAMES.get(name, name))
    if name == "up" and value is False:
        return _("moved down")
    if name != "new" and (value is False or value == 0):
        return ""  # what did not happen
    if value is True or value == "":
        return word
    if kind == "settings.changed" and isinstance(value, list) and len(value) == 2:  # noqa: PLR2004
        return f"{word}: {_value(name, value[0])} → {_value(name, value[1])}"
    return f"{word}: {_value(name, value)}"


def _value(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        if not value:
            return _("all") if name in ("languages", "roles") else "–"
        return ", ".join(_value(name, one) for one in value)
    if isinstance(value, dict):
        return ", ".join(_of(name, str(VALUES.get(key, key)), one) for key, one in value.items())
    if not isinstance(value, str):
        return "–" if value is None else str(value)
    return str((NAMES if name == "fields" else VALUES).get(value, value))


def _of(name: str, key: str, value: Any) -> str:
    """A role with its languages, or a label with its share."""
    return f"{key} ({_value(name, value)})" if isinstance(value, list) else f"{key} {value}"
