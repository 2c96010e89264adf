"""``manage.py import_items SLUG FILE``: items from a file, with their pictures."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.actions import imports
from annotation.actions.picture_sources import open_source
from annotation.errors import Refused
from annotation.formats import READABLE, Fault
from annotation.formats.guess import guess_format
from annotation.management.tables import TableCommand
from annotation.models import Project
from annotation.trouble import disk_is_full


class Bar:
    """A progress bar on standard error; none where that is no terminal."""

    def __init__(self) -> None:
        self.bar: tqdm[Any] | None = None
        self.phase = ""

    def __call__(self, phase: str, done: int, total: int) -> None:
        if phase != self.phase:
            self.close()
            unit = "B" if phase == "check" else "row"
            self.bar = tqdm(total=total, desc=phase, unit=unit, unit_scale=True, disable=None)
            self.phase = phase
        if self.bar is not None:
            self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


class Command(TableCommand):
    help = "Import items from a file; a second run of the same file changes nothing."
    requires_system_checks = ()  # they read every page and the API: as long as a small export

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("file", help="the file to read")
        parser.add_argument(
            "--format", help=f"one of {', '.join(READABLE)}; guessed where it is missing"
        )
        parser.add_argument("--images", help="folder or zip with the pictures")
        parser.add_argument("--dry-run", action="store_true", help="check only, write nothing")
        parser.add_argument("--partial", action="store_true", help="keep the good rows")
        parser.add_argument(
            "--with-annotations", action="store_true", help="restore the annotations in the file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["slug"]).first()
        if project is None:
            raise CommandError(f"There is no project {options['slug']!r}.")
        bar = Bar()
        try:
            report = self._import(project, options, bar)
        except Refused as refused:
            raise CommandError("\n".join(p.message for p in refused.problems)) from None
        except OSError as error:
            if disk_is_full(error):
                raise CommandError(f"The disk is full: nothing was imported ({error}).") from None
            raise
        finally:
            bar.close()
        for refusal in report.refusals:
            self.stderr.write(str(refusal), self.style.ERROR)
        if report.refused and not (options["partial"] or options["dry_run"]):
            self.stderr.write("Nothing was imported: mend these rows, or add --partial.")
        for note in report.notes():
            self.stderr.write(note, lambda text: text)
        self.stdout.write(report.line())
        if report.refused:
            sys.exit(1)

    def _import(self, project: Project, options: dict[str, Any], bar: Bar) -> imports.ImportReport:
        path = Path(options["file"])
        with ExitStack() as stack:
            try:
                source = stack.enter_context(path.open("rb"))
            except OSError as error:
                raise CommandError(f"{path}: cannot be read: {error.strerror}") from None
            images = None
            if options["images"]:
                try:
                    images = open_source(Path(options["images"]))
                except Fault as fault:
                    raise CommandError(f"{options['images']}: {fault}") from None
                stack.callback(images.close)
            return imports.import_items(
                None,
                project,
                source,
                options["file"],
                options["format"] or guess_format(source, path.name),
                images,
                options["with_annotations"],
                options["partial"],
                options["dry_run"],
                bar,
            )
