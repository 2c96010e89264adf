"""``manage.py agreement SLUG|FILE``: the numbers of a project or of a file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from agreement import cli
from agreement.selectors import units_of
from annotation.management.tables import TableCommand
from annotation.models import Project


class Command(TableCommand):
    help = cli.HELP
    requires_system_checks = ()  # they read every page: longer than a report of most projects

    def add_arguments(self, parser: ArgumentParser) -> None:
        cli.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        target = options["target"]
        try:
            question = cli.question_of(options)
            project = Project.objects.filter(slug=target).first()
            if project is not None:
                units = units_of(project)
            elif cli.is_file(target) or Path(target).is_file():
                units = cli.units_of_file(target, options["format"])
            else:
                raise CommandError(f"There is no project {target!r}, nor a file of that name.")
            text = cli.answer(units, question, options)
        except cli.Stop as stop:
            raise CommandError(str(stop)) from None
        binary = getattr(sys.stdout, "buffer", None)
        if self.stdout._out is not sys.stdout or binary is None:
            self.stdout.write(text, ending="")
        else:
            binary.write(text.encode())  # UTF-8 whatever the terminal's locale says
            binary.flush()
