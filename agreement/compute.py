"""Answers to questions about `Units`: at once where they are small, else in a process of their own.

The numbers of a large project keep a processor busy for seconds. In a thread of the web process
that would slow down everybody whom it serves, so it is done beside it.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agreement.compare import Side, comparison
from agreement.describe import description
from agreement.question import BadQuestion, Question, check_groups
from agreement.report import report
from agreement.stats import Resampling, Units, UnknownField

ROOT = Path(__file__).resolve().parents[1]
# annotations x resamples x groupings up to which an answer takes a blink
SMALL = 10_000_000
SECONDS = 300
WAIT = 20
# one at a time for each web process: more would take the processor from people who save
_turn = threading.Semaphore(1)
# and one that waits: every other waiting thread would be missing to people who save
_queue = threading.Semaphore(2)


class Busy(Exception):
    """Another report keeps the machine busy; it is worth asking again in a minute."""


class Failed(RuntimeError):
    """The process that computes a report ended without an answer."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Ask for a report and, with ``described``, all else that the page shows."""

    question: Question
    described: bool = True

    def answer(self, units: Units) -> dict[str, Any]:
        check_groups(units, self.question)
        found = {"report": report(units, self.question.groupings, **self.question.how()).as_json()}
        return found | (description(units) if self.described else {})

    def size(self) -> int:
        return max(self.question.resamples, 1) * (1 + len(self.question.groupings))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ask for the difference between two sides."""

    first: Side
    second: Side
    resampling: Resampling

    def answer(self, units: Units) -> dict[str, Any]:
        return comparison(units, self.first, self.second, self.resampling)

    def size(self) -> int:
        return 2 * max(self.resampling.resamples, 1)


Asked = Overview | Comparison


def answer(
    asked: Asked, units: Units, again: Callable[[], dict[str, Any] | None] = lambda: None
) -> dict[str, Any]:
    """The answer as JSON values; ``again`` may have it after another one was waited for.

    Raises
    ------
    BadQuestion, UnknownField
        If the data has no such field or value.
    Busy
        If another large report is not done soon, or others wait for it already.
    Failed
        If the process beside this one broke off; the message holds its last words.
    """
    if len(units.item_of) * asked.size() <= SMALL:
        return asked.answer(units)
    if not _queue.acquire(blocking=False):
        raise Busy
    try:
        if not _turn.acquire(timeout=WAIT):
            raise Busy
        try:
            return again() or _beside(asked, units)
        finally:
            _turn.release()
    finally:
        _queue.release()


def _beside(asked: Asked, units: Units) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "agreement.compute"],
        input=pickle.dumps((asked, units)),
        capture_output=True,
        cwd=ROOT,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise Failed(done.stderr.decode(errors="replace")[-2000:])
    found: dict[str, Any] = json.loads(done.stdout)
    if "unknown_field" in found:
        raise UnknownField(*found["unknown_field"])
    if "bad" in found:
        raise BadQuestion(*found["bad"])
    return found


def main() -> None:
    asked, units = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by `_beside` alone
    try:
        found = asked.answer(units)
    except UnknownField as error:
        found = {"unknown_field": [error.name, error.known]}
    except BadQuestion as error:
        found = {"bad": [error.where, error.message]}
    sys.stdout.write(json.dumps(found, allow_nan=False))


if __name__ == "__main__":
    from agreement import compute

    compute.main()
