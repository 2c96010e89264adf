"""kill -9 of the worker in the middle of an import, and of who writes an export."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks import processes
from tests.faults.coordinator import Coordinator, rows_of
from tests.faults.ledger import rows
from tests.faults.team import Site
from tests.servers import Nginx, Worker, free_port, wait_until
from tests.servers.deployed import behind_nginx
from tests.servers.programs import ROOT, environment

ITEMS = "SELECT count(*) FROM annotation_item WHERE key LIKE '{}-%'"
PLACES = """
SELECT count(*) FROM annotation_assignment p JOIN annotation_item i ON i.id = p.item_id
WHERE i.key LIKE '{}-%'
"""
LATER = """
UPDATE annotation_job SET heartbeat = heartbeat - interval '3 minutes' WHERE state = 'running'
"""


@pytest.fixture
def coordinator(site: Site) -> Coordinator:
    return Coordinator(site.web.port, site.made["session"], site.made["slug"])


def counts(site: Site, prefix: str) -> tuple[int, int]:
    """Items with that prefix, and their places."""
    items, places = rows(site.database, ITEMS.format(prefix), PLACES.format(prefix))
    return items[0][0], places[0][0]


def three_minutes_later(site: Site) -> None:
    """The worker's last sign of life is older than a living worker's can be."""
    import psycopg

    with psycopg.connect(site.database.replace("postgres://", "postgresql://")) as connection:
        connection.execute(LATER)
    for beat in Path(site.env["SHEEPFOLD_DATA"], "jobs").glob("*/beat"):
        at = beat.stat().st_mtime - 180
        os.utime(beat, (at, at))


def test_a_job_whose_worker_is_killed_is_seen_and_run_again_without_duplicates(
    site: Site, coordinator: Coordinator
):
    count = 20_000 if site.long else 4_000
    job = coordinator.started(rows_of(count, "imported"))
    with site.at_work("kill -9 of the worker in an import"):
        with Worker(site.env, site.folder) as worker:
            writing = lambda: coordinator.job(job)["message"] == "Writing"  # noqa: E731
            wait_until(writing, 60, "the import writes")
            worker.kill()
        assert counts(site, "imported") == (0, 0)
        assert coordinator.job(job)["state"] == "running"
        three_minutes_later(site)
        now = coordinator.job(job)
        assert (now["state"], now["text"]) == ("failed", "Stopped without a word")
        coordinator.again(job)
        with Worker(site.env, site.folder):
            wait_until(lambda: coordinator.job(job)["ended"], 90, "the import's end")
        assert coordinator.job(job)["state"] == "done"
    assert counts(site, "imported") == (count, 3 * count)


def test_a_download_whose_web_process_is_killed_is_seen_to_be_broken_off(
    site: Site, tmp_path: Path
):
    port = free_port()
    conf = behind_nginx(site.web.port, port, Path(site.env["SHEEPFOLD_DATA"]), tmp_path)
    with Nginx(tmp_path / "nginx", conf):
        wait_until(lambda: _answers(port), 10, "nginx")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        cookie = f"sessionid={site.made['session']}"
        path = f"/p/{site.made['slug']}/export/?format=jsonl"
        connection.request("GET", path, headers={"Cookie": cookie})
        reply = connection.getresponse()
        reply.read(1000)
        for child in processes.children(site.web.pid):
            os.kill(child, signal.SIGKILL)
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            reply.read()
        connection.close()


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/accounts/login/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def test_an_export_to_a_file_that_is_killed_leaves_the_old_file(site: Site, tmp_path: Path):
    path = tmp_path / "flock.jsonl"
    path.write_text("the export of yesterday")
    words = [sys.executable, "manage.py", "export", site.made["slug"], "--format", "jsonl"]
    export = subprocess.Popen(
        [*words, "--out", str(path)], cwd=ROOT, env=environment(**site.env), stderr=subprocess.PIPE
    )
    part = f".{path.name}.{export.pid}.part"
    wait_until(lambda: (tmp_path / part).exists() or export.poll() is not None, 30, "it writes")
    export.kill()
    export.communicate()
    assert export.returncode == -signal.SIGKILL
    assert path.read_text() == "the export of yesterday"
