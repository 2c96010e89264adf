"""SQLite held by one long writer, longer than anybody waits for it."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest

from tests.faults.conftest import LONG, on_sqlite
from tests.faults.team import statuses
from tests.servers import wait_until

HELD = 30  # seconds; the site waits 20


@pytest.mark.skipif(not LONG, reason="a minute: in the long form")
def test_a_long_writer_makes_people_wait_and_nothing_is_lost(tmp_path: Path):
    site = on_sqlite(tmp_path / "data", tmp_path, 12)
    with site.web, site.at_work(f"SQLite held by a writer for {HELD} s") as team:
        writer = sqlite3.connect(site.database, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        wait_until(lambda: time.monotonic() > begun + HELD, HELD + 5)
        writer.close()
    assert 503 in statuses(team) and statuses(team) <= {200, 409, 503}
