"""Where the work at hand came in: a page, the API, or the machine's command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PAGE, API, COMMAND = "page", "api", "command"
_source: ContextVar[str] = ContextVar("source", default=COMMAND)


def current() -> str:
    return _source.get()


@contextmanager
def coming_from(source: str) -> Iterator[None]:
    """For the time of the block the work comes from there."""
    token = _source.set(source)
    try:
        yield
    finally:
        _source.reset(token)
