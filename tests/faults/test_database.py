"""PostgreSQL restarted, crashed, away for some time, and out of connection slots."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import suppress

import psycopg
import pytest

from tests.faults.conftest import LONG
from tests.faults.coordinator import Coordinator, said
from tests.faults.team import Site, at_once, statuses
from tests.servers import Postgres, wait_until

OTHERS = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE application_name <> 'hog' AND backend_type = 'client backend'
"""


def ask(site: Site, path: str, token: str = "") -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", site.web.port, timeout=60)
    token = token or next(iter(site.made["tokens"].values()))
    connection.request("GET", path, headers={"Authorization": f"Token {token}"})
    reply = connection.getresponse()
    try:
        return reply.status, reply.headers, reply.read()
    finally:
        connection.close()


@pytest.mark.skipif(not LONG, reason="in the long form: two others stop it too")
def test_the_database_is_restarted_while_people_save(site: Site, postgres: Postgres):
    with site.at_work("PostgreSQL restarted") as team:
        postgres.restart()
    assert statuses(team) <= {200, 0, 409, 503}


def test_the_database_crashes_while_people_save(site: Site, postgres: Postgres):
    with site.at_work("PostgreSQL crashed, started again") as team:
        postgres.restart("immediate")
    assert statuses(team) <= {200, 0, 409, 503}


def test_while_the_database_is_away_everything_answers_503_and_when_to_come_again(
    site: Site, postgres: Postgres
):
    away = 10 if site.long else 1.5
    with site.at_work(f"PostgreSQL stopped for {away:g} s") as team:
        postgres.stop()
        try:
            begun = time.monotonic()
            status, headers, body = ask(site, f"/api/v1/projects/{site.made['slug']}/")
            assert (status, headers["Retry-After"]) == (503, "5")
            [problem] = json.loads(body)["errors"]
            assert "database does not answer" in problem["message"]
            page = Coordinator(site.web.port, site.made["session"], site.made["slug"])
            reply = page.ask("GET", f"/p/{page.slug}/")
            assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
            assert "database does not answer" in said(reply.body)
            wait_until(lambda: time.monotonic() > begun + away, away + 5)
        finally:
            postgres.start()
    assert statuses(team) <= {200, 0, 409, 503} and 503 in statuses(team)


def test_no_request_after_a_restart_fails_through_a_connection_that_is_dead(
    site: Site, postgres: Postgres
):
    path = f"/api/v1/projects/{site.made['slug']}/"
    at_once(24, lambda: ask(site, path)[0])  # every thread holds a connection now
    postgres.restart()
    assert at_once(24, lambda: ask(site, path)[0]) == [200] * 24


class Hog:
    """Takes every connection slot of a server, also those that the site holds."""

    def __init__(self, postgres: Postgres) -> None:
        self.url = postgres.url.replace("postgres://", "postgresql://")
        self.held: list[psycopg.Connection] = []

    def _take(self) -> None:
        with suppress(psycopg.OperationalError):
            while True:
                one = psycopg.connect(self.url, application_name="hog", autocommit=True)
                self.held.append(one)

    def hog(self) -> None:
        for _ in range(40):
            self._take()
            [others] = self.held[0].execute(OTHERS).fetchone() or (0,)
            if not others:
                return

    def free(self) -> None:
        while self.held:
            self.held.pop().close()


@pytest.fixture
def hog(postgres: Postgres) -> Iterator[Hog]:
    one = Hog(postgres)
    yield one
    one.free()


def test_where_all_connection_slots_are_used_up_people_wait_and_lose_nothing(site: Site, hog: Hog):
    with site.at_work("no connection slot left, sessions ended") as team:
        hog.hog()
        status, headers, _ = ask(site, f"/api/v1/projects/{site.made['slug']}/")
        assert (status, headers["Retry-After"]) == (503, "5")
        wait_until(lambda: all(503 in person.statuses for person in team), 30, "everybody waits")
        hog.free()
    assert statuses(team) <= {200, 0, 409, 503}
