"""Agreement on 20,000 items of three annotations with six labels; JSON on standard output.

python -m tests.benchmarks.agreement
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable

import krippendorff
import numpy as np

from agreement.report import report
from agreement.stats import Resampling, Table, Units, labels_by, pairs_of, units_from_columns
from agreement.stats.answers import count_values
from agreement.stats.statistics import label

ITEMS, PEOPLE, LABELS, LENGTH = 20_000, 3, 6, 400
ROUNDS, RESAMPLES, PACKAGE_RESAMPLES = 5, 1_000, 20
GROUPINGS = (("strategy",), ("language",), ("model",))
# 1 + 3 + 4 + 6 groups
VALUES = {"strategy": 3, "language": 4, "model": 6}


def made(n_items: int = ITEMS, seed: int = 1) -> Units:
    """Items of which three people mark about the same two stretches, a fifth of them nothing."""
    rng = np.random.default_rng(seed)
    answers = n_items * PEOPLE
    item_of = np.repeat(np.arange(n_items), PEOPLE)
    per_answer = np.where(rng.random(answers) < 0.2, 0, 2)
    per_answer[: answers // 5] += 1
    owner = np.repeat(np.arange(answers), per_answer)
    stretch = rng.integers(0, 3, len(owner))
    begin = rng.integers(0, LENGTH - 80, (n_items, 3))[item_of[owner], stretch]
    starts = begin + rng.integers(0, 12, len(owner))
    usual = rng.integers(0, LABELS, n_items)[item_of[owner]]
    other = rng.integers(0, LABELS, len(owner))
    return units_from_columns(
        keys=[f"item-{i}" for i in range(n_items)],
        lengths=np.full(n_items, LENGTH),
        annotators=[f"person-{i}" for i in range(12)],
        labels=[chr(ord("A") + i) for i in range(LABELS)],
        item_of=item_of,
        annotator_of=(item_of + np.tile(np.arange(PEOPLE), n_items)) % 12,
        annotation_of=owner,
        starts=starts,
        ends=starts + rng.integers(1, 60, len(owner)),
        codes=np.where(rng.random(len(owner)) < 0.6, usual, other),
        fields={
            name: [f"{name}-{i}" for i in rng.integers(0, n, n_items)] for name, n in VALUES.items()
        },
    )


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def resampling(units: Units) -> dict[str, float]:
    """Seconds of 1,000 resamples of nominal label alpha: ours, ours with ten other statistics from
    the same draw, and the package's, which is called for each resample of the value counts."""
    how = Resampling(resamples=RESAMPLES)
    one, every = Table(units, [label("first", "all")]), Table(units)
    counts = count_values(units.item_of, labels_by(units, "first") + 1, len(units), LABELS + 1)
    rng = np.random.default_rng(0)

    def package() -> None:
        for _ in range(PACKAGE_RESAMPLES):
            drawn = counts[rng.integers(0, len(counts), len(counts))]
            krippendorff.alpha(value_counts=drawn, level_of_measurement="nominal")

    ours = {"alpha": lambda: one.estimates(resampling=how)}
    ours["alpha_with_all"] = lambda: every.estimates(resampling=how)
    rounds = []
    for _ in range(ROUNDS):
        taken = {name: seconds(work) for name, work in ours.items()}
        taken["package"] = seconds(package) * RESAMPLES / PACKAGE_RESAMPLES
        rounds.append(taken | {"times_faster": taken["package"] / taken["alpha"]})
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


def reports(units: Units) -> dict[str, float]:
    """Seconds of the whole report from arrays, peak memory, and what ten times the items cost."""

    def taken(of: Units, interval: str = "percentile") -> float:
        return seconds(lambda: report(of, GROUPINGS, resamples=RESAMPLES, interval=interval))

    found = {"report": statistics.median(taken(units) for _ in range(ROUNDS))}
    found["report_bca"] = statistics.median(taken(units, "bca") for _ in range(ROUNDS))
    # before anything larger is made
    found["report_peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    large = made(10 * len(units))
    found["growth"] = statistics.median(taken(large) / taken(units) for _ in range(ROUNDS))
    return found


def main() -> None:
    units = made()
    found = reports(units) | resampling(units)
    found["pairs"] = statistics.median(seconds(lambda: pairs_of(units)) for _ in range(ROUNDS))
    sys.stdout.write(json.dumps({"agreement": found}) + "\n")


if __name__ == "__main__":
    main()
