"""What every line says of the request or the job it belongs to."""

from __future__ import annotations

from contextvars import ContextVar

NOTE = "sheepfold.note"  # key of a request's environ under which the site leaves what it knows
PROBES = ("/healthz", "/readyz")
_bound: ContextVar[dict[str, object]] = ContextVar("bound")
_secrets: ContextVar[tuple[str, ...]] = ContextVar("secrets", default=())


def begin(**fields: object) -> None:
    """From here on lines of this thread carry these fields, and none of what was begun before."""
    _bound.set({name: value for name, value in fields.items() if value is not None})
    _secrets.set(())


def hide(secret: str) -> None:
    """No line of this request may show that text, wherever it stands."""
    if secret:
        _secrets.set((*_secrets.get(), secret))


def fields() -> dict[str, object]:
    return _bound.get({})


def secrets() -> tuple[str, ...]:
    return _secrets.get()
