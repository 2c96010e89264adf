"""The site's settings with a clock that a test sets: ``CLOCK_FILE`` holds seconds to add."""

from __future__ import annotations

import datetime
import os
import time
from pathlib import Path

from django.utils import timezone

from deploy.settings import *  # noqa: F403

_now, _time = timezone.now, time.time


def _moved() -> float:
    return float(Path(os.environ["CLOCK_FILE"]).read_text() or 0)


def now() -> datetime.datetime:
    return _now() + datetime.timedelta(seconds=_moved())


timezone.now = now
time.time = lambda: _time() + _moved()
