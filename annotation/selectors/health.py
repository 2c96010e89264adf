"""Whether the site can work: its database, tables, storage and worker. No secret is told."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache as once
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from annotation.models import Job, Worker
from annotation.selectors.jobs import STALE_AFTER, last_sign

Part = dict[str, Any]


def database() -> Part:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return {"ok": True}


@once
def _known() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Migrations that this code brings, each with those it stands for; read once a process."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return {key: list(m.replaces) for key, m in (loader.disk_migrations or {}).items()}


def migrations() -> Part:
    applied = MigrationRecorder(connection).applied_migrations()
    missing = [
        ".".join(key)
        for key, replaces in _known().items()
        if key not in applied and not (replaces and all(old in applied for old in replaces))
    ]
    return {"ok": not missing} | ({"unapplied": sorted(missing)} if missing else {})


def cache_table() -> Part:
    """The table of the login's rate limits, which `createcachetable` makes."""
    cache.get("ready")
    return {"ok": True}


def storage() -> Part:
    """A file can be written beside the data and beside the pictures."""
    folders = {Path(settings.DATA_DIR)}
    if settings.PICTURES_IN_STORE:
        default_storage.ready()  # type: ignore[attr-defined]  # of annotation.far_store
    else:
        folders.add(Path(settings.MEDIA_ROOT))
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"ready")
            file.flush()
    return {"ok": True}


def worker() -> Part:
    """Seconds since a worker's last sign of life, in its row or in the job that it runs."""
    signs = [last_sign(job) for job in Job.objects.filter(state=Job.State.RUNNING)]
    signs.append(Worker.objects.order_by("-heartbeat").values_list("heartbeat", flat=True).first())
    newest = max((sign for sign in signs if sign is not None), default=None)
    if newest is None:
        return {"ok": False, "reason": "no worker has started"}
    age = timezone.now() - newest
    return {"ok": age < STALE_AFTER, "age_seconds": round(age.total_seconds())}


PARTS: dict[str, Callable[[], Part]] = {
    "database": database,
    "migrations": migrations,
    "cache_table": cache_table,
    "storage": storage,
    "worker": worker,
}


def readiness() -> dict[str, Any]:
    """``{ready, parts}``; a part that fails tells the kind of its error alone."""
    parts: dict[str, Part] = {}
    for name, look in PARTS.items():
        try:
            parts[name] = look()
        except Exception as error:  # noqa: BLE001 - a probe is answered, whatever a part's library raises
            parts[name] = {"ok": False, "reason": type(error).__name__}
    return {"ready": all(part["ok"] for part in parts.values()), "parts": parts}
