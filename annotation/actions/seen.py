"""What a form showed: of two people who change a thing, neither undoes what the other changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _

from annotation.errors import Problem, Refused

SHOWN = 200  # characters of somebody's value that stand in a message


class Overtaken(Refused):
    """Somebody else changed the same fields meanwhile; ``seen`` is for the form that says so."""

    def __init__(self, problems: Iterable[Problem], seen: str) -> None:
        super().__init__(*problems)
        self.seen = seen


def _mark(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def seen_of(row: Model, names: Iterable[str]) -> str:
    """The fields' values as marks, for a form to send back: ``name:mark name:mark``."""
    return " ".join(f"{name}:{_mark(getattr(row, name))}" for name in names)


def changed_by_person(now: Model, values: Mapping[str, Any], seen: str) -> dict[str, Any]:
    """Those of ``values`` that differ from what the person's form showed (`seen_of`).

    A field that the form said nothing of counts as changed. Raises `Overtaken` where somebody else
    gave such a field another value meanwhile; the row ``now`` is locked.
    """
    marks = dict(part.partition(":")[::2] for part in seen.split())
    changed = {name: value for name, value in values.items() if _mark(value) != marks.get(name)}
    stored = {name: _mark(getattr(now, name)) for name in changed if name in marks}
    lost = [name for name in stored if stored[name] not in (marks[name], _mark(changed[name]))]
    if lost:
        marks |= {name: stored[name] for name in lost}
        problems = [Problem(name, _overtaken(getattr(now, name))) for name in lost]
        raise Overtaken(problems, " ".join(f"{name}:{mark}" for name, mark in marks.items()))
    return changed


def _overtaken(value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)
    if isinstance(value, bool):
        text = _("yes") if value else _("no")
    if len(text) > SHOWN:
        return _(
            "Somebody else changed this after you opened the page. Read it in a second tab; what "
            "you typed is still here, and takes its place if you save again."
        )
    return (
        _(
            "Somebody else changed this after you opened the page; it reads now: “%s”. What you "
            "typed is still here, and takes its place if you save again."
        )
        % text
    )
