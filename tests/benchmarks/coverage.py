"""Do the intervals mean what they say? How often 95 % intervals cover the population's value.

python -m tests.benchmarks.coverage [--samples 1000] [--sizes 50,200,1000] [--population 100000]

A population of items is made once: texts of 120 to 600 characters, of which 60 % hold one to three
errors. Each of three annotators finds an error with probability 0.75, misses its edges by a few
characters, gives it the right label with probability 0.8, and marks something that is no error in
10 % of the texts. The population's value of each statistic is that over all its items. Samples of
items are drawn from it, and the intervals of each sample are compared with that value.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from agreement.stats import STATISTICS, Resampling, Table, Units, units_from_columns
from agreement.stats.estimate import Estimate

PEOPLE, LABELS = 3, 5
ERRORS = (0.4, 0.3, 0.2, 0.1)  # probability of 0, 1, 2, 3 errors in a text
FINDS, RIGHT, INVENTS = 0.75, 0.8, 0.1
LABEL_SHARES = (0.35, 0.3, 0.15, 0.15, 0.05)
METHODS = ("percentile", "bca")


def population(n: int, seed: int) -> Units:
    """Items with the answers of three annotators, as described above."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(120, 600, n)
    errors = np.repeat(np.arange(n), rng.choice(4, n, p=ERRORS))
    item = np.repeat(errors, PEOPLE)
    person = np.tile(np.arange(PEOPLE), len(errors))
    starts = np.repeat(rng.integers(0, lengths[errors] - 10), PEOPLE)
    ends = starts + np.repeat(rng.geometric(1 / 25, len(errors)) + 2, PEOPLE)
    true = np.repeat(rng.choice(LABELS, len(errors), p=LABEL_SHARES), PEOPLE)
    found = rng.random(len(item)) < FINDS
    starts = starts + np.where(rng.random(len(item)) < 0.5, 0, rng.integers(-12, 13, len(item)))
    ends = ends + np.where(rng.random(len(item)) < 0.5, 0, rng.integers(-12, 13, len(item)))
    wrong = rng.random(len(item)) > RIGHT
    codes = np.where(wrong, rng.integers(0, LABELS, len(item)), true)
    lone = np.flatnonzero(rng.random(n * PEOPLE) < INVENTS)
    lone_start = rng.integers(0, lengths[lone // PEOPLE] - 10)
    return units_from_columns(
        keys=[str(i) for i in range(n)],
        lengths=lengths,
        annotators=[f"annotator {i}" for i in range(PEOPLE)],
        labels=[f"label {i}" for i in range(LABELS)],
        item_of=np.repeat(np.arange(n), PEOPLE),
        annotator_of=np.tile(np.arange(PEOPLE), n),
        annotation_of=np.concatenate([(item * PEOPLE + person)[found], lone]),
        starts=np.concatenate([starts[found], lone_start]),
        ends=np.concatenate([ends[found], lone_start + rng.geometric(1 / 25, len(lone)) + 2]),
        codes=np.concatenate([codes[found], rng.integers(0, LABELS, len(lone))]),
    )


def covers(estimate: Estimate, value: float) -> bool | None:
    """None where the sample gives no interval."""
    if estimate.low is None or estimate.high is None:
        return None
    return estimate.low <= value <= estimate.high


def coverage(
    table: Table, truth: dict[str, float], size: int, samples: int, seed: int
) -> dict[tuple[str, str], list[bool]]:
    """Statistic and method -> whether each sample's interval covers the population's value."""
    rng = np.random.default_rng([seed, size])
    found: dict[tuple[str, str], list[bool]] = {
        (name, method): [] for name in truth for method in METHODS
    }
    for sample in range(samples):
        items = np.sort(rng.choice(len(table.rows), size, replace=False))
        for method in METHODS:
            how = Resampling(seed=sample, interval=method)
            for name, estimate in table.estimates(items, {}, how).items():
                if (hit := covers(estimate, truth[name])) is not None:
                    found[name, method].append(hit)
    return found


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--sizes", default="50,200,1000")
    parser.add_argument("--population", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    start = time.perf_counter()
    table = Table(population(asked.population, asked.seed))
    whole = table.estimates(resampling=Resampling(resamples=0))
    truth = {name: whole[name].value for name in STATISTICS}
    assert all(value is not None for value in truth.values())
    sizes = [int(text) for text in asked.sizes.split(",")]
    runs = {n: coverage(table, truth, n, asked.samples, asked.seed) for n in sizes}
    heads = "".join(f" {n:,}: percentile | BCa |" for n in sizes)
    print(f"| statistic | population |{heads}")
    print("| --- | ---: |" + " ---: | ---: |" * len(sizes))
    for name, value in truth.items():
        cells = "".join(
            f" {100 * np.mean(runs[n][name, method]):.1f} |" for n in sizes for method in METHODS
        )
        print(f"| `{name}` | {value:.3f} |{cells}")
    for n in sizes:
        means = [np.mean([np.mean(runs[n][name, method]) for name in truth]) for method in METHODS]
        gaps = [
            np.mean([abs(np.mean(runs[n][name, method]) - 0.95) for name in truth])
            for method in METHODS
        ]
        print(
            f"{n:,} items: mean coverage percentile {100 * means[0]:.1f} %, BCa "
            f"{100 * means[1]:.1f} %; mean distance from 95 % {100 * gaps[0]:.2f} and "
            f"{100 * gaps[1]:.2f} points"
        )
    print(
        f"{asked.samples:,} samples of each size, 1,000 resamples each, "
        f"population {asked.population:,}, seed {asked.seed}, "
        f"{time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
