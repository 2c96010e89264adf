"""Where lines go: standard output for a service, standard error for a command."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

_service = False


def serve() -> None:
    """This process is a service: its lines go to standard output, warnings of Python too."""
    global _service  # noqa: PLW0603 - one answer for the whole process
    _service = True
    logging.captureWarnings(True)


class Console(logging.StreamHandler[TextIO]):
    """A command's standard output carries its result alone, so its lines go to the other one."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stdout if _service else sys.stderr
        super().emit(record)
