"""The file formats: a module each, registered in `FORMATS`; commands, pages and API offer these."""

from __future__ import annotations

from annotation.formats import aside, csv, jsonl, sheep
from annotation.formats.base import Fault, Format, Row, Rules

FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT for module in (sheep, jsonl, csv, aside)
}
READABLE = [name for name, format_ in FORMATS.items() if format_.read]

__all__ = ["FORMATS", "READABLE", "Fault", "Format", "Row", "Rules", "add_format"]


def add_format(format_: Format) -> None:
    """A format of another app, which is written only."""
    FORMATS[format_.name] = format_
