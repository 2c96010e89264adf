"""Files of JSON values, one a line (or one list), as objects with their line numbers."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from annotation.formats.base import Fault, Row, Rules
from annotation.formats.broken import why
from annotation.formats.values import clean, kind_of
from annotation.records import ItemRecord, Refusal

RowReader = Callable[[dict[str, Any], Rules], ItemRecord]
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
OLD_SHEET = b"\xd0\xcf\x11\xe0"  # a file of Office before 2007
SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Fault(twice, "this field stands twice in one object")
    return value


def _constant(name: str) -> None:
    raise Fault("json", f"{name} is no JSON number")


decoder = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


def decode(line: bytes) -> str:
    """The line as text; `Fault` with the byte where it is not UTF-8."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault("file", f"is not UTF-8 (byte {error.start + 1} of this line)") from None


def parse(text: str) -> Any:
    """The JSON value in ``text``; `Fault` with the column where it is broken."""
    try:
        return decoder.decode(text)
    except Fault:
        raise
    except (RecursionError, ValueError) as error:
        raise Fault("json", *why(error, text)) from None


def without_bom(source: BinaryIO, name: str) -> Iterator[bytes]:
    """The lines of the file, a UTF-8 byte order mark taken off; `Fault` for what is no UTF-8."""
    for number, line in enumerate(source):
        if number == 0:
            if reason := _no_text(line, name):
                raise Fault("file", reason)
            line = line.removeprefix(codecs.BOM_UTF8)
        yield line


def _no_text(line: bytes, name: str) -> str:
    """Why a file that begins so holds no lines of text, and the mend; empty where it may."""
    packed = line.startswith(ZIP)
    if line.startswith(OLD_SHEET) or (packed and name.lower().endswith(SHEETS)):
        return "is a file of a spreadsheet program: save the table as CSV UTF-8"
    if packed:
        return "is a zip: give a zip of pictures as the pictures, and the items as a file of text"
    if line.startswith(UTF16) or b"\x00" in line:
        return "is UTF-16 or binary: save it as UTF-8"
    return ""


def _values(source: BinaryIO, name: str) -> Iterator[tuple[int, str | Any | Fault]]:
    """``(line, text)`` of each line that is not blank, or ``(line, value)`` of one JSON list."""
    lines = without_bom(source, name)
    number = 0
    for line in lines:
        number += 1
        if not line.strip():
            continue
        if line.lstrip().startswith(b"["):
            yield from enumerate(_list(chain([line], lines), number), 1)
            return
        try:
            yield number, decode(line)
        except Fault as fault:
            yield number, fault


def _list(lines: Iterator[bytes], first: int) -> Iterator[Any]:
    """The parts of one JSON list that begins in line ``first``; a `Fault` names the file's line."""
    texts: list[str] = []
    try:
        texts.extend(decode(line) for line in lines)
        yield from parse("".join(texts))
    except Fault as fault:
        line = first + len(texts) if fault.field == "file" else first + fault.line - 1
        raise Fault(fault.field, fault.reason, line) from None


def read_json(
    source: BinaryIO, name: str, rules: Rules, reader: RowReader, key: str = "key"
) -> Iterator[Row]:
    """Each object of the file as a record or a refusal; a ``key`` that comes twice is refused.

    The number of a row is its line, or its place in the file's one list.
    """
    seen: dict[str, int] = {}
    number = 1
    try:
        for number, value in _values(source, name):
            try:
                record = _record(value, rules, reader)
                if record.key in seen:
                    reason = f"{record.key!r} stands in line {seen[record.key]} already"
                    raise Fault(key, reason)
                seen[record.key] = number
                yield number, record
            except Fault as fault:
                seen.setdefault("", number)
                yield Refusal(name, number, fault.field, fault.reason)
    except Fault as fault:
        seen.setdefault("", fault.line)
        yield Refusal(name, fault.line, fault.field, fault.reason)
    if not seen:
        yield Refusal(name, 1, "file", "the file is empty: there is nothing to import")


def _record(value: Any, rules: Rules, reader: RowReader) -> ItemRecord:
    if isinstance(value, Fault):
        raise value
    escaped = True
    if isinstance(value, str):
        escaped = "\\u" in value
        value = parse(value)
    if not isinstance(value, dict):
        raise Fault("json", f"each line holds one object, not {kind_of(value)}")
    if escaped:  # NUL and half characters can only come by an escape
        for key, part in value.items():
            clean(key, "json")
            clean(part, key)
    return reader(value, rules)
