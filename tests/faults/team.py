"""A site of its own with people at work on it, and the count of what a fault did to them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.ledger import Found, compare
from tests.faults.person import Person
from tests.faults.table import Row
from tests.servers import Web, wait_until
from tests.servers.programs import ROOT, environment


def fill(env: dict[str, str], people: int, items: int, per_item: int = 3) -> dict[str, Any]:
    """Migrate the database of that environment and make the project; what the filler says."""
    words = [sys.executable, "-m", "tests.faults.fill", str(people), str(items), str(per_item)]
    done = subprocess.run(words, cwd=ROOT, env=environment(**env), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@dataclass
class Site:
    """What the faults are done to. ``database`` is a URL, or SQLite's file."""

    env: dict[str, str]
    folder: Path
    database: str
    made: dict[str, Any]
    web: Web
    people: int
    long: bool
    rows: list[Row] = field(default_factory=list)
    gone: list[Person] = field(default_factory=list)  # who worked in earlier faults
    team: list[Person] = field(default_factory=list)

    @contextmanager
    def at_work(self, fault: str, port: int = 0, more: float = 0.0) -> Iterator[list[Person]]:
        """People at work while the block does its worst; then ``more`` s, and the count."""
        team = [
            Person(port or self.web.port, int(user), token, self.made["slug"], len(self.rows))
            for user, token in list(self.made["tokens"].items())[: self.people]
        ]
        self.team = team
        for person in team:
            person.start()
        wait_until(lambda: all(person.acks for person in team), 60, "everybody's first save")
        begun = time.monotonic()
        try:
            yield team
            self._go_on(team, more or (2.0 if self.long else 0.3))
        finally:
            for person in team:
                person.over.set()
        for person in team:
            person.join(150)
        self.gone += team
        self._count(fault, team, begun)

    def some_saves(self, each: int) -> None:
        """Wait until everybody at work had that many saves acknowledged from now on."""
        before = [len(person.acks) for person in self.team]
        wait_until(
            lambda: all(
                len(person.acks) >= had + each
                for person, had in zip(self.team, before, strict=True)
            ),
            90,
            f"{each} more saves of everybody",
        )

    def _go_on(self, team: list[Person], more: float) -> None:
        """Everybody saves again, and some time passes."""
        now = time.monotonic()
        wait_until(
            lambda: all(person.acks and person.acks[-1][0] > now for person in team),
            60,
            "everybody's save after the fault",
        )
        wait_until(lambda: time.monotonic() > now + more, more + 5)

    def _count(self, fault: str, team: list[Person], begun: float) -> None:
        found = self.compare()
        times = sorted([begun, *(at for person in team for at, _ in person.acks if at > begun)])
        gaps = [later - sooner for sooner, later in zip(times, times[1:], strict=False)]
        row = Row(
            fault,
            len(team),
            sum(len(person.acks) for person in team),
            sum(person.counts.unacknowledged for person in team),
            sum(person.counts.again for person in team),
            len(found.lost),
            len(found.twice),
            len(found.half) + len(found.places),
            max(gaps, default=0.0),
        )
        self.rows.append(row)
        assert not [person for person in team if person.is_alive()], "somebody still waits"
        assert [one for person in team for one in person.counts.wrong] == []
        assert found.clean, found

    def compare(self) -> Found:
        return compare(self.database, self.gone, self.made["per_item"])


def statuses(team: list[Person]) -> set[int]:
    return {status for person in team for status in person.statuses}


def at_once(count: int, ask: Callable[[], int]) -> list[int]:
    """The call from ``count`` threads at one time; what each gave."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(lambda _: ask(), range(count)))
