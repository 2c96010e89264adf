"""The report: every statistic, over all items and over each group that was asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.stats import INTERVALS, Estimate, Resampling, Table, Units
from agreement.stats.units import Integers


@dataclass(frozen=True, slots=True)
class Group:
    """Items that have the values ``by`` in common, and the statistics over them.

    Attributes
    ----------
    by : dict of str to a JSON value
        Empty for the whole; None where items lack the field.
    n_items : int
        Items with two or more annotations.
    n_unanswered, n_single : int
        Items left out since nobody, or one person alone, has answered them.
    estimates : dict of str to Estimate
    items : int64, shape (n,)
        Indices of all of the group's items, those left out among them.
    """

    by: dict[str, Any]
    n_items: int
    n_unanswered: int
    n_single: int
    estimates: dict[str, Estimate]
    items: Integers

    @property
    def n_left_out(self) -> int:
        return self.n_unanswered + self.n_single

    def as_json(self) -> dict[str, Any]:
        """``{"by", "n_items", "n_left_out", "estimates": {name: …}}``."""
        return {
            "by": self.by,
            "n_items": self.n_items,
            "n_left_out": self.n_left_out,
            "estimates": {name: found.as_json() for name, found in self.estimates.items()},
        }


@dataclass(frozen=True, slots=True)
class Report:
    """Groups with their estimates, the whole first, and how the intervals were made."""

    resampling: Resampling
    groups: list[Group]

    def as_json(self) -> dict[str, Any]:
        """``{"resamples", "seed", "level", "interval", "groups": [{"by", …}]}``."""
        how = self.resampling
        return {
            "resamples": how.resamples,
            "seed": how.seed,
            "level": how.level,
            "interval": how.interval,
            "groups": [group.as_json() for group in self.groups],
        }

    def to_json(self) -> str:
        """`as_json` as text; a NaN would raise `ValueError`."""
        return json.dumps(self.as_json(), ensure_ascii=False, allow_nan=False)


def report(
    units: Units,
    groupings: Sequence[Sequence[str]] = (),
    *,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    interval: str = INTERVALS[0],
) -> Report:
    """The eleven statistics over all items, then by each grouping.

    Parameters
    ----------
    units : Units
    groupings : sequence of sequences of str
        Item fields or metadata keys; several names in one grouping are crossed.
    resamples, seed, level, interval
        As in `Resampling`.

    Returns
    -------
    Report
        The groups of a grouping are sorted by their values: numbers, then texts, then anything
        else, and last the items that lack the field.

    Raises
    ------
    UnknownField
        If no item has a field of that name.
    ValueError
        If the resampling is impossible.

    Examples
    --------
    >>> from agreement.stats import units_from_columns
    >>> units = units_from_columns(
    ...     keys=["a", "b", "c"], lengths=[9, 9, 9], annotators=["x", "y"], labels=["A"],
    ...     item_of=[0, 0, 1, 1, 2], annotator_of=[0, 1, 0, 1, 0],
    ...     annotation_of=[0, 1], starts=[0, 3], ends=[6, 9], codes=[0, 0],
    ...     fields={"language": ["fr", "en", None]},
    ... )
    >>> [(g.by, g.n_items, g.n_left_out) for g in report(units, [["language"]]).groups]
    [({}, 2, 1), ({'language': 'en'}, 1, 0), ({'language': 'fr'}, 1, 0), ({'language': None}, 0, 1)]
    """
    how = Resampling(resamples, seed, level, interval)
    parts: list[tuple[dict[str, Any], Integers]] = [({}, np.arange(len(units)))]
    for names in groupings:
        parts += group_items(units, names)
    table, per_item = Table(units), units.per_item
    return Report(how, [_group(table, per_item, by, items, how) for by, items in parts])


def _group(
    table: Table, per_item: Integers, by: dict[str, Any], items: Integers, how: Resampling
) -> Group:
    answers = per_item[items]
    nobody, one = int((answers == 0).sum()), int((answers == 1).sum())
    estimates = table.estimates(items, by, how)
    return Group(by, len(items) - nobody - one, nobody, one, estimates, items)


def group_items(units: Units, names: Sequence[str]) -> list[tuple[dict[str, Any], Integers]]:
    """The values that occur of the fields, crossed, each with the indices of its items.

    Sorted as `report` says. Values are one where their JSON is: 1 and true are two groups.
    """
    columns = [units.field(name) for name in names]
    rows = list(zip(*(map(_order, column) for column in columns), strict=True))
    values = dict(zip(rows, zip(*columns, strict=True), strict=True))
    place = {row: i for i, row in enumerate(sorted(values))}
    codes = np.fromiter((place[row] for row in rows), np.int64, len(rows))
    ends = np.cumsum(np.bincount(codes, minlength=len(place)))
    items = np.split(np.argsort(codes, kind="stable"), ends[:-1])
    return [
        (dict(zip(names, values[row], strict=True)), items[i].astype(np.int64))
        for row, i in place.items()
    ]


def _order(value: Any) -> tuple[int, float, str]:
    """Sorts and tells apart JSON values: numbers, texts, others, null."""
    if value is None:
        return 3, 0.0, ""
    if isinstance(value, str):
        return 1, 0.0, value
    text = json.dumps(value, sort_keys=True)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return 0, value, text
    return 2, 0.0, text
