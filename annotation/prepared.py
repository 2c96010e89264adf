"""Queries that are put into SQL once: the few that every claim and every save asks.

Django puts a queryset into SQL anew each time, which takes it longer than PostgreSQL needs to
answer. What PyPI has for this stops at Django 2.1 (django-prepared-queries).
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar, cast, get_type_hints

from django.db import connections
from django.db.models import QuerySet
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")
P = ParamSpec("P")


class Prepared(Generic[P, Row]):
    """A function that makes a queryset; called, it answers the rows as a list.

    Its parameters say ``int`` or ``str`` and go into the query as they are, each as the value of a
    column: nothing else may depend on them. The rows are as ever, with what ``select_related``
    brings; ``prefetch_related`` is not looked at. Raises `TypeError` where a value is not of its
    kind (None least of all: in SQL that is another question), `ValueError` where a parameter is not
    the value of a column, and `TransactionManagementError` where rows would be locked for nothing.
    """

    def __init__(self, make: Callable[P, QuerySet[Any, Row]]) -> None:
        self.make = make
        hints = get_type_hints(make)
        self.kinds: dict[str, type] = {
            name: hints[name] for name in inspect.signature(make).parameters
        }
        self._kept = threading.local()  # what is prepared holds its thread's connection
        update_wrapper(self, make)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[Row]:
        values = dict(zip(self.kinds, args, strict=False)) | kwargs
        for name, kind in self.kinds.items():
            if not isinstance(values.get(name), kind):
                raise TypeError(f"{self.make.__name__}: {name} is no {kind.__name__}")
        if len(args) + len(kwargs) > len(self.kinds):
            raise TypeError(f"{self.make.__name__} takes {', '.join(self.kinds)} and no more")
        kept: _Statement | None = getattr(self._kept, "statement", None)
        if kept is None or kept.connection is not connections[kept.queryset.db]:
            kept = self._kept.statement = _Statement(self.make, self.kinds)
        return cast(list[Row], kept.rows(values))


def prepared(make: Callable[P, QuerySet[Any, Row]]) -> Prepared[P, Row]:
    return Prepared(make)


class _Statement:
    """A queryset's SQL, and which of its parameters is which value."""

    def __init__(self, make: Callable[..., QuerySet[Any, Any]], kinds: dict[str, type]) -> None:
        # No literal of a query looks like these, and each fits into its column.
        marks = {
            name: 2**62 + 7919 * at if kind is int else f"\x01{name}\x01"
            for at, (name, kind) in enumerate(kinds.items())
        }
        names = {mark: name for name, mark in marks.items()}
        self.queryset: Any = make(**marks)
        self.connection = connections[self.queryset.db]
        self.compiler: Any = self.queryset.query.get_compiler(using=self.queryset.db)
        self.sql, parameters = self.compiler.as_sql()
        # PostgreSQL's numbers come in a type of their own, which says how wide the column is.
        self.slots = [(names.get(value), type(value), value) for value in parameters]
        missing = marks.keys() - {name for name, _kind, _value in self.slots}
        if missing:
            raise ValueError(f"not the value of a column: {', '.join(sorted(missing))}")
        columns = [column[0] for column in self.compiler.select[: self.compiler.col_count]]
        converters = self.compiler.get_converters(columns)
        self.compiler.get_converters = lambda _columns: converters
        query: Any = self.queryset.query
        self.locks = query.select_for_update
        # Whoever makes the rows asks the query for its compiler.
        query.get_compiler = lambda *_args, **_kwargs: self.compiler

    def rows(self, values: dict[str, Any]) -> list[Any]:
        if self.locks and not self.connection.in_atomic_block:
            raise TransactionManagementError("rows are locked within a transaction alone")
        given = tuple(
            value if name is None else (kind(values[name]) if kind is not str else values[name])
            for name, kind, value in self.slots
        )
        self.compiler.as_sql = lambda *_args, **_kwargs: (self.sql, given)
        return list(self.queryset._iterable_class(self.queryset))
