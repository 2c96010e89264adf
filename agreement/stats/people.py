"""Who agrees with whom, and on which items people agree least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agreement.stats.answers import has_span
from agreement.stats.overlap import Pairs, pairs_of
from agreement.stats.units import Floats, Integers, Units


@dataclass(frozen=True, slots=True)
class AnnotatorPair:
    """Two annotators and their agreement on the items that both answered.

    Attributes
    ----------
    first, second : str
    n_items : int
    presence : float
        Share of items on which both marked something or neither did.
    span_iou, span_iou_label_match : float
        Mean over the items; two empty annotations count 1.
    """

    first: str
    second: str
    n_items: int
    presence: float
    span_iou: float
    span_iou_label_match: float


@dataclass(frozen=True, slots=True)
class ItemAgreement:
    """One item's agreement: its key, annotations, and mean over their pairs of what the name says.

    Two empty annotations count 1.
    """

    key: str
    n_annotations: int
    presence: float
    span_iou: float
    span_iou_label_match: float


def _measures(units: Units, pairs: Pairs) -> tuple[Floats, Floats, Floats]:
    """Per pair: same presence (0 or 1), IoU ignoring labels and with a label match."""
    marked = has_span(units)
    same = (marked[pairs.first] == marked[pairs.second]).astype(np.float64)
    return same, pairs.iou(), pairs.iou(label_match=True)


def _means(group: Integers, n: int, measures: tuple[Floats, ...]) -> tuple[Integers, list[Floats]]:
    count = np.bincount(group, minlength=n).astype(np.int64)
    over = np.maximum(count, 1)
    return count, [np.bincount(group, weights=one, minlength=n) / over for one in measures]


def annotator_pairs(units: Units, pairs: Pairs | None = None) -> list[AnnotatorPair]:
    """Agreement of every two annotators who share an item, in the order of ``units.annotators``.

    Parameters
    ----------
    units : Units
    pairs : Pairs, optional
        Of these units, where they are there already.

    Examples
    --------
    >>> from agreement.stats.units import units_from_columns
    >>> units = units_from_columns(
    ...     keys=["a"], lengths=[9], annotators=["x", "y"], labels=["A"],
    ...     item_of=[0, 0], annotator_of=[1, 0],
    ...     annotation_of=[0, 1], starts=[0, 3], ends=[6, 6], codes=[0, 0],
    ... )
    >>> [(p.first, p.second, p.n_items, p.span_iou) for p in annotator_pairs(units)]
    [('x', 'y', 1, 0.5)]
    """
    found = pairs or pairs_of(units)
    people = len(units.annotators)
    one, two = units.annotator_of[found.first], units.annotator_of[found.second]
    cells, group = np.unique(
        np.minimum(one, two) * people + np.maximum(one, two), return_inverse=True
    )
    count, means = _means(group, len(cells), _measures(units, found))
    return [
        AnnotatorPair(units.annotators[cell // people], units.annotators[cell % people], *row)
        for cell, *row in zip(
            cells.tolist(), count.tolist(), *(mean.tolist() for mean in means), strict=True
        )
    ]


def item_agreement(units: Units, pairs: Pairs | None = None) -> list[ItemAgreement]:
    """Agreement on each item with two or more annotations, in the order of the items.

    Sorted by ``span_iou`` it gives the items with the lowest agreement.

    Parameters
    ----------
    units : Units
    pairs : Pairs, optional
        Of these units, where they are there already.

    Examples
    --------
    >>> from agreement.stats.units import units_from_columns
    >>> units = units_from_columns(
    ...     keys=["a"], lengths=[9], annotators=["x", "y"], labels=["A"],
    ...     item_of=[0, 0], annotator_of=[0, 1],
    ...     annotation_of=[0], starts=[0], ends=[6], codes=[0],
    ... )
    >>> item_agreement(units)[0].span_iou
    0.0
    """
    found = pairs or pairs_of(units)
    count, means = _means(found.item, len(units), _measures(units, found))
    rows = zip(
        units.keys,
        units.per_item.tolist(),
        count.tolist(),
        *(m.tolist() for m in means),
        strict=True,
    )
    return [ItemAgreement(key, n, *row) for key, n, shared, *row in rows if shared]
