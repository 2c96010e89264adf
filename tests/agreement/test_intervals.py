"""Intervals: their formulas, their draws, and that they can be made again anywhere."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from statistics import NormalDist, mean

import numpy as np
import pytest

from agreement.stats import Resampling, Table, bootstrap
from agreement.stats.bootstrap import (
    acceleration,
    bca_interval,
    draw_sums,
    percentile_interval,
)
from agreement.stats.exact import exact_rows
from tests import code
from tests.agreement.making import answers_of, units
from tests.benchmarks.agreement import made

NORMAL = NormalDist()
ANSWERS = [answers_of("A", "B", "")] * 3 + [answers_of("A", "A")] * 5 + [answers_of("B", "AB")] * 4


def quantile(values: list[float], p: float) -> float:
    place = p * (len(values) - 1)
    low = sorted(values)[math.floor(place)]
    return low + (place % 1) * (sorted(values)[math.ceil(place)] - low)


def reference_bca(data: list[float], draws: list[float], level: float) -> list[float]:
    """Efron (1987) for a mean, written out: bias of the draws, acceleration of the jackknife."""
    value = mean(data)
    below = sum(1.0 if d < value else 0.5 if d == value else 0 for d in draws)
    z0 = NORMAL.inv_cdf(below / len(draws))
    jackknife = [mean(data[:i] + data[i + 1 :]) for i in range(len(data))]
    centre = mean(jackknife)
    over = sum((centre - one) ** 3 for one in jackknife)
    under = 6 * sum((centre - one) ** 2 for one in jackknife) ** 1.5
    ends = []
    for p in ((1 - level) / 2, (1 + level) / 2):
        z = z0 + NORMAL.inv_cdf(p)
        ends.append(quantile(draws, NORMAL.cdf(z0 + z / (1 - over / under * z))))
    return ends


def test_bca_is_efron_s_formula():
    rng = np.random.default_rng(5)
    data = (rng.random(25) ** 4).tolist()
    draws = rng.choice(data, (400, 25)).mean(axis=1)
    left_out = (sum(data) - np.array(data)) / 24
    found = bca_interval(mean(data), draws, left_out, 0.9)
    assert found == pytest.approx(reference_bca(data, draws.tolist(), 0.9), abs=1e-12)
    # skewed to the right, so it lies to the right of the percentile interval
    assert np.greater(found, percentile_interval(draws, 0.9)).all()


def test_the_acceleration_of_a_mean_is_a_sixth_of_the_skewness_over_the_root_of_n():
    data = np.array([0.0, 1.0, 1.0, 2.0, 7.0])
    d = data - data.mean()
    skewness = (d**3).mean() / (d * d).mean() ** 1.5
    left_out = (data.sum() - data) / 4
    assert acceleration(left_out) == pytest.approx(skewness / 6 / math.sqrt(5), abs=1e-12)


def test_a_constant_jackknife_accelerates_nothing_not_even_by_its_rounding():
    assert acceleration(0.3 + np.array([0.0, 1e-16, -5e-17])) == 0
    assert acceleration(np.array([np.nan, np.nan])) == 0
    draws = np.arange(1001.0)
    ends = bca_interval(500.0, draws, np.full(9, 0.5), 0.95)
    assert ends == pytest.approx(percentile_interval(draws, 0.95), abs=1e-9)


def test_a_draw_that_is_the_value_but_for_its_rounding_counts_half():
    draws = np.concatenate([np.linspace(0, 1, 99), np.full(20, 0.3)])
    left_out = np.array([0.2, 0.3, 0.5])
    exact = bca_interval(0.3, draws, left_out, 0.9)
    for rounded in (0.1 + 0.2, 0.3 - 1e-16):  # the fraction 3/10, from other sums
        assert bca_interval(rounded, draws, left_out, 0.9) == exact
    assert bca_interval(0.3 + 1e-9, draws, left_out, 0.9) != exact


def test_an_undefined_jackknife_value_is_passed_over():
    known = np.array([0.1, 0.2, 0.6])
    assert acceleration(np.append(known, np.nan)) == acceleration(known)


@pytest.mark.parametrize("value", [-1.0, 2000.0])
def test_draws_all_on_one_side_give_ends_among_the_draws(value):
    low, high = bca_interval(value, np.arange(1000.0), np.array([0.0, 0.0, 1.0]), 0.999)
    assert 0 <= low <= high <= 999


def test_past_the_pole_of_the_formula_an_end_is_the_outermost_draw():
    outlier = np.append(np.zeros(999), -1.0)
    assert acceleration(outlier) > 0.16
    assert bca_interval(2000.0, np.arange(1000.0), outlier, 0.999)[1] == 999
    assert bca_interval(-1.0, np.arange(1000.0), -outlier, 0.999)[0] == 0


def test_a_draw_is_as_many_items_as_there_are_each_as_likely():
    rows = exact_rows(np.eye(7))
    sums = draw_sums(rows, 4000, np.random.default_rng(1))
    assert (sums.sum(axis=1) == 7).all()
    assert np.abs(sums.mean(axis=0) - 1).max() < 0.06
    # the variance of a multinomial count, n p (1 - p)
    assert np.abs(sums.var(axis=0) - 6 / 7).max() < 0.08


@pytest.mark.parametrize("cells", [1, 50, 1 << 20])
@pytest.mark.parametrize("cached", [1, 100])
def test_how_many_draws_are_made_at_once_changes_nothing(monkeypatch, cells, cached):
    table = Table(units(*ANSWERS))
    before = table.estimates()
    monkeypatch.setattr(bootstrap, "CELLS", cells)
    monkeypatch.setattr(bootstrap, "CACHED", cached)
    assert table.estimates() == before


def test_the_seed_and_the_group_determine_the_draw():
    table = Table(units(*ANSWERS))
    first = table.estimates(by={"language": "en"})
    assert table.estimates(by={"language": "en"}) == first
    assert table.estimates(by={"language": "fr"}) != first
    assert table.estimates(by={"language": "en"}, resampling=Resampling(seed=1)) != first


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_a_higher_level_gives_a_wider_interval_around_the_value(interval):
    table = Table(units(*ANSWERS, *ANSWERS))
    found = [
        table.estimates(resampling=Resampling(level=level, interval=interval))
        for level in (0.5, 0.95)
    ]
    for name, narrow in found[0].items():
        wide = found[1][name]
        assert wide.low < narrow.low < narrow.value < narrow.high < wide.high, name


REPORT = """
from agreement.report import report
from tests.benchmarks.agreement import made
units = made(4000)
for interval in ("percentile", "bca"):
    print(report(units, [["language"]], resamples=200, interval=interval).to_json())
"""


def test_the_same_seed_gives_the_same_bits_on_any_number_of_cores():
    texts = set()
    for threads in ("1", "2", "4"):
        done = subprocess.run(
            [sys.executable, "-c", REPORT],
            cwd=code.ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        )
        texts.add(done.stdout)
    assert len(texts) == 1
    assert texts.pop().count('"span_iou"') == 10


def test_an_interval_narrows_with_the_root_of_the_number_of_items():
    def width(n: int) -> float:
        found = Table(made(n)).estimates(resampling=Resampling(resamples=400))["span_iou"]
        return found.high - found.low

    assert 2.4 < width(150) / width(1500) < 4.2
