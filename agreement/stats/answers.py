"""One value per annotation: marked or not, and its label by a policy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agreement.stats.units import Integers, Units

NO_SPAN = -1


def _first(units: Units) -> Integers:
    return np.zeros(len(units.starts), dtype=np.int64)


def _position(units: Units) -> Integers:
    width = int(units.ends.max(initial=0)) + 1
    return units.starts * width + units.ends


def _shortness(units: Units) -> Integers:
    return units.starts - units.ends


# policy -> a key per span, whose least is taken, the earlier stored one among equals
POLICIES: dict[str, Callable[[Units], Integers]] = {
    "first": _first,
    "first_position": _position,
    "longest": _shortness,
}


def has_span(units: Units) -> Integers:
    """1 for an annotation that marked something, else 0: int64, shape (n_annotations,)."""
    return (np.diff(units.span_starts_at) > 0).astype(np.int64)


def labels_by(units: Units, policy: str) -> Integers:
    """The label that stands for each annotation.

    Parameters
    ----------
    units : Units
    policy : {"first", "first_position", "longest"}
        The span stored first, the one with the smallest (start, end), or the one with most
        characters; the earlier stored one among equals.

    Returns
    -------
    int64, shape (n_annotations,)
        Index into ``units.labels``; -1 (`NO_SPAN`) where nothing is marked.

    Raises
    ------
    ValueError
        If there is no such policy.
    """
    if policy not in POLICIES:
        raise ValueError(f"Unknown policy {policy!r}: known are {', '.join(POLICIES)}.")
    key = POLICIES[policy](units)
    counts = np.diff(units.span_starts_at)
    marked = counts > 0
    chosen = np.full(len(counts), NO_SPAN, dtype=np.int64)
    if len(key):
        begins = units.span_starts_at[:-1][marked]
        least = np.repeat(np.minimum.reduceat(key, begins), counts[marked])
        place = np.where(key == least, np.arange(len(key)), len(key))
        chosen[marked] = units.codes[np.minimum.reduceat(place, begins)]
    return chosen


def count_values(items: Integers, values: Integers, n_items: int, n_values: int) -> Integers:
    """How often each value stands on each item: int64, shape (n_items, n_values)."""
    cells = np.bincount(items * n_values + values, minlength=n_items * n_values)
    return cells.reshape(n_items, n_values).astype(np.int64)
