"""Exceptions as a log may tell them: where it happened, never with which data."""

from __future__ import annotations

import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Their first line names tables, files or code. Others may quote what a person wrote, so of them
# the kind alone is told.
TELLING = {
    "OperationalError", "ProgrammingError", "IntegrityError", "InterfaceError", "ImportError",
    "ModuleNotFoundError", "ImproperlyConfigured", "TemplateDoesNotExist", "TemplateSyntaxError",
    "AttributeError", "NameError", "TypeError", "DisallowedHost",
}  # fmt: skip


def told(error: BaseException) -> str:
    """``kind: first line``, or the kind alone."""
    kind = type(error).__name__
    if isinstance(error, OSError):
        return f"{kind}: {error.strerror or ''} {error.filename or ''}".rstrip(" :")
    words = str(error).strip().splitlines() if kind in TELLING else []
    return f"{kind}: {words[0]}" if words else kind


def _place(frame: traceback.FrameSummary) -> str:
    path = Path(frame.filename)
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return f"{name}:{frame.lineno} {frame.name}: {frame.line or ''}".rstrip(": ")


def trace(error: BaseException) -> list[str]:
    """The frames, the cause first, each as ``file:line function: code``; no values of variables."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    lines = trace(before) if before is not None else []
    frames = traceback.extract_tb(error.__traceback__)
    return [*lines, *map(_place, frames), told(error)]
