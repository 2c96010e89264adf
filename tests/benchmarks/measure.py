"""Measure the site over the database of the environment; one JSON object on standard output.

SHEEPFOLD_DATA=FOLDER [DATABASE_URL=...] python -m tests.benchmarks.measure PARTS
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.core.management import call_command, get_commands  # noqa: E402
from django.db.models import Count  # noqa: E402

from annotation.models import Annotation, Assignment, Project  # noqa: E402
from tests.benchmarks import client, fill, processes, site  # noqa: E402

SMALL, LARGE = 2_000, 20_000
WARM, PAIRS, OWN = 30, 300, 1_250
TOGETHER, PAIRS_TOGETHER = 12, 120
MANAGE = [sys.executable, "manage.py"]


def note(text: str) -> None:
    sys.stderr.write(f"   {text}\n")


def import_items(slug: str, count: int, folder: Path) -> dict[str, float]:
    """By the command, in a process of its own."""
    path = fill.item_file(folder / f"{slug}.jsonl", count)
    command = [*MANAGE, "import_items", slug, str(path), "--format", "jsonl"]
    done = processes.timed(command)
    found = Assignment.objects.filter(project__slug=slug).count()
    assert done.code == 0 and found == 3 * count, f"import: exit {done.code}, {found} places"
    return {"seconds": done.seconds, "peak_mb": done.peak_mb}


def load(port: int, web: int, tokens: list[str], slug: str, count: int) -> dict[str, Any]:
    """The numbers of one load; CPU in ms for each pair."""
    database = site.database_pid()
    before = site.server_cpu(web, database)
    done = client.run(port, tokens, slug, count)
    used = site.server_cpu(web, database) - before
    pairs = max(len(done.pairs), 1)
    return {
        "p50": done.at(0.5),
        "p95": done.at(0.95),
        "rate": done.rate,
        "pairs": len(done.pairs),
        "cpu": 1000 * used / pairs,
        "client_cpu": 1000 * done.client_cpu / pairs,
        "errors": done.errors,
    }


def surplus(made: Project) -> dict[str, int]:
    """Items with too many answers, and people with two on one item; both must be none."""
    answers = Annotation.objects.filter(item__project=made, state="submitted")
    per_item = answers.values("item").annotate(n=Count("pk")).order_by()
    twice = answers.values("item", "annotator").annotate(n=Count("pk")).order_by()
    return {
        "surplus": per_item.filter(n__gt=made.per_item).count(),
        "twice": twice.filter(n__gt=1).count(),
        "answers": answers.count(),
    }


def loads(folder: Path) -> dict[str, Any]:
    """One annotator at two sizes and after many own answers, then twelve at once."""
    small, small_tokens = fill.project("small", 1)
    large, tokens = fill.project("large", 1 + TOGETHER)
    found: dict[str, Any] = {"import_small": import_items("small", SMALL, folder)}
    with site.served() as (port, web):
        client.run(port, small_tokens, "small", WARM)
        found["one_small"] = load(port, web, small_tokens, "small", PAIRS)
        note("import of 20,000 items")
        found["import"] = import_items("large", LARGE, folder)
        note("one annotator at 20,000 items")
        client.run(port, tokens[:1], "large", WARM)
        found["one_large"] = load(port, web, tokens[:1], "large", PAIRS)
        client.run(port, tokens[:1], "large", OWN - WARM - PAIRS)
        found["one_after"] = load(port, web, tokens[:1], "large", PAIRS)
        note("twelve annotators at once")
        found["twelve"] = load(port, web, tokens[1:], "large", PAIRS_TOGETHER)
    found |= surplus(large)
    sent = WARM + PAIRS + (OWN - WARM - PAIRS) + PAIRS + found["twelve"]["pairs"]
    found["lost"] = sent - found["answers"]
    return found


BY = [word for name in ("strategy", "language", "model") for word in ("--by", name)]


def agreement(folder: Path) -> dict[str, Any]:
    """The report of a finished project: by the command, and over HTTP beside somebody's work."""
    made, tokens = fill.project("agreed", 3)
    import_items("agreed", LARGE, folder)
    note("filling 20,000 items with three answers each")
    fill.answer_everything(made)
    owner = fill.factories.join(made, "agreed-owner", "coordinator")
    fill.ApiToken.objects.create(user=owner, digest=fill.digest("bench-agreed-owner"))
    note("report")
    runs = [processes.timed([*MANAGE, "agreement", "agreed", *BY, "--json"]) for _ in range(5)]
    middle = sorted(runs, key=lambda run: run.seconds)[2]
    with site.served(WEB_WORKERS="1") as (port, _web):
        worker, owner_line = (
            client.Connection(port, token) for token in (tokens[0], "bench-agreed-owner")
        )
        path = "/api/v1/projects/agreed/agreement/?" + "&".join(f"by={n}" for n in BY[1::2])
        alone = _asks(worker, 100)
        answered: list[tuple[int, float]] = []

        def ask() -> None:
            start = time.perf_counter()
            status, _body = owner_line.send("GET", path)
            answered.append((status, time.perf_counter() - start))

        asking = threading.Thread(target=ask)
        asking.start()
        beside = []
        while asking.is_alive():
            beside += _asks(worker, 1)
        asking.join()
        start = time.perf_counter()
        assert owner_line.send("GET", path)[0] == 200
        again = time.perf_counter() - start
    assert answered[0][0] == 200
    return {
        "report": {
            "seconds": middle.seconds,
            "peak_mb": max(run.peak_mb for run in runs),
            "http": answered[0][1],
            "again": again,
            "alone": at(alone, 0.95),
            "beside": at(beside, 0.95),
        }
    }


def _asks(line: client.Connection, count: int) -> list[float]:
    """Milliseconds of each of ``count`` reads of the project's progress by an annotator."""
    found = []
    for _ in range(count):
        start = time.perf_counter()
        assert line.send("GET", "/api/v1/projects/agreed/")[0] == 200
        found.append(1000 * (time.perf_counter() - start))
    return found


def at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def downloads(folder: Path) -> dict[str, Any]:
    """Export of a finished project, by command and over HTTP."""
    made, tokens = fill.project("full", 3)
    import_items("full", LARGE, folder)
    note("filling 20,000 items with three answers each")
    fill.answer_everything(made)
    owner = fill.factories.join(made, "full-owner", "coordinator")
    fill.ApiToken.objects.create(user=owner, digest=fill.digest("bench-owner"))
    note("export")
    done = processes.timed([*MANAGE, "export", "full", "--format", "sheep"])
    with site.served(WEB_WORKERS="1") as (port, web):
        start = time.perf_counter()
        connection = client.Connection(port, "bench-owner")
        head = b"GET /api/v1/projects/full/export/?format=sheep HTTP/1.1\r\nConnection: close\r\n"
        connection.socket.sendall(head + connection.headers.encode() + b"\r\n")
        size = len(connection.socket.recv(65536))
        first = time.perf_counter() - start
        while part := connection.socket.recv(1 << 20):
            size += len(part)
        seconds = time.perf_counter() - start
        peak = max(processes.peak_mb(pid) for pid in processes.children(web))
    return {
        "export": done.__dict__,
        "export_http": {"seconds": seconds, "first_byte": first, "peak_mb": peak, "bytes": size},
    }


def main(parts: list[str]) -> None:
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    wanted = {"loads": loads, "downloads": downloads, "agreement": agreement}
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in parts:
            missing = {"import_items", "export"} - get_commands().keys()
            assert not missing, f"no command {missing}"
            found |= wanted[name](Path(folder))
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
