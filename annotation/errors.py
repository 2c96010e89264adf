"""What an action raises when it refuses; pages, API and commands turn it into their own answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """One fault: ``where`` names the field (``spans[2].end``), ``message`` the mend."""

    where: str
    message: str


class Refused(Exception):
    """The change was refused and nothing was written."""

    def __init__(self, *problems: Problem | tuple[str, Any]) -> None:
        self.problems = [
            p if isinstance(p, Problem) else Problem(p[0], str(p[1])) for p in problems
        ]
        super().__init__("; ".join(f"{p.where}: {p.message}" for p in self.problems))


class Forbidden(Exception):
    """The person is in the project, but not in a role that may do this."""


class SecondFactorNeeded(Forbidden):
    """The site demands a second factor for this, and the account has none yet."""


class Unknown(Exception):
    """There is no such thing for this person: it does not exist or is foreign."""
