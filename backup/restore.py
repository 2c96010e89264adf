"""A checked archive becomes a site again, in an empty database and an empty store of pictures."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from itertools import chain, groupby

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from backup import container, rows, state
from backup.check import Archive, lines
from backup.container import MEDIA, PART, Member
from backup.errors import Refused
from backup.make import Hashing

IN_MEMORY = 32 << 20
Progress = Callable[[str], object]


def restore(archive: Archive, progress: Progress) -> None:
    """Files first, then all tables in one transaction; what fails leaves an empty site.

    An archive of an older release goes into the tables as they were then, and is migrated last.
    """
    nodes = state.as_nodes(archive.header["migrations"])
    state.leaves(nodes)
    state.refuse_if_held(default_storage)
    state.migrate_to(nodes)
    models = {model._meta.db_table: model for model in rows.kept_models(state.apps_at(nodes))}
    _same_columns(archive, models)
    written: list[str] = []
    try:
        _files(archive, written, progress)
        with transaction.atomic():
            _tables(archive, models, progress)
    except DatabaseError as error:
        _take_back(written)
        raise Refused(f"The database refuses the archive: {error}") from error
    except OSError as error:
        _take_back(written, f"{error.strerror or error}. ")
        raise
    except BaseException:
        _take_back(written)
        raise
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # stale figures make claims slow


def _same_columns(archive: Archive, models: dict[str, rows.Model]) -> None:
    here = {table: [str(f.column) for f in rows.columns(m)] for table, m in models.items()}
    there = archive.header["tables"]
    for table in sorted({**here, **there}):
        if here.get(table) != there.get(table):
            raise Refused(f"{table} has other columns here than in the archive.")


def _take_back(written: list[str], why: str = "") -> None:
    """Delete what was written; where the store does not let us, say what the operator must do."""
    try:
        while written:
            default_storage.delete(written[-1])
            written.pop()
    except OSError as error:
        raise Refused(
            f"{why or f'{error.strerror or error}. '}The database holds nothing of the archive, "
            f"but {len(written)} of its pictures may be in the store, the first {written[0]}: "
            "empty the store of pictures before the next try."
        ) from error


def _files(archive: Archive, written: list[str], progress: Progress) -> None:
    """Write each file, and read it back from the store."""
    for member in archive.members():
        if not member.name.startswith(MEDIA):
            continue
        name = member.name.removeprefix(MEDIA)
        progress(name)
        with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as file:
            while piece := member.read(container.PIECE):
                file.write(piece)
            file.seek(0)
            written.append(name)
            if default_storage.save(name, File(file)) != name:
                raise Refused(f"The store of pictures has {name} already.")
        if stored_hash(name) != archive.manifest["files"][name]["sha256"]:
            raise Refused(f"{name} is not in the store as it was written.")


def stored_hash(name: str) -> str:
    """SHA-256 of a file in the store."""
    with default_storage.open(name) as file:
        hashing = Hashing(file)
        while hashing.read(container.PIECE):
            pass
    return hashing.digest.hexdigest()


def _parts(archive: Archive) -> Iterator[tuple[str, Member]]:
    for member in archive.members():
        if part := PART.fullmatch(member.name):
            yield part[1], member
        elif member.name.startswith(MEDIA):
            return


def _tables(archive: Archive, models: dict[str, rows.Model], progress: Progress) -> None:
    with connection.cursor() as cursor:
        for table in state.BY_MIGRATE:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608
    for table, parts in groupby(_parts(archive), lambda pair: pair[0]):
        progress(table)
        rows.insert(models[table], chain.from_iterable(lines(member) for _, member in parts))
    for table, model in models.items():
        said = archive.manifest["tables"][table]
        if said["last_id"] is not None:
            state.set_last_id(model, said["last_id"])
        if state.table_hash(model) != (said["rows"], said["sha256"]):
            raise Refused(f"The rows of {table} came out otherwise: nothing was restored.")
    connection.check_constraints()


def file_hash(path: str) -> str:
    """SHA-256 of a file on this machine."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
