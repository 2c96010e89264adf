"""What a data set holds, beside its agreement: counts and shares, made from `Units`.

Every function answers with plain JSON values and never with the name of a person: annotators stand
under their pseudonyms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement import expectation
from agreement.expectation import intended_hits
from agreement.report import group_items
from agreement.stats import Units, annotator_pairs, item_agreement, pairs_of
from agreement.stats.overlap import Pairs
from agreement.stats.units import Integers

SPANS_SHOWN = 5  # "5 or more" is the last column
LOWEST = 50
GROUPS_SHOWN = 40


def composition(units: Units, names: Sequence[str]) -> list[dict[str, Any]]:
    """How many items have each combination of values: ``[{name: value, …, "items": n}]``."""
    rows = Counter(zip(*(map(_text, units.field(name)) for name in names), strict=True))
    ordered = sorted(rows.items(), key=lambda row: [(v is None, v or "") for v in row[0]])
    return [dict(zip(names, values, strict=True)) | {"items": n} for values, n in ordered]


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def span_numbers(units: Units, name: str) -> list[dict[str, Any]]:
    """Annotations by the number of their spans, for each value of an item field.

    Returns
    -------
    list of ``{"value", "annotations": n, "spans": [n0, n1, …]}``
        The last of ``spans`` counts `SPANS_SHOWN` or more.
    """
    numbers = np.minimum(np.diff(units.span_starts_at), SPANS_SHOWN)
    values = list(map(_text, units.field(name)))
    kinds = sorted(set(values), key=lambda value: (value is None, value or ""))
    place = {value: i for i, value in enumerate(kinds)}
    of_item = np.array([place[value] for value in values], dtype=np.int64)
    cells = np.zeros((len(kinds), SPANS_SHOWN + 1), dtype=np.int64)
    np.add.at(cells, (of_item[units.item_of], numbers), 1)
    return [
        {"value": value, "annotations": int(row.sum()), "spans": row.tolist()}
        for value, row in zip(kinds, cells, strict=True)
    ]


def label_shares(units: Units) -> Integers:
    """Whether an annotation has no span, or a span of each label.

    Returns
    -------
    int64, shape (n_annotations, 1 + n_labels)
        0 or 1; the first column is "no span".
    """
    owner = np.repeat(np.arange(len(units.item_of)), np.diff(units.span_starts_at))
    found = np.zeros((len(units.item_of), 1 + len(units.labels)), dtype=np.int64)
    found[owner, units.codes + 1] = 1
    found[:, 0] = ~found[:, 1:].any(axis=1)
    return found


def expected_labels(units: Units, name: str = "strategy") -> list[dict[str, Any]]:
    """The expected label of the item against the labels that annotators gave it.

    An annotation counts once under each label that it uses, and under "no span" if it has none.

    Returns
    -------
    list of ``{"value", "items", "without", "rows"}``
        One entry per value of the field that answered items have; ``without`` of them have no
        expected label. A row is ``{"expected", "annotations", "none", "labels": [n per label]}``.
    """
    used = label_shares(units)
    expected = list(map(_text, units.field("expected")))
    groups = list(map(_text, units.field(name)))
    answers_of = np.searchsorted(units.item_of, np.arange(len(units) + 1))
    found: dict[str | None, dict[str | None, Integers]] = {}
    items: Counter[tuple[str | None, bool]] = Counter()
    for item, (group, label) in enumerate(zip(groups, expected, strict=True)):
        answers = used[answers_of[item] : answers_of[item + 1]]
        if not len(answers):
            continue
        items[group, label is None] += 1
        row = np.concatenate([[len(answers)], answers.sum(axis=0)])
        cells = found.setdefault(group, {})
        if label is not None:
            cells[label] = cells.get(label, 0) + row
    return [
        {
            "value": group,
            "items": items[group, False],
            "without": items[group, True],
            "rows": [
                {
                    "expected": label,
                    "annotations": int(row[0]),
                    "none": int(row[1]),
                    "labels": row[2:].tolist(),
                }
                for label, row in sorted(cells.items(), key=lambda cell: str(cell[0]))
            ],
        }
        for group, cells in sorted(found.items(), key=lambda one: (one[0] is None, one[0] or ""))
    ]


def people(units: Units) -> list[dict[str, Any]]:
    """Each annotator's answers: ``{"annotator", "annotations", "none", "labels": [n each]}``."""
    used = label_shares(units)
    cells = np.zeros((len(units.annotators), used.shape[1]), dtype=np.int64)
    np.add.at(cells, units.annotator_of, used)
    count = np.bincount(units.annotator_of, minlength=len(units.annotators))
    return [
        {
            "annotator": name,
            "annotations": int(count[i]),
            "none": int(cells[i, 0]),
            "labels": cells[i, 1:].tolist(),
        }
        for i, name in enumerate(units.annotators)
        if count[i]
    ]


def pairs_of_people(units: Units, pairs: Pairs) -> list[dict[str, Any]]:
    """Agreement of every two annotators who share an item."""
    return [
        {
            "first": pair.first,
            "second": pair.second,
            "items": pair.n_items,
            "presence": pair.presence,
            "span_iou": pair.span_iou,
            "span_iou_label_match": pair.span_iou_label_match,
        }
        for pair in annotator_pairs(units, pairs)
    ]


def lowest(units: Units, pairs: Pairs) -> list[dict[str, Any]]:
    """The `LOWEST` items that annotators disagree on most, by span IoU with label match."""
    found = sorted(
        item_agreement(units, pairs),
        key=lambda item: (item.span_iou_label_match, item.span_iou, item.key),
    )
    return [
        {
            "key": item.key,
            "annotations": item.n_annotations,
            "presence": item.presence,
            "span_iou": item.span_iou,
            "span_iou_label_match": item.span_iou_label_match,
        }
        for item in found[:LOWEST]
    ]


def description(units: Units) -> dict[str, Any]:
    """All of the above for the fields that every data set has."""
    pairs = pairs_of(units)
    fields = [name for name in units.fields if name not in (*expectation.FIELDS, "image_name")]
    used = _used(units, fields)
    return {
        "labels": list(units.labels),
        "fields": used,
        "values": {name: values for name in used if (values := _few_values(units, name))},
        "composition": composition(units, ("strategy", "language", "split")),
        "spans": {name: span_numbers(units, name) for name in ("strategy", "language")},
        "expected": expected_labels(units),
        "intended": intended_hits(units),
        "people": people(units),
        "pairs": pairs_of_people(units, pairs),
        "lowest": lowest(units, pairs),
    }


def _few_values(units: Units, name: str) -> list[Any]:
    """The field's values, null last, if they make 2 to `GROUPS_SHOWN` groups."""
    groups = group_items(units, [name])
    return [by[name] for by, _ in groups] if 2 <= len(groups) <= GROUPS_SHOWN else []


def _used(units: Units, fields: Sequence[str]) -> list[str]:
    """Fields that some item has, then the keys of metadata, in the order they first occur."""
    used = [name for name in fields if any(v is not None for v in units.fields[name])]
    keys = dict.fromkeys(key for one in units.metadata for key in one)
    return used + [key for key in keys if key and key not in units.fields]
