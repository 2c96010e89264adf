"""Whether two groups, or two policies on one group, differ: the difference with its interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from agreement.stats import estimate
from agreement.stats.bootstrap import Resampling, bca_interval, draw_sums, percentile_interval
from agreement.stats.estimate import Estimate
from agreement.stats.exact import exact_rows
from agreement.stats.groups import Table
from agreement.stats.statistics import STATISTICS, Statistic
from agreement.stats.units import Floats, Integers, Units


@dataclass(frozen=True, slots=True)
class Difference:
    """``first - second`` with its interval; None stands for undefined, never NaN.

    Attributes
    ----------
    first, second : Estimate
        Of each side alone.
    value, low, high : float or None
    n_common : int
        Items on which both are computed, which every draw gives to both.
    n_undefined_resamples : int
        Resamples that left either side undefined; the interval is without them.
    reason : str or None
        Why there is no value, or no interval.
    """

    first: Estimate
    second: Estimate
    value: float | None
    low: float | None
    high: float | None
    n_common: int
    n_undefined_resamples: int = 0
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """All of it, the two estimates as in a report."""
        return asdict(self) | {"first": self.first.as_json(), "second": self.second.as_json()}


def difference(
    first: Units,
    second: Units,
    statistic: str | Statistic,
    other: str | Statistic | None = None,
    resampling: Resampling | None = None,
) -> Difference:
    """The difference of a statistic between two groups, or of two statistics on one group.

    Items are matched by key and drawn in up to three strata, each ``n`` of ``n``: those of both
    groups, those of the first alone, those of the second alone. A draw of the common items serves
    both sides, so the same items are compared in pairs, groups without a common item by
    independent draws, and groups that overlap by both.

    Parameters
    ----------
    first, second : Units
        The groups; items with fewer than two annotations take no part.
    statistic, other : str or Statistic
        One of `STATISTICS` by name, for the first group and, where it is given, for the second.
    resampling : Resampling, optional

    Returns
    -------
    Difference

    Raises
    ------
    KeyError
        If there is no such statistic.
    ValueError
        If a key comes twice in one group.

    Examples
    --------
    >>> from agreement.stats.units import units_from_columns
    >>> units = units_from_columns(
    ...     keys=["a", "b"], lengths=[9, 9], annotators=["x", "y"], labels=["A"],
    ...     item_of=[0, 0, 1, 1], annotator_of=[0, 1, 0, 1],
    ...     annotation_of=[0, 1], starts=[0, 3], ends=[6, 9], codes=[0, 0],
    ... )
    >>> found = difference(units, units, "span_iou", "span_iou_leave_out")
    >>> round(found.value, 6), found.n_common
    (0.333333, 2)
    """
    one, two = _side(first, statistic), _side(second, statistic if other is None else other)
    return _compared(one, two, resampling or Resampling())


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a difference: the keys and rows of its items with two annotations."""

    statistic: Statistic
    keys: list[str]
    rows: Floats
    alone: Estimate


def _compared(one: _Side, two: _Side, how: Resampling) -> Difference:
    joined, strata, n_common = _join(one, two)
    a, b = one.alone, two.alone
    if a.value is None or b.value is None:
        reason = a.reason if a.value is None else b.reason
        return Difference(a, b, None, None, None, n_common, 0, reason)
    found = Difference(a, b, a.value - b.value, None, None, n_common)
    if not how.resamples:
        return replace(found, reason=estimate.NOT_RESAMPLED)
    if min(a.n_items, b.n_items) < 2:
        return replace(found, reason=estimate.ONE_ITEM)

    def of_sums(sums: Floats) -> Floats:
        width = one.rows.shape[1]
        return one.statistic.of_sums(sums[..., :width]) - two.statistic.of_sums(sums[..., width:])

    return _with_interval(found, joined, strata, of_sums, how)


def _side(units: Units, statistic: str | Statistic) -> _Side:
    chosen = STATISTICS[statistic] if isinstance(statistic, str) else statistic
    table = Table(units, [chosen])
    shared = np.flatnonzero(table.pairable)
    keys = [units.keys[i] for i in shared]
    if len(set(keys)) < len(keys):
        raise ValueError("A key comes twice in one group: its items cannot be matched.")
    alone = table.estimates(resampling=Resampling(resamples=0))[chosen.name]
    if alone.value is not None:
        alone = replace(alone, reason=None)
    return _Side(chosen, keys, table.rows[shared], alone)


def _join(one: _Side, two: _Side) -> tuple[Floats, Integers, int]:
    """Both sides' rows beside each other, one line per item, 0 where a side lacks it.

    With them the stratum of each line (0 for both sides, 1 and 2 for one alone) and the number of
    common items.
    """
    place = {key: i for i, key in enumerate(dict.fromkeys([*one.keys, *two.keys]))}
    left = np.array([place[key] for key in one.keys], dtype=np.int64)
    right = np.array([place[key] for key in two.keys], dtype=np.int64)
    joined = np.zeros((len(place), one.rows.shape[1] + two.rows.shape[1]))
    joined[left, : one.rows.shape[1]] = one.rows
    joined[right, one.rows.shape[1] :] = two.rows
    stratum = np.zeros(len(place), dtype=np.int64)
    stratum[np.setdiff1d(left, right)] = 1
    stratum[np.setdiff1d(right, left)] = 2
    return joined, stratum, int(np.count_nonzero(stratum == 0))


def _with_interval(
    found: Difference,
    joined: Floats,
    stratum: Integers,
    of_sums: Callable[[Floats], Floats],
    how: Resampling,
) -> Difference:
    generator = how.generator({})
    exact = exact_rows(joined)
    parts = [exact.take(np.flatnonzero(stratum == number)) for number in range(3)]
    draws = of_sums(np.sum([draw_sums(part, how.resamples, generator) for part in parts], axis=0))
    known = draws[~np.isnan(draws)]
    undefined = len(draws) - len(known)
    if not len(known):
        return replace(found, n_undefined_resamples=undefined, reason=estimate.NO_RESAMPLE)
    if how.interval == "bca":
        total = exact.total()
        left_out = of_sums(np.maximum(total - joined, 0))
        for number in range(3):
            inside = stratum == number
            if not np.isnan(left_out[inside]).all():
                left_out[inside] -= np.nanmean(left_out[inside])
        low, high = bca_interval(float(of_sums(total)), known, left_out, how.level)
    else:
        low, high = percentile_interval(known, how.level)
    return replace(found, low=low, high=high, n_undefined_resamples=undefined)
