"""One archive of the database and its pictures, consistent with each other.

The tables are read in one moment. A picture is written once under the name of its content and
never changed, so whatever files the tables name at that moment can be read afterwards.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from django.apps import apps
from django.core.files.storage import default_storage
from django.db import connection, models, transaction

from backup import container, rows, sealing, state

FORMAT = 1
PART = 8 << 20  # bytes of lines that are packed into one member
Progress = Callable[[str], object]


@dataclass
class Made:
    """What an archive holds: the manifest at its end."""

    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def as_json(self) -> bytes:
        return json.dumps(vars(self), ensure_ascii=False, indent=1).encode()


@contextmanager
def one_moment() -> Iterator[None]:
    """Reads inside see one state of the database, and keep nobody from writing."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # atomic() would be immediate and stop every writer
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def write(target: Path, key: bytes | None, progress: Progress) -> Made:
    """The archive at ``target``, whole or not at all; an older one stays until then."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            made = _write(file, key, progress)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
        _sync(target.parent)
    finally:
        beside.unlink(missing_ok=True)
    return made


def _sync(folder: Path) -> None:
    """Make the new name last."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(file: BinaryIO, key: bytes | None, progress: Progress) -> Made:
    sealed = sealing.Writer(file, key) if key is not None else None
    archive = container.Writer(sealed or file)
    made = Made()
    with one_moment():
        state.check_current()
        kept = rows.kept_models(apps)
        archive.add(container.HEADER, json.dumps(_header(kept), indent=1).encode())
        for model in kept:
            progress(model._meta.db_table)
            made.tables[model._meta.db_table] = _table(archive, model)
        names = file_names(kept)
    for name in names:
        progress(name)
        if not _file(archive, name, made):
            made.missing.append(name)
    archive.add(container.MANIFEST, made.as_json())
    archive.close()
    if sealed is not None:
        sealed.close()
    return made


def _header(kept: list[rows.Model]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "site": state.version(),
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "engine": connection.vendor,
        "migrations": state.applied(),
        "tables": {m._meta.db_table: [str(f.column) for f in rows.columns(m)] for m in kept},
    }


def _table(archive: container.Writer, model: rows.Model) -> dict[str, Any]:
    """Write a table in parts; its count, the hash of all its lines and its last id."""
    table, digest, count, part = model._meta.db_table, hashlib.sha256(), 0, 0
    waiting: list[bytes] = []
    size = 0

    def pack() -> None:
        content = gzip.compress(b"".join(waiting), compresslevel=4, mtime=0)
        archive.add(f"{container.TABLES}{table}/{part:06}.jsonl.gz", content)

    for row in rows.rows(model):
        text = rows.line(row)
        digest.update(text)
        waiting.append(text)
        count, size = count + 1, size + len(text)
        if size >= PART:
            pack()
            waiting, size, part = [], 0, part + 1
    if waiting:
        pack()
    last = state.last_id(model) if state.numbered(model) else None
    return {"rows": count, "sha256": digest.hexdigest(), "last_id": last}


def file_names(kept: list[rows.Model]) -> list[str]:
    """Every file that a row names, each once."""
    found: set[str] = set()
    for model in kept:
        for column in model._meta.concrete_fields:
            if isinstance(column, models.FileField):
                names = model._base_manager.values_list(column.attname, flat=True)
                found.update(filter(None, names))
    return sorted(found)


def _file(archive: container.Writer, name: str, made: Made) -> bool:
    """Write a file; False where the store does not have it."""
    try:
        size = default_storage.size(name)
        source = default_storage.open(name)
    except FileNotFoundError:
        return False
    with source:
        hashing = Hashing(source)
        archive.stream(container.MEDIA + name, size, hashing)
    made.files[name] = {"bytes": size, "sha256": hashing.digest.hexdigest()}
    return True


class Hashing:
    """A source that is hashed while it is read."""

    def __init__(self, source: container.Source) -> None:
        self.source, self.digest = source, hashlib.sha256()

    def read(self, size: int) -> bytes:
        content = self.source.read(size)
        self.digest.update(content)
        return content
