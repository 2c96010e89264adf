"""``manage.py export SLUG --format NAME``: the project's items and answers as a file."""

from __future__ import annotations

import gc
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.actions import audit
from annotation.aggregate import BOUNDARIES
from annotation.errors import Refused
from annotation.formats import FORMATS
from annotation.management.tables import TableCommand
from annotation.models import Project
from annotation.selectors.exports import export_of


class Command(TableCommand):
    help = "Write the project's items to standard output or to a file."
    requires_system_checks = ()  # they read every page and the API: as long as a small export

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--format", required=True, help=f"one of {', '.join(FORMATS)}")
        parser.add_argument("--out", help="file to write; it is replaced only when all is written")
        parser.add_argument("--boundaries", choices=BOUNDARIES, default=BOUNDARIES[0])

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["slug"]).first()
        if project is None:
            raise CommandError(f"There is no project {options['slug']!r}.")
        try:
            pieces = export_of(project, options["format"], options["boundaries"]).pieces
        except Refused as refused:
            raise CommandError(refused.problems[0].message) from None
        boundaries = options["boundaries"]
        gc.freeze()  # the program stays loaded: going through it for rubbish costs a tenth
        audit.note_export(None, project, options["format"], boundaries=boundaries)
        if options["out"]:
            _replace(Path(options["out"]), pieces)
        else:
            self._print(pieces)

    def _print(self, pieces: Iterator[bytes]) -> None:
        """UTF-8 whatever the terminal's locale says."""
        binary = getattr(sys.stdout, "buffer", None)
        if self.stdout._out is not sys.stdout or binary is None:
            for piece in pieces:
                self.stdout.write(piece.decode(), ending="")
            return
        for piece in pieces:
            binary.write(piece)
        binary.flush()


def _replace(path: Path, pieces: Iterator[bytes]) -> None:
    """Write beside the file and rename: whoever reads it sees all of it or the one before."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            for piece in pieces:
                file.write(piece)
        beside.replace(path)
    except OSError as error:
        raise CommandError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)
