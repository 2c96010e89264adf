"""``manage.py draw_briefs SLUG --language en --count 100 --seed 0 [--shared]``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.refusals import project_named, refusals_as_errors
from annotation.management.tables import TableCommand
from writing.actions.briefs import draw_briefs


class Command(TableCommand):
    help = "Draw briefs for writers at random from the questions of the project's items."
    requires_system_checks = ()  # they read every page and the API

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--language", required=True)
        parser.add_argument("--count", type=int, default=100)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--shared", action="store_true", help="every writer may answer each of them"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["slug"])
        with refusals_as_errors():
            count = draw_briefs(
                None,
                project,
                options["language"],
                options["count"],
                options["seed"],
                options["shared"],
            )
        self.stdout.write(f"drawn {count}")
