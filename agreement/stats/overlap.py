"""Overlap of every two annotations of an item, as sets of characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from agreement.stats.units import Booleans, Floats, Integers, Units

# pairs of spans compared at once: a bound on memory
BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Pairs:
    """Every unordered pair of annotations of an item, sorted by item.

    Attributes
    ----------
    item : int64, shape (n_pairs,)
    first, second : int64, shape (n_pairs,)
        Indices of the two annotations.
    shared, matched, union : int64, shape (n_pairs,)
        Characters that both marked, that both gave a label in common, that either marked.
    """

    item: Integers
    first: Integers
    second: Integers
    shared: Integers
    matched: Integers
    union: Integers

    @property
    def both_empty(self) -> Booleans:
        """Where neither annotation marked anything: bool, shape (n_pairs,)."""
        return np.equal(self.union, 0)

    def iou(self, label_match: bool = False) -> Floats:
        """Intersection over union of each pair; 1 where both are empty.

        Parameters
        ----------
        label_match : bool
            Whether a shared character needs a label that both gave it. The union is every
            character that either marked.

        Returns
        -------
        float64, shape (n_pairs,)
        """
        part = self.matched if label_match else self.shared
        return np.where(self.both_empty, 1.0, part / np.maximum(self.union, 1))


def covered(group: Integers, starts: Integers, ends: Integers, n_groups: int) -> Integers:
    """Characters in the union of each group's intervals.

    Parameters
    ----------
    group, starts, ends : int64, shape (n,)
        Intervals ``[start, end)`` with ``0 <= start``; empty ones count nothing.

    Returns
    -------
    int64, shape (n_groups,)

    Examples
    --------
    >>> covered(np.array([0, 0, 1]), np.array([0, 2, 5]), np.array([4, 6, 6]), 3)
    array([6, 1, 0])
    """
    # each group has a stretch of its own on one long line, so one running maximum serves all
    base = group * (int(ends.max(initial=0)) + 1)
    low, high = base + starts, base + ends
    order = np.argsort(low, kind="stable")
    low, high = low[order], high[order]
    reached = np.maximum.accumulate(high)
    before = np.concatenate([[-1], reached[:-1]])
    gain = np.maximum(high - np.maximum(low, before), 0)
    return np.bincount(group[order], weights=gain, minlength=n_groups).astype(np.int64)


def _runs(counts: Integers) -> Integers:
    """0, 1, ... within each run of the given lengths."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)


def _partners(units: Units) -> tuple[Integers, Integers]:
    """Each annotation with every later one of its item."""
    per_item = units.per_item
    later = np.repeat(per_item, per_item) - _runs(per_item) - 1
    first = np.repeat(np.arange(len(later)), later)
    return first, first + 1 + _runs(later)


def _blocks(sizes: Integers) -> Iterator[slice]:
    """Slices of the pairs whose sizes add up to about `BLOCK`."""
    number = np.cumsum(sizes) // BLOCK
    edges = [0, *(np.flatnonzero(np.diff(number)) + 1), len(sizes)]
    yield from map(slice, edges[:-1], edges[1:])


def pairs_of(units: Units) -> Pairs:
    """The overlap of every two annotations of an item.

    Any number of annotations per item, of labels, and of spans over one character.

    Parameters
    ----------
    units : Units

    Returns
    -------
    Pairs

    Examples
    --------
    >>> from agreement.stats.units import units_from_columns
    >>> units = units_from_columns(
    ...     keys=["a"], lengths=[30], annotators=["x", "y"], labels=["A", "B"],
    ...     item_of=[0, 0], annotator_of=[0, 1],
    ...     annotation_of=[0, 1, 1], starts=[0, 0, 5], ends=[10, 5, 10], codes=[0, 0, 1],
    ... )
    >>> pairs_of(units).iou(), pairs_of(units).iou(label_match=True)
    (array([1.]), array([0.5]))
    """
    first, second = _partners(units)
    counts = np.diff(units.span_starts_at)
    owner = np.repeat(np.arange(len(counts)), counts)
    size = covered(owner, units.starts, units.ends, len(counts))
    shared, matched = np.zeros_like(first), np.zeros_like(first)
    for part in _blocks(counts[first] * counts[second]):
        shared[part], matched[part] = _common(units, first[part], second[part])
    union = size[first] + size[second] - shared
    return Pairs(units.item_of[first], first, second, shared, matched, union)


def _common(units: Units, first: Integers, second: Integers) -> tuple[Integers, Integers]:
    """Characters that both annotations of each pair marked, and with a label in common."""
    begins, counts = units.span_starts_at, np.diff(units.span_starts_at)
    width = counts[second]
    sizes = counts[first] * width
    pair = np.repeat(np.arange(len(first)), sizes)
    row, column = np.divmod(_runs(sizes), np.repeat(width, sizes))
    one = np.repeat(begins[first], sizes) + row
    two = np.repeat(begins[second], sizes) + column
    low = np.maximum(units.starts[one], units.starts[two])
    high = np.minimum(units.ends[one], units.ends[two])
    kept = low < high
    alike = kept & (units.codes[one] == units.codes[two])
    return (
        covered(pair[kept], low[kept], high[kept], len(first)),
        covered(pair[alike], low[alike], high[alike], len(first)),
    )
