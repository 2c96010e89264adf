"""Two groups, or two policies on one group, side by side with their difference."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.question import BadQuestion
from agreement.report import group_items
from agreement.stats import STATISTICS, Resampling, Table, Units, difference
from agreement.stats.units import Integers
from agreement.tables import word


@dataclass(frozen=True, slots=True)
class Side:
    """A statistic over the items whose ``field`` has ``value``; over all without a field."""

    statistic: str
    field: str = ""
    value: Any = None

    def by(self, units: Units) -> dict[str, Any]:
        """What the side's items have in common."""
        return self._group(units)[0]

    def units(self, units: Units) -> Units:
        """The side's items alone."""
        return units.take(self._group(units)[1])

    def _group(self, units: Units) -> tuple[dict[str, Any], Integers]:
        if not self.field:
            return {}, np.arange(len(units))
        groups = group_items(units, [self.field])
        for by, items in groups:
            if json.dumps(by[self.field]) == json.dumps(self.value):
                return by, items
        known = ", ".join(word(by[self.field]) for by, _ in groups[:20])
        raise BadQuestion(word(self.field), f"no item has {word(self.value)}: known are {known}")


def comparison(units: Units, first: Side, second: Side, resampling: Resampling) -> dict[str, Any]:
    """The difference of the two sides as JSON, paired where their items are the same.

    Raises
    ------
    BadQuestion
        If there is no such statistic, or no item with such a value.
    UnknownField
        If no item has a field of that name.
    """
    for side in (first, second):
        if side.statistic not in STATISTICS:
            raise BadQuestion("statistic", f"known are {', '.join(STATISTICS)}")
    one, two = first.units(units), second.units(units)
    found = difference(one, two, first.statistic, second.statistic, resampling).as_json()
    # the interval that a report gives the same group
    for name, side, group in (("first", first, one), ("second", second, two)):
        table = Table(group, [STATISTICS[side.statistic]])
        found[name] = table.estimates(by=side.by(units), resampling=resampling)[
            side.statistic
        ].as_json()
    n = [int(np.count_nonzero(side.per_item >= 2)) for side in (one, two)]
    return found | {"n_first": n[0], "n_second": n[1]}
