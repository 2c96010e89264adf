"""Who agrees with whom, and on which items people agree least."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from agreement.stats import Resampling, Table, annotator_pairs, item_agreement, pairs_of
from tests.agreement import making

ANSWERS = [
    {"x": [(0, 4, "A")], "y": [(2, 6, "B")], "z": []},
    {"y": [(0, 4, "A")], "x": [(0, 4, "A")]},
    {"z": [], "w": []},
    {"w": [(0, 4, "A")]},
    {},
]


def test_every_two_annotators_who_share_an_item_have_a_row_and_no_others_do():
    found = annotator_pairs(making.units(*ANSWERS))
    assert [(one.first, one.second, one.n_items) for one in found] == [
        ("x", "y", 2),
        ("x", "z", 1),
        ("y", "z", 1),
        ("z", "w", 1),
    ]
    assert [one.span_iou for one in found] == pytest.approx([(1 / 3 + 1) / 2, 0, 0, 1])
    assert [one.span_iou_label_match for one in found] == [0.5, 0, 0, 1]
    assert [one.presence for one in found] == [1, 0, 0, 1]


def test_each_item_with_two_annotations_has_its_agreement():
    found = item_agreement(making.units(*ANSWERS))
    assert [(one.key, one.n_annotations) for one in found] == [("0", 3), ("1", 2), ("2", 2)]
    assert [one.span_iou for one in found] == pytest.approx([1 / 9, 1, 1])
    assert [one.span_iou_label_match for one in found] == [0, 1, 1]
    assert [one.presence for one in found] == pytest.approx([1 / 3, 1, 1])


@given(making.many_answers)
def test_the_mean_of_the_items_is_the_report_s_overlap(found):
    units = making.drawn(found)
    estimates = Table(units).estimates(resampling=Resampling(resamples=0))
    items = item_agreement(units, pairs_of(units))
    for name in ("span_iou", "span_iou_label_match"):
        values = [getattr(one, name) for one in items]
        assert estimates[name].n_items == len(values)
        if values:
            assert estimates[name].value == pytest.approx(np.mean(values), abs=1e-12)


@given(making.many_answers)
def test_the_pairs_of_annotators_are_all_pairs_of_annotations(found):
    units = making.drawn(found)
    total = sum(one.n_items * one.span_iou for one in annotator_pairs(units))
    assert total == pytest.approx(pairs_of(units).iou().sum(), abs=1e-9)
    assert all(one.first != one.second for one in annotator_pairs(units))
