"""Intervals from resampled items: percentile and BCa.

References
----------
.. [1] B. Efron (1987), Better bootstrap confidence intervals, Journal of the American Statistical
   Association 82. doi:10.1080/01621459.1987.10478410
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from agreement.stats.exact import ExactRows
from agreement.stats.units import Counts, Floats

# the first is the default: in the simulation of docs/agreement.md it covers best on few items
INTERVALS = ("bca", "percentile")
# item counts held at once: a bound on memory, and what keeps a matrix product busy
CELLS = 1 << 20
LEAST_ROWS = 32
# items drawn at once: few enough to stay in the processor's cache while they are counted
CACHED = 1 << 15
NORMAL = NormalDist()
# statistics lie in [-1, 1] or near it, and are fractions of counts: nearer than this is the same
TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Resampling:
    """How intervals are made.

    Attributes
    ----------
    resamples : int
        How many draws of the items; 0 gives no intervals.
    seed : int
        0 or more.
    level : float
        Of the interval, between 0 and 1.
    interval : {"bca", "percentile"}

    Raises
    ------
    ValueError
        If one of them cannot be.
    """

    resamples: int = 1000
    seed: int = 0
    level: float = 0.95
    interval: str = INTERVALS[0]

    def __post_init__(self) -> None:
        if self.resamples < 0:
            raise ValueError(f"The number of resamples is 0 or more, not {self.resamples}.")
        if self.seed < 0:
            raise ValueError(f"The seed is 0 or more, not {self.seed}.")
        if not 0 < self.level < 1:
            raise ValueError(f"The level lies between 0 and 1: {self.level} does not.")
        if self.interval not in INTERVALS:
            raise ValueError(f"The interval is {' or '.join(INTERVALS)}, not {self.interval!r}.")

    def generator(self, by: Mapping[str, Any]) -> np.random.Generator:
        """The random numbers of the group ``by``, which no other group's draws change."""
        text = json.dumps(by, sort_keys=True)
        return np.random.default_rng([self.seed, zlib.crc32(text.encode())])


def draw_sums(rows: ExactRows, resamples: int, generator: np.random.Generator) -> Floats:
    """Sums over resamples of the items, n of n with replacement.

    Parameters
    ----------
    rows : ExactRows, n_items rows of c columns
    resamples : int
    generator : numpy.random.Generator

    Returns
    -------
    float64, shape (resamples, c)
    """
    n = len(rows.parts)
    sums = np.zeros((resamples, rows.width))
    if not n:
        return sums
    counts = np.empty((min(max(CELLS // n, LEAST_ROWS), resamples), n), dtype=np.int32)
    for begin in range(0, resamples, max(len(counts), 1)):
        part = counts[: resamples - begin]
        _draw(part, generator)
        sums[begin : begin + len(part)] = rows.weighted(part)
    return sums


def _draw(counts: Counts, generator: np.random.Generator) -> None:
    """Fill each row with how often a draw of n of its n items takes each."""
    n = counts.shape[1]
    step = max(CACHED // n, 1)
    for begin in range(0, len(counts), step):
        part = counts[begin : begin + step]
        # As wide as what is counted: the numbers are those of int32, and nothing is copied.
        cells = generator.integers(0, n, size=part.shape, dtype=np.int64)
        cells += np.arange(0, part.size, n)[:, None]
        part[:] = np.bincount(cells.reshape(-1), minlength=part.size).reshape(part.shape)


def percentile_interval(draws: Floats, level: float) -> tuple[float, float]:
    """The quantiles that leave ``(1 - level) / 2`` of the draws on either side.

    Parameters
    ----------
    draws : float64, shape (b,), b >= 1, no NaN
    level : float

    Examples
    --------
    >>> [round(end, 9) for end in percentile_interval(np.arange(101.0), 0.9)]
    [5.0, 95.0]
    """
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def acceleration(left_out: Floats) -> float:
    """Efron's ``sum d**3 / (6 (sum d**2)**1.5)``, ``d`` the mean less each jackknife value.

    Parameters
    ----------
    left_out : float64, shape (n,)
        The statistic without each item in turn; NaN, where that is undefined, is passed over.

    Returns
    -------
    float
        0 where the values are all one but for rounding: then there is nothing to correct.

    Examples
    --------
    >>> round(acceleration(np.array([0.0, 0.0, 3.0])), 6)
    -0.068041
    """
    known = left_out[~np.isnan(left_out)]
    if not len(known):
        return 0.0
    d = known.mean() - known
    size = np.abs(d).max()
    if size <= 1e-12:
        return 0.0
    d = d / size
    return float((d**3).sum() / (6 * (d * d).sum() ** 1.5))


def _moved(z: float, bias: float, a: float) -> float:
    """The probability that BCa reads in place of the one whose normal quantile is ``z``."""
    shifted = bias + z
    if a * shifted >= 1:
        # past the pole of the formula: the limit from this side of it
        return float(shifted > 0)
    return NORMAL.cdf(bias + shifted / (1 - a * shifted))


def bca_interval(
    value: float, draws: Floats, left_out: Floats, level: float
) -> tuple[float, float]:
    """The bias-corrected and accelerated interval [1]_.

    Parameters
    ----------
    value : float
        The statistic, computed as the draws were.
    draws : float64, shape (b,), b >= 1, no NaN
    left_out : float64, shape (n,)
        The jackknife values, as `acceleration` takes them.
    level : float

    Notes
    -----
    The bias is the normal quantile of the share of draws below ``value``, equal ones counting half.
    Draws no further from it than `TIE` are equal: the same fraction may come from other sums. That
    share is kept within ``[1 / (b + 1), b / (b + 1)]``, so that draws all on one side
    give a finite bias. With a constant jackknife the acceleration is 0 and the bias alone corrects.

    Examples
    --------
    Without bias and acceleration it is the percentile interval:

    >>> ends = bca_interval(50.0, np.arange(101.0), np.array([1.0, 2.0, 3.0]), 0.9)
    >>> [round(end, 9) for end in ends]
    [5.0, 95.0]
    """
    b = len(draws)
    below = np.count_nonzero(draws < value - TIE) + np.count_nonzero(abs(draws - value) <= TIE) / 2
    bias = NORMAL.inv_cdf(min(max(below / b, 1 / (b + 1)), b / (b + 1)))
    a = acceleration(left_out)
    z = NORMAL.inv_cdf((1 + level) / 2)
    low, high = np.quantile(draws, [_moved(-z, bias, a), _moved(z, bias, a)])
    return float(low), float(high)
