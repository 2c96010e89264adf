"""What a process and its children cost: CPU seconds and peak memory, from /proc."""

from __future__ import annotations

import os
import select
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> list[str]:
    """The fields after the command's name, which may itself hold blanks and brackets."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def parent(pid: int) -> int:
    return int(_stat(pid)[1])


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and parent(int(entry.name)) == pid:
                found.append(int(entry.name))
        except OSError:
            continue  # it ended meanwhile
    return found


def cpu_seconds(pid: int) -> float:
    """User and system time of a process, its ended children and its living ones."""
    fields = _stat(pid)
    total = sum(int(value) for value in fields[11:15]) / TICK
    for child in children(pid):
        try:
            total += sum(int(value) for value in _stat(child)[11:15]) / TICK
        except OSError:
            continue
    return total


def peak_mb(pid: int) -> float:
    """The most memory a living process ever had resident, in MB; 0 when it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


@dataclass(frozen=True)
class Timed:
    """A command that ran to its end."""

    seconds: float
    first_byte: float
    peak_mb: float
    output_bytes: int
    code: int


def timed(command: list[str]) -> Timed:
    """Run the command; its standard output is counted and thrown away.

    The peak is read while it runs: wait4's would count the memory of this process too.
    """
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    first, size, peak = 0.0, 0, 0.0
    while True:
        chunk = process.stdout.read(1 << 20)
        if chunk:
            first = first or time.perf_counter() - start
            size += len(chunk)
        peak = max(peak, peak_mb(process.pid))
        if not chunk:
            if process.poll() is not None and chunk == b"":
                break
            # a nap would let the pipe run full, and the command wait for its reader
            select.select([process.stdout], [], [], 0.005)
    return Timed(time.perf_counter() - start, first, peak, size, process.wait())
