"""Rows of a checked file, kept until they are written without filling memory."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import Any

IN_MEMORY = 24_000_000


class Spool:
    """Lists of rows, in the order they were added; a large file's go to a temporary file."""

    def __init__(self) -> None:
        self.file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed in __exit__
        self.rows = 0

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.file.close()

    def add(self, rows: list[Any]) -> None:
        if rows:
            pickle.dump(rows, self.file, pickle.HIGHEST_PROTOCOL)
            self.rows += len(rows)

    def __iter__(self) -> Iterator[list[Any]]:
        self.file.seek(0)
        left = self.rows
        while left:
            rows = pickle.load(self.file)  # noqa: S301 - written by this process, above
            left -= len(rows)
            yield rows
