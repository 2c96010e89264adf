"""The eleven statistics of a report, each a function of sums over the items.

A `Statistic` says what an item adds (its row of a table) and how the column sums become a value.
So a resample of items is a weighted sum of rows, and leaving one item out is a subtraction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agreement.stats import estimate
from agreement.stats.answers import POLICIES, count_values, has_span, labels_by
from agreement.stats.coefficients import (
    coincidence_sums,
    free_alpha_of_sums,
    krippendorff_alpha,
    nominal_alpha_of_sums,
)
from agreement.stats.overlap import Pairs, pairs_of
from agreement.stats.units import Booleans, Floats, Integers, Units


class Ratings:
    """What several statistics take from the same units, computed once."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self.n_items = len(units)

    @cached_property
    def per_item(self) -> Integers:
        return self.units.per_item

    @cached_property
    def presence(self) -> Integers:
        """Unmarked and marked annotations: int64, shape (n_items, 2)."""
        return count_values(self.units.item_of, has_span(self.units), self.n_items, 2)

    @cached_property
    def pairs(self) -> Pairs:
        return pairs_of(self.units)

    def labels(self, policy: str) -> Integers:
        """No span, then each label: int64, shape (n_items, 1 + n_labels)."""
        values = labels_by(self.units, policy) + 1
        return count_values(self.units.item_of, values, self.n_items, len(self.units.labels) + 1)

    def per_item_sum(self, of_pairs: Floats) -> Floats:
        sums: Floats = np.bincount(
            self.pairs.item, weights=of_pairs, minlength=self.n_items
        ).astype(np.float64)
        return sums


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic over items.

    Attributes
    ----------
    name : str
    rows : callable
        From `Ratings` what each item adds: float64, shape (n_items, c), none negative. The columns
        after the first hold the weight of the item; it takes part where that is not all 0.
    of_sums : callable
        From column sums of shape (..., c) values of shape (...), NaN where undefined.
    nothing : str
        The reason when no item takes part though some have two annotations.
    of_counts : callable, optional
        The reported value, from the columns after the first; else `of_sums` gives it.
    """

    name: str
    rows: Callable[[Ratings], Floats]
    of_sums: Callable[[Floats], Floats]
    nothing: str = estimate.NO_PAIR
    of_counts: Callable[[Floats], float | None] | None = None


def taking_part(rows: Floats) -> Booleans:
    """Which items a statistic rests on, from its rows: bool, shape (n_items,)."""
    return np.asarray(rows[:, 1:].any(axis=1))


def ratio(sums: Floats) -> Floats:
    """The first column over the second, NaN where that is 0."""
    over = sums[..., 1]
    return np.where(over > 0, sums[..., 0] / np.where(over > 0, over, 1), np.nan)


def presence() -> Statistic:
    """Agreement on whether anything is marked, free marginals, two values that could occur."""
    return Statistic(
        "presence_alpha_free",
        lambda ratings: coincidence_sums(ratings.presence),
        free_alpha_of_sums,
    )


def label(policy: str, among: str) -> Statistic:
    """Krippendorff's alpha over one label per annotation.

    Parameters
    ----------
    policy : {"first", "first_position", "longest"}
        Which span gives an annotation its label, as in `labels_by`.
    among : {"all", "hallucination"}
        Every item, with the empty answer as a value of its own, or the items alone that all of
        their annotators marked.
    """

    def rows(ratings: Ratings) -> Floats:
        counts = ratings.labels(policy)
        if among == "all":
            return coincidence_sums(counts)
        return coincidence_sums(np.where(counts[:, :1] == 0, counts, 0)[:, 1:])

    if policy not in POLICIES or among not in ("all", "hallucination"):
        raise ValueError(f"There is no label agreement by {policy!r} among {among!r}.")
    nothing = estimate.NO_PAIR if among == "all" else estimate.NOT_ALL_MARKED
    name = f"label_alpha_{policy}_{among}"
    return Statistic(name, rows, nominal_alpha_of_sums, nothing, krippendorff_alpha)


def span(label_match: bool, empty_pairs: str, pooled: bool) -> Statistic:
    """Pairwise intersection over union of the marked characters.

    Parameters
    ----------
    label_match : bool
        Whether a shared character needs a label in common.
    empty_pairs : {"one", "leave_out"}
        What two empty annotations count.
    pooled : bool
        The mean over all pairs, else over the pairs of an item and then over items.
    """

    def rows(ratings: Ratings) -> Floats:
        pairs = ratings.pairs
        weight = np.ones(len(pairs.item))
        if empty_pairs == "leave_out":
            weight[pairs.both_empty] = 0
        total = ratings.per_item_sum(pairs.iou(label_match) * weight)
        number = ratings.per_item_sum(weight)
        if pooled:
            return np.column_stack([total, number])
        return np.column_stack([total / np.maximum(number, 1), number > 0])

    if empty_pairs not in ("one", "leave_out"):
        raise ValueError(f"Two empty annotations count one or leave_out, not {empty_pairs!r}.")
    name = "span_iou" + "_label_match" * label_match
    name += "_leave_out" * (empty_pairs == "leave_out")
    # the usual pair of conventions has the short names of a report
    if pooled != (empty_pairs == "leave_out"):
        name += "_pooled" if pooled else "_items"
    nothing = estimate.ALL_EMPTY if empty_pairs == "leave_out" else estimate.NO_PAIR
    return Statistic(name, rows, ratio, nothing)


STATISTICS: dict[str, Statistic] = {
    statistic.name: statistic
    for statistic in (
        presence(),
        *(label(policy, among) for policy in POLICIES for among in ("all", "hallucination")),
        span(label_match=False, empty_pairs="one", pooled=False),
        span(label_match=True, empty_pairs="one", pooled=False),
        span(label_match=False, empty_pairs="leave_out", pooled=True),
        span(label_match=True, empty_pairs="leave_out", pooled=True),
    )
}
