"""What is asked of a report, and the refusals of what cannot be asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agreement.report import group_items
from agreement.stats import INTERVALS, Units

MOST_RESAMPLES = 20_000
MOST_GROUPINGS = 12
MOST_GROUPS = 300


class BadQuestion(ValueError):
    """``where`` names the option, the message says what it takes."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


@dataclass(frozen=True, slots=True)
class Question:
    """Groupings (each one or several crossed fields) and how intervals are made."""

    groupings: tuple[tuple[str, ...], ...] = ()
    resamples: int = 1000
    seed: int = 0
    level: float = 0.95
    interval: str = INTERVALS[0]

    def how(self) -> dict[str, Any]:
        """The keywords of `agreement.report.report`."""
        return {k: v for k, v in asdict(self).items() if k != "groupings"}


def groupings_of(by: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """``["strategy", "strategy,language"]`` as one grouping after the other, doubles once.

    A name with a comma, or with blanks around it, is written as a JSON list: ``["a,b"]``.

    Raises
    ------
    BadQuestion
        If a grouping has an empty name, a name twice, or there are too many.
    """
    found: dict[tuple[str, ...], None] = {}
    for text in by:
        names = _names(text)
        if not all(names):
            raise BadQuestion("by", f"an empty field name in {text!r}")
        if len(set(names)) < len(names):
            raise BadQuestion("by", f"the same field twice in {text!r}")
        found[names] = None
    if len(found) > MOST_GROUPINGS:
        raise BadQuestion("by", f"at most {MOST_GROUPINGS} groupings at once")
    return tuple(found)


def _names(text: str) -> tuple[str, ...]:
    if not text.lstrip().startswith("["):
        return tuple(name.strip() for name in text.split(","))
    try:
        found = json.loads(text)
    except ValueError:
        raise BadQuestion("by", f"no JSON list of field names: {text[:80]!r}") from None
    if not found or not all(isinstance(name, str) for name in found):
        raise BadQuestion("by", f"a JSON list of field names, not {text[:80]!r}")
    return tuple(found)


def written(names: Sequence[str]) -> str:
    """The text that `groupings_of` reads as these names.

    Examples
    --------
    >>> written(["strategy", "language"]), written(["a,b"])
    ('strategy,language', '["a,b"]')
    """
    plain = ",".join(names)
    try:
        if _names(plain) == tuple(names) and plain.isprintable():
            return plain
    except BadQuestion:
        pass
    return json.dumps(list(names))


def check_groups(units: Units, question: Question) -> None:
    """Refuse a grouping with more groups than anybody reads, such as one by a unique id.

    Raises
    ------
    BadQuestion
    UnknownField
    """
    for names in question.groupings:
        count = len(group_items(units, names))
        if count > MOST_GROUPS:
            text = f"{','.join(names)} makes {count:,} groups: at most {MOST_GROUPS}"
            raise BadQuestion("by", text)


def _number(where: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,20}", text):
        raise BadQuestion(where, f"a whole number, not {text[:40]!r}")
    found = int(text)
    if not least <= found <= most:
        raise BadQuestion(where, f"a number from {least} to {most}, not {text[:40]}")
    return found


def parse_question(
    by: Iterable[str] = (),
    resamples: str = "1000",
    seed: str = "0",
    level: str = "0.95",
    interval: str = INTERVALS[0],
) -> Question:
    """A question from texts as a command line or an address gives them.

    Raises
    ------
    BadQuestion
        For the first option that cannot be.
    """
    try:
        share = float(level)
    except ValueError:
        share = 0.0
    if not 0.5 <= share < 1:
        raise BadQuestion("level", f"a share from 0.5 to below 1, not {level[:40]!r}")
    if interval not in INTERVALS:
        raise BadQuestion("interval", f"{' or '.join(INTERVALS)}, not {interval[:40]!r}")
    return Question(
        groupings_of(by),
        _number("resamples", resamples, 0, MOST_RESAMPLES),
        _number("seed", seed, 0, 2**63 - 1),
        share,
        interval,
    )
