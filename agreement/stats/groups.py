"""Estimates of the statistics over groups of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agreement.stats import estimate
from agreement.stats.bootstrap import (
    Resampling,
    bca_interval,
    draw_sums,
    percentile_interval,
)
from agreement.stats.estimate import Estimate
from agreement.stats.exact import exact_rows
from agreement.stats.statistics import STATISTICS, Ratings, Statistic, taking_part
from agreement.stats.units import Floats, Integers, Units


class Table:
    """What each item adds to each statistic; every group's estimates come from its rows.

    Parameters
    ----------
    units : Units
    statistics : sequence of Statistic, optional
        The eleven of a report where none are given.

    Examples
    --------
    >>> from agreement.stats.units import units_from_columns
    >>> units = units_from_columns(
    ...     keys=["a", "b"], lengths=[9, 9], annotators=["x", "y"], labels=["A"],
    ...     item_of=[0, 0, 1, 1], annotator_of=[0, 1, 0, 1],
    ...     annotation_of=[0, 1], starts=[0, 3], ends=[6, 9], codes=[0, 0],
    ... )
    >>> found = Table(units).estimates()
    >>> found["presence_alpha_free"].value, round(found["span_iou"].value, 6)
    (1.0, 0.666667)
    """

    def __init__(self, units: Units, statistics: Sequence[Statistic] | None = None) -> None:
        self.statistics = tuple(STATISTICS.values() if statistics is None else statistics)
        ratings = Ratings(units)
        self.pairable = ratings.per_item >= 2
        found = [statistic.rows(ratings) for statistic in self.statistics]
        edges = np.cumsum([0, *(rows.shape[1] for rows in found)]).tolist()
        self.places = [slice(a, b) for a, b in zip(edges[:-1], edges[1:], strict=True)]
        self.rows = np.hstack(found) if found else np.zeros((len(units), 0))
        # items that nobody shares must not change a bit of what the others give
        self.place = np.cumsum(self.pairable) - 1
        self.exact = exact_rows(self.rows[self.pairable])

    def estimates(
        self,
        items: Integers | None = None,
        by: Mapping[str, Any] | None = None,
        resampling: Resampling | None = None,
    ) -> dict[str, Estimate]:
        """The statistics over a group of items, from one draw of them.

        Parameters
        ----------
        items : int64, shape (n,), optional
            Indices of the group's items; all where it is not given.
        by : mapping, optional
            What the group has in common; with the seed it determines the draw.
        resampling : Resampling, optional

        Returns
        -------
        dict of str to Estimate
        """
        how = resampling or Resampling()
        chosen = np.arange(len(self.rows)) if items is None else items
        shared = chosen[self.pairable[chosen]]
        exact = self.exact.take(self.place[shared])
        total = exact.total()
        draws = draw_sums(exact, how.resamples, how.generator(by or {}))
        return {
            statistic.name: _estimate(
                statistic, self.rows[shared, place], total[place], draws[:, place], len(chosen), how
            )
            for statistic, place in zip(self.statistics, self.places, strict=True)
        }


def _estimate(
    statistic: Statistic, rows: Floats, total: Floats, draws: Floats, n_group: int, how: Resampling
) -> Estimate:
    n = int(np.count_nonzero(taking_part(rows)))
    rest = n_group - n
    value = statistic.of_sums(total)
    if np.isnan(value):
        nothing = estimate.NO_PAIR if not len(rows) else statistic.nothing
        return Estimate(None, None, None, n, rest, 0, estimate.ONE_LABEL if n else nothing)
    shown = statistic.of_counts(rows[:, 1:]) if statistic.of_counts else None
    shown = float(value) if shown is None else shown
    if n < 2 or not how.resamples:
        reason = estimate.ONE_ITEM if n < 2 else estimate.NOT_RESAMPLED
        return Estimate(shown, None, None, n, rest, 0, reason)
    found = statistic.of_sums(draws)
    known = found[~np.isnan(found)]
    undefined = len(found) - len(known)
    if not len(known):
        return Estimate(shown, None, None, n, rest, undefined, estimate.NO_RESAMPLE)
    if how.interval == "bca":
        left_out = statistic.of_sums(np.maximum(total - rows, 0))
        low, high = bca_interval(float(value), known, left_out, how.level)
    else:
        low, high = percentile_interval(known, how.level)
    return Estimate(shown, low, high, n, rest, undefined)
