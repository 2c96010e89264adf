"""``manage.py agreement SLUG|FILE``: the numbers of a project or of a file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from agreement import cli
from agreement.selectors import units_of
from annotation.actions import audit
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
            if cli.is_file(target):
                units = cli.units_of_file(target, options["format"])
            else:
                project = Project.objects.filter(slug=target).first()
                if project is None:
                    raise CommandError(f"There is no project {target!r}, nor a file of that name.")
                units = units_of(project)
                audit.note_report(None, project, "agreement")
            text = cli.answer(units, question, options)
        except cli.Stop as stop:
            raise CommandError(str(stop)) from None
        binary = getattr(sys.stdout, "buffer", None)
        if self.stdout._out is not sys.stdout or binary is None:
            self.stdout.write(text, ending="")
        else:
            binary.write(text.encode())  # UTF-8 whatever the terminal's locale says
            binary.flush()
