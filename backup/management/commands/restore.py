"""``manage.py restore FILE``: an archive becomes a site again, where there is none yet."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand

from backup import state
from backup.check import checked
from backup.management.talk import key_of, told
from backup.restore import restore


class Command(BaseCommand):
    help = "Restore an archive into an empty database and an empty store of pictures."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--key-file", help="file with the key of an encrypted archive")

    def handle(self, *args: Any, **options: Any) -> None:
        with told():
            state.refuse_if_held(default_storage)
            with options["file"].open("rb") as file:
                archive = checked(options["file"], file, key_of(options), lambda what: None)
                restore(archive, lambda what: None)
        manifest = archive.manifest
        total = sum(table["rows"] for table in manifest["tables"].values())
        files = len(manifest["files"])
        self.stdout.write(
            f"restored: {len(manifest['tables'])} tables, {total} rows, {files} files, "
            "each as it was backed up"
        )
