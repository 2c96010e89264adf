"""``manage.py audit [SLUG] [--since DATE] [--format jsonl|csv]``: the log, the oldest first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from annotation.management.refusals import project_named
from annotation.management.tables import TableCommand
from annotation.selectors.audit import DOWNLOADS, events_of


class Command(TableCommand):
    help = "Print the log of a project, or of the whole site with what concerns accounts alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", nargs="?")
        parser.add_argument("--since", default="", metavar="2026-01-31")
        parser.add_argument("--format", choices=sorted(DOWNLOADS), default="jsonl")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["slug"]) if options["slug"] else None
        since = _moment(options["since"]) if options["since"] else None
        write, _type = DOWNLOADS[options["format"]]
        events = events_of(project, since=since).order_by("id")
        for line in write(events.iterator(chunk_size=1000)):
            self.stdout.write(line, ending="")


def _moment(text: str) -> datetime:
    """A date, from its beginning in UTC, or a time."""
    try:
        day = parse_date(text)
        found = datetime(day.year, day.month, day.day) if day else parse_datetime(text)
    except ValueError:
        found = None
    if found is None:
        raise CommandError(f"--since: {text!r} is no date such as 2026-01-31.")
    return timezone.make_aware(found) if timezone.is_naive(found) else found
