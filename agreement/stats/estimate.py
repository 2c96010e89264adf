"""What a statistic gives back: a value with its interval, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

NO_PAIR = "no item has two annotations"
NOT_ALL_MARKED = "no item is marked by all of its annotators"
ONE_LABEL = "fewer than two labels occur"
ALL_EMPTY = "no pair of annotations has a span"
ONE_ITEM = "a single item gives no interval"
NO_RESAMPLE = "no resample gives a value"
NOT_RESAMPLED = "no resamples were drawn"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic over a group of items; None stands for undefined, never NaN.

    Attributes
    ----------
    value : float or None
    low, high : float or None
        The ends of the interval.
    n_items : int
        Items that the value rests on.
    n_left_out : int
        The group's other items.
    n_undefined_resamples : int
        Resamples that left the statistic undefined; the interval is without them.
    reason : str or None
        Why there is no value, or no interval.
    """

    value: float | None
    low: float | None
    high: float | None
    n_items: int
    n_left_out: int
    n_undefined_resamples: int = 0
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """``{"value", "low", "high", "n_items", "n_undefined_resamples", "reason"}``."""
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n_items": self.n_items,
            "n_undefined_resamples": self.n_undefined_resamples,
            "reason": self.reason,
        }
