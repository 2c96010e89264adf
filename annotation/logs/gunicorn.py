"""gunicorn's own lines in the form of all others, and one line for each request."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from gunicorn import glogging

from annotation.logs import context
from annotation.logs.console import Console, serve
from annotation.logs.lines import JsonLines, PlainLines
from annotation.logs.mask import masked


class Logger(glogging.Logger):
    """``access_log_format`` is ``json`` or ``line``."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        serve()
        formatter = JsonLines() if cfg.access_log_format == "json" else PlainLines()
        for log in (self.error_log, self.access_log):
            handler = Console()
            handler.setFormatter(formatter)
            handler._gunicorn = True  # type: ignore[attr-defined] # dropped when it is set up anew
            log.handlers = [handler]
        self.access_log.setLevel(self.loglevel)

    def access(self, resp: Any, req: Any, wsgi: dict[str, Any], request_time: timedelta) -> None:
        """One line when the last byte is sent; probes that are answered well leave none."""
        if not self.access_log_enabled or not self.access_log.isEnabledFor(logging.INFO):
            return
        status = int(str(resp.status).split(maxsplit=1)[0])
        path = wsgi.get("PATH_INFO", "")
        if path in context.PROBES and status == 200:
            return
        note = wsgi.get(context.NOTE, {})
        fields = {
            "request": note.get("request"),
            "method": wsgi.get("REQUEST_METHOD"),
            "path": masked(note.get("path") or path),
            "status": status,
            "ms": round(request_time.total_seconds() * 1000),
            "user": note.get("user"),
        }
        fields = {name: value for name, value in fields.items() if value is not None}
        said = f"{fields['method']} {fields['path']} {status}"
        self.access_log.info(said.replace("%", "%%"), extra={"fields": fields})
        context.begin()
