"""Rows of any table as lines of JSON that both databases read and write alike.

A line is the list of the row's values, columns in the order of their names. Texts are kept code
point for code point; of a JSON column the value counts, and of times the moment.
"""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import json
import uuid
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from django.apps.registry import Apps
from django.db import connection, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.functions import Cast, Collate

READ = 2000
# Sessions (everybody logs in again) and processes of the machine that is gone. The cache is no
# model's table.
LEFT_OUT = frozenset({"django_session", "usersessions_usersession", "annotation_worker"})
Model = type[models.Model]
Field = models.Field[Any, Any]


def kept_models(apps: Apps) -> list[Model]:
    """Every table that a backup holds, by name; those between two models too."""
    found = {
        model._meta.db_table: model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    }
    return [found[table] for table in sorted(found.keys() - LEFT_OUT)]


def columns(model: Model) -> list[Field]:
    return sorted(model._meta.concrete_fields, key=lambda field: str(field.column))


def is_raw(field: Field) -> bool:
    """A text column that Django gives out as something else: its text is what is kept."""
    return isinstance(field, models.TextField) and hasattr(field, "from_db_value")


def rows(model: Model) -> Iterator[tuple[Any, ...]]:
    """All rows in the order of their key, which is the same on both databases."""
    raw = {
        f"raw_{field.attname}": Cast(field.attname, models.TextField())
        for field in columns(model)
        if is_raw(field)
    }
    names = [f"raw_{f.attname}" if is_raw(f) else f.attname for f in columns(model)]
    query = model._base_manager.annotate(**raw).order_by(_order(model)).values_list(*names)
    return query.iterator(chunk_size=READ)


def _order(model: Model) -> Any:
    pk = model._meta.pk
    if isinstance(pk, models.CharField | models.TextField):
        return Collate("pk", "C" if connection.vendor == "postgresql" else "BINARY")
    return "pk"


def line(row: tuple[Any, ...]) -> bytes:
    text = json.dumps(
        row, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_plain
    )
    return text.encode() + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return value // dt.timedelta(microseconds=1)
    if isinstance(value, uuid.UUID | decimal.Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    raise TypeError(f"No way is known to keep a {type(value).__name__}.")


def _value(field: Field, connection: BaseDatabaseWrapper, value: Any) -> Any:
    """What the database takes for a value of a line."""
    if value is not None:
        if isinstance(field, models.BinaryField):
            value = base64.b64decode(value)
        elif isinstance(field, models.DurationField):
            value = dt.timedelta(microseconds=value)
        elif isinstance(field, models.DateTimeField):
            value = dt.datetime.fromisoformat(value)
    return field.get_db_prep_save(value, connection)


def stored(model: Model, lines: Iterable[bytes]) -> Iterator[list[Any]]:
    """Lines as rows of values for the columns in order."""
    fields = columns(model)
    ways = [None if is_raw(field) else partial(_value, field, connection) for field in fields]
    for text in lines:
        values = json.loads(text)
        if len(values) != len(ways):
            raise ValueError(f"{model._meta.db_table}: a row has {len(values)} values")
        yield [
            value if way is None else way(value) for way, value in zip(ways, values, strict=True)
        ]


def insert(model: Model, lines: Iterable[bytes]) -> None:
    """Write the rows as they are: no `save`, no defaults, no signals."""
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    names = ", ".join(quote(str(field.column)) for field in columns(model))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in stored(model, lines):
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * len(columns(model)))
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - ours, quoted
        ready = stored(model, lines)
        while some := list(islice(ready, READ)):
            cursor.executemany(statement, some)
