"""``manage.py create_project SLUG --labels sheep|FILE.json --languages en,fr [--per-item 3]``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.projects import create_project
from annotation.management.refusals import refusals_as_errors
from annotation.management.tables import TableCommand


class Command(TableCommand):
    help = "Make a project with a label set and languages."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--labels", required=True, metavar="sheep|FILE.json")
        parser.add_argument("--languages", required=True, metavar="en,fr")
        parser.add_argument("--per-item", type=int, default=3)
        parser.add_argument("--name", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_errors():
            project = create_project(
                None,
                options["slug"],
                options["labels"],
                options["languages"].split(","),
                options["per_item"],
                options["name"],
            )
        self.stdout.write(f"{project.slug}: {', '.join(project.languages)}")
