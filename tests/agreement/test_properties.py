"""What must hold for any data: what changes a statistic, and what does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.stats import (
    STATISTICS,
    Resampling,
    Table,
    free_marginal_alpha,
    free_marginal_kappa,
    pairs_of,
)
from agreement.stats.statistics import Ratings
from tests.agreement import making

HOW = Resampling(resamples=40)


def values(found, resampling=HOW):
    return Table(making.drawn(found)).estimates(resampling=resampling)


@given(making.many_answers, st.permutations("0123"))
def test_relabelling_the_annotators_changes_nothing(found, names):
    renamed = [{names[int(who)]: spans for who, spans in item.items()} for item in found]
    assert values(renamed) == values(found)


@given(making.many_answers, making.answers(most=1))
def test_an_item_that_nobody_shares_changes_the_left_out_count_alone(found, alone):
    before, after = values(found), values([*found, alone])
    for name, estimate in before.items():
        assert after[name].n_left_out == estimate.n_left_out + 1
        assert after[name].as_json() == estimate.as_json()


@given(making.many_answers)
def test_duplicating_every_item_keeps_presence_and_overlap(found):
    once, twice = values(found), values([*found, *found])
    for name in STATISTICS:
        if not name.startswith("label_alpha"):
            assert twice[name].n_items == 2 * once[name].n_items
            assert twice[name].value == pytest.approx(once[name].value, abs=1e-12)


@given(making.many_answers)
def test_duplicating_every_item_moves_label_alpha_as_its_n_says(found):
    once, twice = values(found), values([*found, *found])
    ratings = Ratings(making.drawn(found))
    for name, statistic in STATISTICS.items():
        if name.startswith("label_alpha") and once[name].value is not None:
            n = statistic.rows(ratings)[:, 1:].sum()
            expected = 1 - (2 * n - 1) / (2 * (n - 1)) * (1 - once[name].value)
            assert twice[name].value == pytest.approx(expected, abs=1e-12)


@given(making.many_answers)
def test_a_label_match_never_gives_a_higher_overlap(found):
    pairs = pairs_of(making.drawn(found))
    assert (pairs.iou(label_match=True) <= pairs.iou()).all()


@given(making.many_answers)
def test_the_order_of_the_items_changes_no_value(found):
    there, back = values(found), values(found[::-1])
    assert {n: e.value for n, e in there.items()} == pytest.approx(
        {n: e.value for n, e in back.items()}, abs=1e-12
    )


@given(st.integers(2, 5), st.lists(st.integers(0, 5), min_size=1, max_size=9))
def test_with_equal_raters_and_two_values_free_alpha_is_twice_po_less_one(raters, marked):
    counts = np.array([[min(m, raters), raters - min(m, raters)] for m in marked])
    pairs = raters * (raters - 1)
    po = np.mean((counts * (counts - 1)).sum(axis=1) / pairs)
    assert free_marginal_alpha(counts, 2) == pytest.approx(2 * po - 1, abs=1e-12)
    assert free_marginal_kappa(counts, 2) == pytest.approx(2 * po - 1, abs=1e-12)


@given(making.answers(least=2), st.integers(2, 30), st.sampled_from(["percentile", "bca"]))
def test_constant_data_has_an_interval_without_width(answers, n, interval):
    how = Resampling(resamples=50, interval=interval)
    for name, estimate in values([answers] * n, how).items():
        if estimate.value is not None:
            assert estimate.high - estimate.low <= 1e-12, name
            assert estimate.low == pytest.approx(estimate.value, abs=1e-12)


@given(making.many_answers, st.sampled_from(["percentile", "bca"]))
def test_no_estimate_is_ever_nan(found, interval):
    for estimate in values(found, Resampling(resamples=30, interval=interval)).values():
        for number in (estimate.value, estimate.low, estimate.high):
            assert number is None or np.isfinite(number)
        assert (estimate.value is None) <= (estimate.reason is not None)
        assert (estimate.low is None) == (estimate.high is None) == (estimate.reason is not None)
