"""What the commands have in common: the key file, and refusals as one line."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from backup import sealing
from backup.errors import Refused


def key_of(options: dict[str, Any]) -> bytes | None:
    return sealing.read_key(Path(options["key_file"])) if options["key_file"] else None


@contextmanager
def told(kept: str = "Nothing was kept.") -> Iterator[None]:
    """Refusals, and what the disk or the store refuses, as errors of a command.

    ``kept`` says what such a fault leaves.
    """
    try:
        yield
    except Refused as refused:
        raise CommandError(str(refused)) from None
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        reason = "the disk is full" if full else error.strerror or str(error)
        where = f"{error.filename}: " if error.filename else ""
        raise CommandError(f"{where}{reason}. {kept}") from None
