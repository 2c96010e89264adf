"""``manage.py import_briefs SLUG FILE [--partial]``: briefs for writers from a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.management.refusals import project_named
from annotation.management.tables import TableCommand
from writing.actions.briefs import import_briefs


class Command(TableCommand):
    help = "Import briefs from JSON lines or CSV; a second run of the same file changes nothing."
    requires_system_checks = ()  # they read every page and the API

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", help="the file to read; a name that ends in .csv is a table")
        parser.add_argument("--partial", action="store_true", help="keep the good rows")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["slug"])
        path = Path(options["file"])
        try:
            with path.open("rb") as source:
                report = import_briefs(None, project, source, str(path), options["partial"])
        except OSError as error:
            raise CommandError(f"{path}: cannot be read: {error.strerror}") from None
        for refusal in report.refusals:
            self.stderr.write(str(refusal), self.style.ERROR)
        if report.refused and not options["partial"]:
            self.stderr.write("Nothing was imported: mend these rows, or add --partial.")
        self.stdout.write(report.line())
        if report.refused:
            sys.exit(1)
