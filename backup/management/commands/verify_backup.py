"""``manage.py verify_backup FILE``: whether an archive is whole, and what is in it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from backup.check import checked
from backup.management.talk import key_of, told


class Command(BaseCommand):
    help = "Read an archive to its end and compare every row and file with its manifest."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--key-file", help="file with the key of an encrypted archive")

    def handle(self, *args: Any, **options: Any) -> None:
        with told(), options["file"].open("rb") as file:
            archive = checked(options["file"], file, key_of(options), lambda what: None)
        header, manifest = archive.header, archive.manifest
        lines = [f"whole: release {header['site']}, {header['engine']}, {header['made_at']}"]
        lines += [f"{said['rows']:>12} {table}" for table, said in manifest["tables"].items()]
        lines += [f"{len(manifest['files']):>12} files, {len(manifest['missing'])} missing"]
        self.stdout.write("\n".join(lines))
