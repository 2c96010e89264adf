"""A worker whose database goes away and comes back: it waits, and goes on with what is queued."""

from __future__ import annotations

import json
import subprocess
import sys

import psycopg
import pytest

from tests.servers import Postgres, Worker, manage, wait_until
from tests.servers.programs import ROOT, environment

pytestmark = pytest.mark.servers


def queue(env: dict[str, str]) -> int:
    done = subprocess.run(
        [sys.executable, "-m", "tests.deploy.enqueue"],
        cwd=ROOT, env=environment(**env), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_a_worker_outlasts_a_database_that_goes_away_and_tells_that_it_lives(tmp_path):
    with Postgres() as server:
        env = {
            "DATABASE_URL": server.url, "SHEEPFOLD_DATA": str(tmp_path), "SECRET_KEY": "k",
            "LOG_FORMAT": "json",
        }  # fmt: skip

        def value(query: str) -> object:
            with psycopg.connect(server.url) as connection:
                found = connection.execute(query).fetchone()
            return found[0] if found else None

        manage(env, "migrate", "-v0")
        with Worker(env, tmp_path) as worker:
            wait_until(lambda: value("SELECT count(*) FROM annotation_worker") == 1, 20, "its row")
            server.stop("immediate")
            noted = "does not answer, trying again"
            wait_until(lambda: worker.log.read_text().count(noted) > 2, 20, "it tries again")
            server.start()
            job = queue(env)
            state = f"SELECT state FROM annotation_job WHERE id = {job}"  # noqa: S608
            wait_until(lambda: value(state) == "done", 20, worker.log.read_text())
            assert worker.alive()
        assert worker.process.returncode == 0
        assert value("SELECT count(*) FROM annotation_worker") == 0, "it said good-bye"
    lines = [json.loads(line) for line in worker.log.read_text().splitlines()]
    assert [line for line in lines if line.get("job") == job and line["logger"] == "django_tasks"]
