"""``manage.py move_pictures FOLDER``: a folder's pictures go into the site's store."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand, CommandError

from backup.make import file_names
from backup.management.talk import told
from backup.restore import file_hash, stored_hash
from backup.rows import kept_models


class Command(BaseCommand):
    help = (
        "Copy the files that the database names from a folder into the store; run it again at will."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="such as var/media")

    def handle(self, *args: Any, **options: Any) -> None:
        folder, missing, copied = options["folder"], [], 0
        names = file_names(kept_models(apps))
        with told("What was copied stays: run it again."):
            for name in names:
                path = folder / name
                there = default_storage.exists(name)
                if not path.is_file():
                    if not there:
                        missing.append(name)
                    continue
                if there and stored_hash(name) == file_hash(str(path)):
                    continue
                if there:
                    raise CommandError(f"{name} is in the store with other content.")
                _copy(path, name)
                copied += 1
        self.stdout.write(f"{copied} copied, {len(names) - copied - len(missing)} there already")
        if missing:
            raise CommandError(
                "Neither in the folder nor in the store:\n" + "\n".join(missing[:20])
            )


def _copy(path: Path, name: str) -> None:
    with path.open("rb") as file:
        default_storage.save(name, File(file))
    if stored_hash(name) != file_hash(str(path)):
        default_storage.delete(name)
        raise CommandError(f"{name} came out otherwise in the store; it was taken away again.")
