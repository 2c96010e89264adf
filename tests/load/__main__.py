"""``make load``: annotators at work on gunicorn, nginx and PostgreSQL, all on this machine."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.load import table
from tests.load.beside import Beside
from tests.load.document import write
from tests.load.scenarios import ANSWERED, SCENARIOS, Scenario, projects
from tests.load.watch import Watch
from tests.servers import Nginx, Postgres, Web, Worker, free_port, wait_until
from tests.servers.deployed import behind_nginx
from tests.servers.programs import ROOT, answers, environment

DOCUMENT = ROOT / "docs/load.md"


@dataclass
class Stand:
    """The site under load, and who may work on it."""

    port: int
    url: str
    pids: dict[str, int]
    sessions: list[str]
    coordinator: str


def say(words: str) -> None:
    sys.stderr.write(f"{words}\n")


@contextmanager
def stand(wanted: tuple[Scenario, ...]) -> Iterator[Stand]:
    """The site as it is deployed, filled for these scenarios."""
    folder = Path(tempfile.mkdtemp(prefix="sheepfold-load-", dir="/tmp"))
    port = free_port()
    options = {"shared_buffers": "256MB"}
    with ExitStack() as stack:
        stack.callback(subprocess.run, ["rm", "-rf", str(folder)])
        database = stack.enter_context(Postgres(durable=True, options=options))
        env = {
            "DATABASE_URL": database.url, "SHEEPFOLD_DATA": str(folder / "data"),
            "SECRET_KEY": "only-for-this-run" * 4, "PUBLIC_URL": f"http://127.0.0.1:{port}/",
            "ACCEL_PREFIX": "/protected/", "CLIENT_IP_HEADER": "X-Real-IP",
        }  # fmt: skip
        env |= {k: os.environ[k] for k in ("WEB_WORKERS", "WEB_THREADS") if k in os.environ}
        made = filled(env, wanted)
        workers = int(env.get("WEB_WORKERS", "2"))
        web = stack.enter_context(Web(env, folder, workers=workers))
        worker = stack.enter_context(Worker(env, folder))
        conf = behind_nginx(web.port, port, folder / "data", folder)
        nginx = stack.enter_context(Nginx(folder / "nginx", conf))
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/"), 20, "nginx")
        postmaster = int((database.folder / "data/postmaster.pid").read_text().split()[0])
        pids = {"web": web.pid, "worker": worker.pid, "nginx": nginx.pid, "database": postmaster}
        yield Stand(port, database.url, pids, made["sessions"], made["coordinator"])


def filled(env: dict[str, str], wanted: tuple[Scenario, ...]) -> dict[str, Any]:
    begun = time.monotonic()
    words = {
        "people": max(one.people for one in wanted),
        "projects": projects(wanted),
        "answered": ANSWERED,
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.load.fill", json.dumps(words)],
        cwd=ROOT, env=environment(**env), stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    say(f"filled {words['projects']} in {time.monotonic() - begun:.0f} s")
    made: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return made


def measure(site: Stand, one: Scenario, seconds: float) -> dict[str, Any]:
    """One scenario: its people in a process of their own."""
    words = {
        "port": site.port, "sessions": site.sessions[: one.people], "slug": one.slug,
        "think": one.think, "seconds": seconds,
    }  # fmt: skip
    command = [sys.executable, "-m", "tests.load.people"]
    with (
        Beside(one.beside, site.port, site.coordinator) as beside,
        Watch(site.url, site.pids) as watch,
    ):
        done = subprocess.run(
            command,
            cwd=ROOT,
            input=json.dumps(words),
            text=True,
            stdout=subprocess.PIPE,
            check=True,
        )
    found = table.figures(json.loads(done.stdout.splitlines()[-1]))
    found |= {"connections": watch.connections, "megabytes": watch.megabytes, "cpu": watch.cpu}
    found |= {"beside": beside.seconds}
    found["errors"] += len(beside.errors)
    found["first"] += beside.errors[:3]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    names = ",".join(one.name for one in SCENARIOS)
    parser.add_argument("--only", default=names, help=f"of {names}")
    parser.add_argument("--seconds", type=float, help="of each scenario, in place of its own")
    parser.add_argument("--json", help="file for the raw figures")
    parser.add_argument("--write", action="store_true", help=f"put the table into {DOCUMENT.name}")
    asked = parser.parse_args()
    wanted = tuple(one for one in SCENARIOS if one.name in asked.only.split(","))
    found: dict[str, dict[str, Any]] = {}
    with stand(wanted) as site:
        for one in wanted:
            found[one.name] = measure(site, one, asked.seconds or one.seconds)
            figures = found[one.name]
            say(f"{one.words}: p95 {figures['p95']:.0f} ms, {figures['errors']} errors")
            if figures["first"]:
                say(f"   {figures['first']}")
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=1), encoding="utf-8")
    text = table.render(found, {one.name: one.words for one in wanted})
    sys.stdout.write(text)
    if asked.write:
        write(DOCUMENT, text)
    failed = any(one["errors"] for one in found.values()) or "| NO |" in text
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
