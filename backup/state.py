"""The state of a database: its migrations, what its tables hold, which ids were given."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

from django.apps.registry import Apps
from django.conf import settings
from django.core.files.storage import Storage
from django.core.management.color import no_style
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor

from backup import rows
from backup.errors import Refused

# Filled by `migrate` itself; a restore puts the archive's rows in their place.
BY_MIGRATE = ("auth_permission", "django_content_type")
Node = tuple[str, str]


def version() -> str:
    """Of the site."""
    text = (Path(settings.BASE_DIR) / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def applied() -> list[Node]:
    """The migrations that the database has, of apps that are installed."""
    loader = MigrationExecutor(connection).loader
    return sorted(n for n in loader.applied_migrations if n[0] in loader.migrated_apps)


def check_current() -> None:
    """Refuse where code and database are not of the same release."""
    loader = MigrationExecutor(connection).loader
    missing = sorted(set(loader.graph.nodes) - set(loader.applied_migrations))
    if missing:
        raise Refused(f"The database lacks the migration {'.'.join(missing[0])}: migrate first.")
    unknown = [node for node in applied() if node not in loader.graph.nodes]
    if unknown:
        raise Refused(f"The database has the migration {'.'.join(unknown[0])}, which is newer.")


def leaves(nodes: set[Node]) -> list[Node]:
    """The newest of these migrations; `Refused` where one of them is not known here."""
    graph = MigrationExecutor(connection).loader.graph
    for node in sorted(nodes):
        if node not in graph.nodes:
            raise Refused(
                f"The archive has the migration {'.'.join(node)}: it comes from a newer release."
            )
    return sorted(
        node for node in nodes if not {child.key for child in graph.node_map[node].children} & nodes
    )


def migrate_to(nodes: set[Node]) -> None:
    """Bring a database that is empty, or younger, to exactly these migrations."""
    wanted = leaves(nodes)
    executor = MigrationExecutor(connection)
    beyond = sorted(
        set(executor.loader.applied_migrations) & set(executor.loader.graph.nodes) - nodes
    )
    if beyond:
        raise Refused(
            f"The archive comes from an older release, without {'.'.join(beyond[0])}: "
            "give a database without tables; it is migrated after the restore."
        )
    executor.migrate(wanted)


def apps_at(nodes: set[Node]) -> Apps:
    """The models as they were at these migrations."""
    loader = MigrationExecutor(connection).loader
    found: Apps = loader.project_state(leaves(nodes)).apps
    return found


def held_rows() -> str:
    """The first table that holds rows, '' where none does; what a new site has does not count."""
    cache = {cache.get("LOCATION") for cache in settings.CACHES.values()}
    passed = cache | set(BY_MIGRATE) | {"django_migrations"}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if table in passed:
                continue
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                return table
    return ""


def held_file(storage: Storage, folder: str = "") -> str:
    """The first file in the storage, '' where there is none."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return ""
    for name in sorted(files):
        if name:
            return f"{folder}{name}"
    return next(filter(None, (held_file(storage, f"{folder}{n}/") for n in sorted(folders))), "")


def table_hash(model: rows.Model) -> tuple[int, str]:
    """Count and SHA-256 of a table's rows as the archive holds them."""
    digest, count = hashlib.sha256(), 0
    for row in rows.rows(model):
        digest.update(rows.line(row))
        count += 1
    return count, digest.hexdigest()


def numbered(model: rows.Model) -> bool:
    return isinstance(model._meta.pk, models.AutoField | models.BigAutoField)


def last_id(model: rows.Model) -> int:
    """The last id that was given, also to a row that is deleted: it is not given again."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', model._meta.pk.column]
            )
            sequence = cursor.fetchone()[0]
            cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")  # noqa: S608
        else:
            cursor.execute(
                "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = %s", [table]
            )
        return int(cursor.fetchone()[0])


def set_last_id(model: rows.Model, value: int) -> None:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
                cursor.execute(statement)
            if value > last_id(model):
                names = [f'"{table}"', model._meta.pk.column, value]
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", names)
            return
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, value])


def refuse_if_held(storage: Storage) -> None:
    """A restore goes into an empty site alone."""
    if table := held_rows():
        raise Refused(f"The database is not empty: {table} holds rows. Nothing was changed.")
    if name := held_file(storage):
        raise Refused(f"The store of pictures is not empty: it holds {name}. Nothing was changed.")


def as_nodes(listed: Any) -> set[Node]:
    return {(str(app), str(name)) for app, name in listed}
