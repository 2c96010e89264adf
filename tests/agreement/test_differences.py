"""Two groups, or two statistics, compared: the difference and what its interval rests on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agreement.stats import Resampling, Table, difference, differences
from agreement.units import units_from_records
from tests.agreement.making import answers_of, item, units
from tests.benchmarks.agreement import made

BCA = Resampling(interval="bca")


def width(found) -> float:
    return found.high - found.low


@pytest.mark.parametrize("how", [Resampling(), BCA])
def test_a_group_does_not_differ_from_itself(how):
    found = difference(made(80), made(80), "span_iou", resampling=how)
    assert (found.value, found.low, found.high, found.n_common) == (0, 0, 0, 80)


def test_the_same_items_are_compared_in_pairs():
    """Both policies see the same draw, so what the items share cancels out."""
    paired = difference(made(400), made(400), "label_alpha_first_all", "label_alpha_longest_all")
    apart = difference(
        made(400), renamed(made(400)), "label_alpha_first_all", "label_alpha_longest_all"
    )
    assert (paired.n_common, apart.n_common) == (400, 0)
    assert paired.value == apart.value
    assert width(paired) < 0.8 * width(apart)


def renamed(found):
    return replace(found, keys=[f"other-{key}" for key in found.keys])


def test_groups_without_a_common_item_are_drawn_independently():
    """The variance of a difference of independent values is the sum of their variances."""
    whole = made(900)
    one, two = whole.take(np.arange(300)), whole.take(np.arange(300, 900))
    found = difference(one, two, "span_iou")
    alone = [Table(side).estimates()["span_iou"] for side in (one, two)]
    assert found.n_common == 0
    assert found.value == alone[0].value - alone[1].value
    expected = np.hypot(width(alone[0]), width(alone[1]))
    assert width(found) == pytest.approx(expected, rel=0.15)


def test_groups_that_overlap_share_the_draw_of_their_common_items_alone():
    whole = made(900)
    one, two = whole.take(np.arange(600)), whole.take(np.arange(300, 900))
    found = difference(one, two, "presence_alpha_free")
    apart = difference(one, renamed(two), "presence_alpha_free")
    assert (found.n_common, apart.n_common) == (300, 0)
    assert found.value == apart.value
    assert width(found) < width(apart)


def test_items_are_matched_by_key_and_not_by_place():
    marks = {"a": answers_of("A", ""), "b": answers_of("A", "A"), "c": answers_of("AB", "B")}
    records = [item(key, 20, answers) for key, answers in marks.items()]
    sides = units_from_records(records), units_from_records(records[::-1])
    found = difference(*sides, "span_iou")
    assert (found.value, found.low, found.high, found.n_common) == (0, 0, 0, 3)


def test_a_key_that_comes_twice_cannot_be_matched():
    with pytest.raises(ValueError, match="A key comes twice"):
        difference(replace(made(9), keys=["a"] * 9), made(9), "span_iou")


def test_a_real_difference_is_found_and_its_sign_is_first_less_second():
    agree = units(*[answers_of("A", "A")] * 30, *[answers_of("A", "B")] * 3)
    differ = renamed(units(*[answers_of("A", "")] * 30, *[answers_of("A", "A")] * 3))
    for how in (Resampling(), BCA):
        found = difference(agree, differ, "span_iou", resampling=how)
        assert found.value == pytest.approx(1 - 3 / 33)
        assert 0 < found.low < found.value < found.high
        back = difference(differ, agree, "span_iou", resampling=how)
        assert back.value == -found.value
        assert back.high < 0


def test_the_acceleration_of_independent_groups_is_about_the_mean_of_each(monkeypatch):
    given = {}

    def bca_interval(value, draws, left_out, level):
        given["left_out"] = left_out
        return 0.0, 0.0

    monkeypatch.setattr(differences, "bca_interval", bca_interval)
    one = units(answers_of("A", "A"), answers_of("A", ""), answers_of("A", ""))
    two = renamed(units(*[answers_of("A", "A")] * 4, answers_of("A", "")))
    difference(one, two, "span_iou", resampling=BCA)
    # a mean without one of its values moves by (mean - value) / (n - 1)
    left = (1 / 3 - np.array([1, 0, 0])) / 2
    right = (4 / 5 - np.array([1, 1, 1, 1, 0])) / 4
    assert given["left_out"] == pytest.approx(np.append(left, -right), abs=1e-12)


def test_a_difference_with_a_single_item_on_a_side_has_no_interval():
    found = difference(made(50), renamed(made(50)).take([3]), "span_iou")
    assert found.value is not None
    assert (found.low, found.reason) == (None, "a single item gives no interval")


def test_the_same_seed_gives_the_same_difference():
    sides = made(50), renamed(made(70))
    first = difference(*sides, "span_iou")
    assert difference(*sides, "span_iou") == first
    assert difference(*sides, "span_iou", resampling=Resampling(seed=9)).low != first.low


def test_a_difference_as_json_has_both_sides():
    found = difference(made(20), renamed(made(20)), "span_iou").as_json()
    assert found["first"]["n_items"] == 20
    assert {"value", "low", "high", "n_common", "reason"} < found.keys()
