"""A record as one line: JSON for programs, plain for people."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from annotation.logs import context
from annotation.logs.errors import told, trace
from annotation.logs.mask import masked


def message_of(record: logging.LogRecord) -> str:
    """What the record says; an exception among its arguments is told by its kind."""
    if isinstance(record.args, tuple):
        values = (told(a) if isinstance(a, BaseException) else a for a in record.args)
        record.args = tuple(values)
    try:
        return record.getMessage()
    except (TypeError, ValueError):
        return str(record.msg)


class JsonLines(logging.Formatter):
    """``time level logger message``, the fields of the request or job, an error's trace."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": masked(message_of(record)),
        }
        entry |= context.fields() | getattr(record, "fields", {})
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            entry["error"] = masked(told(error))
            entry["traceback"] = [masked(line) for line in trace(error)]
        return json.dumps(entry, default=str)


class PlainLines(logging.Formatter):
    """For the terminal of whoever works on the site: the whole traceback, secrets left out."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - of the class above
        """A message is one line, so that no address of a request can forge another."""
        record.message = record.message.replace("\r", "\\r").replace("\n", "\\n")
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record))
