"""Backup and restore of a finished project with pictures, in processes of their own."""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from annotation.models import Image, Project  # noqa: E402
from tests.benchmarks import fill, processes  # noqa: E402

ITEMS, PICTURES, BYTES = 20_000, 2_000, 100_000
MANAGE = [sys.executable, "manage.py"]


def pictures(made: Project) -> None:
    """Files that no compression makes smaller, as photographs are."""
    chance = random.Random(1)
    folder = Path(settings.MEDIA_ROOT) / "pictures"
    folder.mkdir(parents=True)
    rows = []
    for n in range(PICTURES):
        (folder / f"{n}.jpg").write_bytes(chance.randbytes(BYTES))
        name = f"pictures/{n}.jpg"
        rows.append(Image(project=made, name=name, file=name, width=1, height=1, sha256="0"))
    Image.objects.bulk_create(rows)


def run(*words: str) -> processes.Timed:
    done = processes.timed([*MANAGE, *words])
    assert done.code == 0, words
    return done


def measure(folder: Path) -> dict[str, Any]:
    made, _ = fill.project("full", 3)
    path = fill.item_file(folder / "items.jsonl", ITEMS)
    call_command("import_items", "full", str(path), "--format", "jsonl", verbosity=0)
    fill.answer_everything(made)
    pictures(made)
    plain, key = folder / "plain.tar", folder / "key"
    key.write_text("a2V5IG9mIHRoaXJ0eS10d28gYnl0ZXMsIG5vIG1vcmU=")
    backup = run("backup", "--out", str(plain))
    sealed = run("backup", "--out", str(folder / "it.sealed"), "--key-file", str(key))
    verify = run("verify_backup", str(plain))
    found = {
        "backup": backup.seconds,
        "sealed": sealed.seconds,
        "verify": verify.seconds,
        "peak_mb": backup.peak_mb,
        "mb": plain.stat().st_size / 1e6,
        "rows_mb": (plain.stat().st_size - PICTURES * BYTES) / 1e6,
    }
    empty()
    return found | {"restore": run("restore", str(plain)).seconds}


def empty() -> None:
    """Make the site one on which nothing is: database and pictures are this run's own."""
    shutil.rmtree(settings.MEDIA_ROOT)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute("CREATE SCHEMA public")
    else:
        connection.close()
        for path in Path(settings.DATA_DIR).glob("*.sqlite3*"):
            path.unlink()


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(json.dumps({"backup": measure(Path(folder))}) + "\n")


if __name__ == "__main__":
    main()
