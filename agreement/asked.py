"""What a page or the API is asked, from the query string."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from agreement.compare import Side
from agreement.compute import Comparison
from agreement.question import BadQuestion, Question, parse_question
from agreement.stats import POLICIES, Resampling
from agreement.tables import EMPTY_PAIRS, columns
from annotation.errors import Refused

OPTIONS = ("resamples", "seed", "level", "interval")


def _text(query: QueryDict, name: str, default: str) -> str:
    return query.get(name, "").replace("\x00", "").strip() or default


def question_of(query: QueryDict, groupings: list[str] | None = None) -> Question:
    """The question of an address; ``groupings`` where it names none. Raises `Refused`."""
    by = [text.replace("\x00", "") for text in query.getlist("by") if text.strip()]
    given = {name: value for name in OPTIONS if (value := _text(query, name, ""))}
    try:
        return parse_question(by or ([] if "by" in query else groupings or []), **given)
    except BadQuestion as error:
        raise Refused((error.where, error.message)) from None


@dataclass(frozen=True)
class View:
    """Which of the eleven statistics are shown."""

    labels_of: str = "first"
    empty_pairs: str = "one"

    def columns(self) -> dict[str, tuple[str, str]]:
        return columns(self.labels_of, self.empty_pairs)


def view_of(query: QueryDict) -> View:
    """The choice of statistics in an address. Raises `Refused`."""
    policy = _text(query, "labels_of", "first").replace("-", "_")
    empty = _text(query, "empty_pairs", "one").replace("-", "_")
    for name, value, known in (
        ("labels_of", policy, tuple(POLICIES)),
        ("empty_pairs", empty, EMPTY_PAIRS),
    ):
        if value not in known:
            text = _("one of %(known)s, not “%(value)s”")
            values = {"known": ", ".join(known), "value": value[:40]}
            raise Refused((name, text % values))
    return View(policy, empty)


def comparison_of(query: QueryDict) -> Comparison:
    """Two sides: the statistic of each, and its group as JSON. Raises `Refused`."""
    question = question_of(query)
    first, second = (_side(query, name) for name in ("a", "b"))
    return Comparison(first, second, Resampling(**question.how()))


def _side(query: QueryDict, name: str) -> Side:
    """``statistic_a`` and ``group_a``, which is ``["field", value]`` or empty for all items."""
    statistic = _text(query, f"statistic_{name}", "presence_alpha_free")
    text = _text(query, f"group_{name}", "")
    if not text:
        return Side(statistic)
    try:
        field, value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise Refused((f"group_{name}", _("Choose a group from the list."))) from None
    if not isinstance(field, str) or not field:
        raise Refused((f"group_{name}", _("Choose a group from the list.")))
    return Side(statistic, field, value)
