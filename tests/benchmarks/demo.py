"""How long ``make demo`` takes in a fresh clone, and once more, and how large its .venv is."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.site import ROOT, free_port


def start(clone: Path, port: int) -> float:
    """Seconds until the demo says where it is."""
    clean = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "SHEEPFOLD_DATA")}
    begin = time.perf_counter()
    process = subprocess.Popen(
        ["make", "-s", "demo", f"PORT={port}"],
        cwd=clone,
        env=clean,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    up = any("Sheepfold is at" in line for line in process.stdout)
    seconds = time.perf_counter() - begin
    os.killpg(process.pid, signal.SIGTERM)  # SIGINT is ignored in the background
    process.wait()
    assert up, "the demo did not start"
    return seconds


def megabytes(folder: Path) -> float:
    done = subprocess.run(["du", "-sm", folder], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        port = free_port()
        times = [start(clone, port) for _ in range(2)]
        return {"demo": {"first": times[0], "later": times[1], "mb": megabytes(clone / ".venv")}}
