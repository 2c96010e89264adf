"""What other apps do when somebody's roles in a project change; this app knows nothing of them."""

from __future__ import annotations

from collections.abc import Callable, Collection

from annotation.models import Participant, User

# (by, the person, the roles that they hold from now on), in the transaction of the change
Work = Callable[[User | None, Participant, Collection[str]], None]
_WORK: list[Work] = []


def add_leaving(work: Work) -> None:
    """Let ``work`` free what the person held in a role that they lose; twice is once."""
    if work not in _WORK:
        _WORK.append(work)


def roles_changed(by: User | None, person: Participant, roles: Collection[str]) -> None:
    """Tell every app which roles are left."""
    for work in _WORK:
        work(by, person, roles)
