"""The machine's clock is set back while people work, and set right again."""

from __future__ import annotations

from pathlib import Path

from tests.faults.coordinator import Coordinator
from tests.faults.ledger import rows
from tests.faults.team import Site
from tests.servers import Web

BACK = -2 * 3600
LEASES = "SELECT max(leased_until) - now() FROM annotation_assignment WHERE state = 'claimed'"
ACTIVE = """
SELECT count(*), count(*) FILTER (WHERE a.active_ms > 0) FROM annotation_annotation a
WHERE a.version > 2 AND a.id > %d
"""
LAST = "SELECT coalesce(max(id), 0) FROM annotation_annotation"


def test_a_clock_set_back_by_two_hours_loses_no_save_no_session_and_no_active_time(
    site: Site, tmp_path: Path
):
    clock = tmp_path / "clock"
    clock.write_text("0")
    env = site.env | {
        "DJANGO_SETTINGS_MODULE": "tests.faults.clock_settings",
        "CLOCK_FILE": str(clock),
    }
    with Web(env, tmp_path) as web:
        with site.at_work("clock set back by 2 h, and forward again", web.port):
            coordinator = Coordinator(web.port, site.made["session"], site.made["slug"])
            _set(clock, BACK)
            [[(last,)]] = rows(site.database, LAST)
            site.some_saves(8)  # at least one item of everybody lies within
            assert coordinator.ask("GET", f"/p/{coordinator.slug}/").status == 200
            [[(all_, active)]] = rows(site.database, ACTIVE % last)
            assert all_ >= site.people and active == all_
            _set(clock, 0)
        # Whoever claimed in the past holds the place no longer than the lease.
        [[(longest,)]] = rows(site.database, LEASES)
        assert longest is None or longest.total_seconds() <= 30 * 60


def _set(clock: Path, seconds: int) -> None:
    new = clock.with_suffix(".new")
    new.write_text(str(seconds))
    new.replace(clock)
