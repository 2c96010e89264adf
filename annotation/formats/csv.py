"""CSV: a header of item fields; any other column becomes metadata; every cell is a text.

What is absent is not empty: a column that the header lacks leaves that field (or that entry of the
metadata) of a stored item as it is, while an empty cell under a column empties it. A column
``metadata`` says all of the metadata, a column of another name one entry.

What a spreadsheet would run as a formula has an apostrophe before it (`annotation.formats.cells`),
which reading takes off.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, BinaryIO

from annotation.formats import jsonl
from annotation.formats.base import Fault, Format, Row, Rules, gettext_noop
from annotation.formats.broken import other_separator, why_table
from annotation.formats.cells import guarded, unguarded
from annotation.formats.lines import decode, parse, without_bom
from annotation.formats.values import clean, required
from annotation.records import ItemRecord, Refusal

JSON_CELLS = ("expectation", "metadata", "annotations", "withheld")
CELL_MAX = 10_000_000


def _texts(source: BinaryIO, name: str, first: list[str]) -> Iterator[str]:
    """The lines; ``first`` takes the first one that is not blank."""
    for line in without_bom(source, name):
        text = decode(line)
        if not first and text.strip():
            first.append(text)
        yield text


RowReader = Callable[[list[str], list[str]], Any]


def read(source: BinaryIO, name: str, rules: Rules) -> Iterator[Row]:
    """Rows with the line they begin in; standard quoting, line ends in cells kept."""

    def record(header: list[str], cells: list[str]) -> ItemRecord:
        return _record(header, cells, rules)

    return read_table(source, name, record, ("key", "language", "response"), rules.columns)


def read_table(
    source: BinaryIO,
    name: str,
    record: RowReader,
    needed: Sequence[str],
    columns: Callable[[Sequence[str]], None] | None = None,
) -> Iterator[Row]:
    """What ``record`` makes of the header and each row, or a refusal; a key stands once.

    ``columns`` hears of the header, which has the ``needed`` ones, and may refuse it.
    """
    csv.field_size_limit(CELL_MAX)
    first: list[str] = []
    rows = csv.reader(_texts(source, name, first), strict=True)
    seen: dict[str, int] = {}
    line, header = 1, None
    try:
        for cells in rows:
            begins, line = line, rows.line_num + 1
            if not cells:
                continue
            cells = [unguarded(cell) for cell in cells]
            try:
                if header is None:
                    named = _header(cells, needed)
                    if columns is not None:
                        columns(named)
                    header = named
                    continue
                if len(cells) != len(header):
                    raise Fault("csv", f"{len(cells)} cells under {len(header)} columns")
                yield begins, _once(record(header, cells), seen, begins)
            except Fault as fault:
                seen.setdefault("", begins)
                refusal = Refusal(name, begins, fault.field, fault.reason)
                yield refusal if header is not None else _no_header(refusal, first)
                if header is None:
                    return
    except Fault as fault:
        yield Refusal(name, line, fault.field, fault.reason)
        return
    except csv.Error as error:
        broken = Refusal(name, line, "csv", why_table(error))
        yield broken if header is not None else _no_header(broken, first)
        return
    if not seen:
        yield Refusal(name, 1, "file", "the file is empty: there is nothing to import")


def _no_header(refusal: Refusal, first: Sequence[str]) -> Refusal:
    """The refusal of a header; cells that commas do not part are what is wrong before all else."""
    separated = other_separator(first[0]) if first else ""
    return replace(refusal, field="header", reason=separated) if separated else refusal


def _once(record: Any, seen: dict[str, int], line: int) -> Any:
    if record.key in seen:
        raise Fault("key", f"{record.key!r} stands in line {seen[record.key]} already")
    seen[record.key] = line
    return record


def _header(cells: list[str], needed: Sequence[str]) -> list[str]:
    for i, cell in enumerate(cells):
        if not cell:
            raise Fault("header", f"column {i + 1} has no name")
        if cell in cells[:i]:
            raise Fault("header", f"column {cell!r} stands twice")
    required(dict.fromkeys(cells), needed)
    return cells


def _record(header: list[str], cells: list[str], rules: Rules) -> ItemRecord:
    row: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=True):
        clean(cell, name)
        if name in JSON_CELLS:
            if cell:
                row[name] = _json_cell(name, cell)
        elif name in jsonl.KEYS:
            if cell or name in ("key", "language", "response"):
                row[name] = cell
        else:
            metadata[name] = cell
    if metadata:
        stored = row.get("metadata") or {}
        row["metadata"] = stored | metadata if isinstance(stored, dict) else stored
    return jsonl.record_of(row, rules)


def _json_cell(name: str, cell: str) -> Any:
    try:
        value = parse(cell)
    except Fault as fault:
        raise Fault(name, fault.reason) from None
    clean(value, name)
    return value


def write(items: Iterable[ItemRecord], boundaries: str = "exact") -> Iterator[str]:
    """Every cell quoted, so that a lone CR survives too; lists and objects as JSON."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(jsonl.KEYS)
    yield _taken(buffer)
    for item in items:
        row = jsonl.row_of(item)
        writer.writerow(_cell(name, row[name]) for name in jsonl.KEYS)
        yield _taken(buffer)


def _taken(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text


def _cell(name: str, value: Any) -> str:
    if value is None or (name in JSON_CELLS and not value):
        return ""
    return json.dumps(value, ensure_ascii=False) if name in JSON_CELLS else guarded(str(value))


FORMAT = Format(
    "csv",
    gettext_noop("A table with one row an item, for spreadsheets"),
    "csv",
    "text/csv; charset=utf-8",
    write,
    read,
)
