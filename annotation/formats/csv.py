"""CSV: a header of item fields; any other column becomes metadata; every cell is a text.

What is absent is not empty: a column that the header lacks leaves that field (or that entry of the
metadata) of a stored item as it is, while an empty cell under a column empties it. A column
``metadata`` says all of the metadata, a column of another name one entry.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from annotation.formats import jsonl
from annotation.formats.base import Fault, Format, Row, Rules, gettext_noop
from annotation.formats.broken import why_table
from annotation.formats.lines import decode, parse, without_bom
from annotation.formats.values import clean, required
from annotation.records import ItemRecord, Refusal

JSON_CELLS = ("expectation", "metadata", "annotations")
CELL_MAX = 10_000_000


def _texts(source: BinaryIO) -> Iterator[str]:
    for line in without_bom(source):
        yield decode(line)


def read(source: BinaryIO, name: str, rules: Rules) -> Iterator[Row]:
    """Rows with the line they begin in; standard quoting, line ends in cells kept."""
    csv.field_size_limit(CELL_MAX)
    rows = csv.reader(_texts(source), strict=True)
    seen: dict[str, int] = {}
    line, header = 1, None
    try:
        for cells in rows:
            begins, line = line, rows.line_num + 1
            if not cells:
                continue
            try:
                if header is None:
                    header = _header(cells)
                    if rules.columns is not None:
                        rules.columns(header)
                    continue
                yield begins, _record(header, cells, rules, seen, begins)
            except Fault as fault:
                seen.setdefault("", begins)
                yield Refusal(name, begins, fault.field, fault.reason)
                if header is None:
                    return
    except Fault as fault:
        yield Refusal(name, line, fault.field, fault.reason)
        return
    except csv.Error as error:
        yield Refusal(name, line, "csv", why_table(error))
        return
    if not seen:
        yield Refusal(name, 1, "file", "the file is empty: there is nothing to import")


def _header(cells: list[str]) -> list[str]:
    for i, cell in enumerate(cells):
        if not cell:
            raise Fault("header", f"column {i + 1} has no name")
        if cell in cells[:i]:
            raise Fault("header", f"column {cell!r} stands twice")
    required(dict.fromkeys(cells), ("key", "language", "response"))
    return cells


def _record(
    header: list[str], cells: list[str], rules: Rules, seen: dict[str, int], line: int
) -> ItemRecord:
    if len(cells) != len(header):
        raise Fault("csv", f"{len(cells)} cells under {len(header)} columns")
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
    record = jsonl.record_of(row, rules)
    if record.key in seen:
        raise Fault("key", f"{record.key!r} stands in line {seen[record.key]} already")
    seen[record.key] = line
    return record


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
    return json.dumps(value, ensure_ascii=False) if name in JSON_CELLS else str(value)


FORMAT = Format(
    "csv",
    gettext_noop("A table with one row an item, for spreadsheets"),
    "csv",
    "text/csv; charset=utf-8",
    write,
    read,
)
