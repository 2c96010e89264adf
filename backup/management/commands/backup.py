"""``manage.py backup [--out FILE|DIR]``: the database and its pictures in one file."""

from __future__ import annotations

import re
import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from backup import make
from backup.errors import Refused
from backup.management.talk import key_of, told

NAME = re.compile(r"sheepfold-\d{8}T\d{6}Z\.(tar|sealed)")


class Command(BaseCommand):
    help = "Write one archive with every table and every picture; it is there whole or not at all."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", help="file, or folder for a file named by the time")
        parser.add_argument("--key-file", help="encrypt with the key in this file")
        parser.add_argument(
            "--keep", type=int, help="remove all but so many archives in the folder"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["keep"] is not None and options["keep"] < 1:
            raise CommandError("--keep takes a number from 1.")
        out = Path(options["out"] or Path(settings.DATA_DIR) / "backups")
        named = out.suffix != "" and not out.is_dir()
        if named and not out.parent.is_dir():
            raise CommandError(f"The folder {out.parent} does not exist: make it first.")
        if options["keep"] and named:
            raise CommandError("--keep needs a folder as --out.")
        with told():
            key = key_of(options)
            target = out if named else _in_folder(out, key is not None)
            made = make.write(target, key, lambda what: None)
            if options["keep"] and not made.missing:
                _forget(out, options["keep"])
            total = sum(table["rows"] for table in made.tables.values())
            self.stdout.write(
                f"{target}: {len(made.tables)} tables, {total} rows, {len(made.files)} files"
            )
            if made.missing:
                raise Refused(_missing(made.missing))


def _in_folder(folder: Path, sealed: bool) -> Path:
    """A name that no archive has: one of the same second is waited past, not replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        path = folder / f"sheepfold-{now}.{'sealed' if sealed else 'tar'}"
        if not path.exists():
            return path
        time.sleep(0.1)


def _forget(folder: Path, keep: int) -> None:
    """Remove the oldest; files of other names are not ours."""
    archives = sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))
    for path in archives[:-keep]:
        path.unlink()


def _missing(names: list[str]) -> str:
    shown = "\n".join(f"  {name}" for name in names[:20])
    return (
        f"The archive is made, but {len(names)} files that the database names are not in the "
        f"store of pictures:\n{shown}"
    )
