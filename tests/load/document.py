"""Figures in a document, between two marks, with the date and the machine."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

MARKS = ("<!-- figures -->", "<!-- end of figures -->")


def write(document: Path, text: str) -> None:
    """Put the text in place of what stands between the marks."""
    cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(": ")[2] for line in cpuinfo if line.startswith("model name")]
    machine = f"{os.cpu_count()} cores that also run the client ({names[0] if names else '?'})"
    head = f"Measured on {datetime.date.today().isoformat()}; {machine}.\n\n"
    before, rest = document.read_text(encoding="utf-8").split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    document.write_text(f"{before}{MARKS[0]}\n{head}{text}{MARKS[1]}{after}", encoding="utf-8")
