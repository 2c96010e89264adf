"""What other apps do when a label's code changes or goes; this app knows nothing of them."""

from __future__ import annotations

from collections.abc import Callable

from annotation.models import Label

# (the label, its code before, its code from now on or None), in the transaction of the change
Work = Callable[[Label, str, str | None], None]
_WORK: list[Work] = []


def add_recoding(work: Work) -> None:
    """Let ``work`` change what it keeps under the code; twice is once."""
    if work not in _WORK:
        _WORK.append(work)


def code_changed(label: Label, before: str, after: str | None) -> None:
    """Tell every app that the code is another one, or that the label is deleted (None)."""
    for work in _WORK:
        work(label, before, after)
