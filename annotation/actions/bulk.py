"""Many rows at once, without an object for each: four times as quick as ``bulk_create``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection, models

from annotation.models.fields import JSONTextField


def insert(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows of plain values in the order of ``names`` (attribute names such as ``item_id``).

    Constraints hold as ever; defaults of fields that are not named do not apply. Run it in a
    transaction.
    """
    fields: list[Any] = [model._meta.get_field(name.removesuffix("_id")) for name in names]
    texts = [i for i, field in enumerate(fields) if isinstance(field, JSONTextField)]
    prepared = _as_text(rows, [(i, fields[i]) for i in texts])
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    columns = ", ".join(quote(str(field.column)) for field in fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in prepared:
                    copy.write_row(row)
            return
        times = [i for i, field in enumerate(fields) if isinstance(field, models.DateTimeField)]
        places = ", ".join(["%s"] * len(names))
        statement = f"INSERT INTO {table} ({columns}) VALUES ({places})"  # noqa: S608 - own names
        stream: Any = _adapted(prepared, times)  # the stubs know lists only
        cursor.executemany(statement, stream)


def _as_text(
    rows: Iterable[Sequence[Any]], fields: list[tuple[int, Any]]
) -> Iterable[Sequence[Any]]:
    for row in rows:
        values = list(row)
        for i, field in fields:
            values[i] = field.get_prep_value(values[i])
        yield values


def _adapted(rows: Iterable[Sequence[Any]], times: list[int]) -> Iterable[Sequence[Any]]:
    """SQLite keeps times as text."""
    adapt = connection.ops.adapt_datetimefield_value
    for row in rows:
        values = list(row)
        for i in times:
            if isinstance(values[i], datetime):
                values[i] = adapt(values[i])
        yield values
