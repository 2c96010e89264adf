"""kill -9 of one web process, and of all of them, while people save."""

from __future__ import annotations

import os
import signal

from tests.benchmarks import processes
from tests.faults.team import Site, statuses


def test_a_web_process_is_killed_while_people_save(site: Site):
    times = 4 if site.long else 1
    with site.at_work(f"kill -9 of one of two web processes, {times} x"):
        for time in range(times):
            children = processes.children(site.web.pid)
            os.kill(children[time % len(children)], signal.SIGKILL)
            site.some_saves(2)
    assert site.web.alive()


def test_the_whole_web_server_is_killed_and_started_again(site: Site):
    with site.at_work("kill -9 of gunicorn, started again") as team:
        site.web.kill()
        site.web.start()
    assert 0 in statuses(team)
