"""A project as a file, in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from annotation.aggregate import BOUNDARIES
from annotation.errors import Refused
from annotation.formats import FORMATS, Format
from annotation.models import Project
from annotation.selectors.records import item_records, one_reading

PIECE = 1 << 16


@dataclass(frozen=True)
class Export:
    """A file to be: its name, its type and its bytes in pieces of about `PIECE`."""

    filename: str
    content_type: str
    pieces: Iterator[bytes]


def export_of(project: Project, format_name: str, boundaries: str) -> Export:
    """The export; raises `Refused` for a format or boundaries that do not exist."""
    format_ = FORMATS.get(format_name)
    if format_ is None:
        known = ", ".join(FORMATS)
        raise Refused(("format", _("Unknown format %r: known are %s.") % (format_name, known)))
    if boundaries not in BOUNDARIES:
        raise Refused(("boundaries", _("Boundaries are %s.") % _(" or ").join(BOUNDARIES)))
    filename = f"{project.slug}.{format_.name}.{format_.extension}"
    if format_.name in (format_.extension, "jsonl"):
        filename = f"{project.slug}.{format_.extension}"
    return Export(filename, format_.content_type, _pieces(project, format_, boundaries))


def _pieces(project: Project, format_: Format, boundaries: str) -> Iterator[bytes]:
    gathered: list[str] = []
    size = 0
    with one_reading():
        read = format_.rows or partial(item_records, brief=format_.brief)
        rows = read(project)
        for piece in format_.write(rows, boundaries):
            gathered.append(piece)
            size += len(piece)
            if size >= PIECE:
                yield "".join(gathered).encode()
                gathered, size = [], 0
        if gathered:
            yield "".join(gathered).encode()
