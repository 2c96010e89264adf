"""The site under test: gunicorn on a free port, over the database of the environment."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks import processes

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(port: int = 0, **environment: str) -> Iterator[tuple[int, int]]:
    """``(port, pid of gunicorn)`` while the site answers."""
    port = port or free_port()
    command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py"]
    command += ["--bind", f"127.0.0.1:{port}", "--log-level", "warning", "deploy.wsgi:application"]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | environment)
    try:
        _wait(port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def _wait(port: int) -> None:
    for _ in range(400):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("GET", "/api/v1/projects/")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.05)
        finally:
            connection.close()
    raise SystemExit("the site did not start")


def database_pid() -> int | None:
    """PostgreSQL's first process, or None on SQLite, whose work is the web process's own."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return processes.parent(cursor.fetchone()[0])


def server_cpu(web: int, database: int | None) -> float:
    return processes.cpu_seconds(web) + (processes.cpu_seconds(database) if database else 0.0)
