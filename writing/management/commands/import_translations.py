"""``manage.py import_translations SLUG FILE``: machine translations of accepted samples."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.tables import TableCommand
from annotation.models import Project
from writing.actions.translations import import_translations


class Command(TableCommand):
    help = "Import machine translations of accepted samples; a second run changes nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument(
            "file", help="JSON lines with the keys sample, language, text and, if wanted, question"
        )
        parser.add_argument("--partial", action="store_true", help="keep the good rows")

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["slug"]).first()
        if project is None:
            raise CommandError(f"There is no project {options['slug']!r}.")
        try:
            with Path(options["file"]).open("rb") as source:
                report = import_translations(
                    None, project, source, options["file"], options["partial"]
                )
        except OSError as error:
            message = f"{options['file']}: cannot be read: {error.strerror}"
            raise CommandError(message) from None
        for refusal in report.refusals:
            self.stderr.write(str(refusal), self.style.ERROR)
        if report.refused and not options["partial"]:
            self.stderr.write("Nothing was imported: mend these rows, or add --partial.")
        self.stdout.write(report.line())
        if report.refused:
            sys.exit(1)
