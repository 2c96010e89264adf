"""The fast forms against slow ones: the package, a count per character, a loop over spans."""

from __future__ import annotations

import math
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from agreement.stats import (
    STATISTICS,
    Resampling,
    Table,
    coefficients,
    krippendorff_alpha,
    labels_by,
    overlap,
    pairs_of,
)
from agreement.stats.coefficients import coincidence_sums, nominal_alpha_of_sums
from agreement.stats.exact import exact_rows
from tests.agreement import making

tables = arrays.arrays(
    np.int64,
    st.tuples(st.integers(1, 12), st.integers(2, 6)),
    elements=st.integers(0, 4),
)


def package(counts: np.ndarray) -> float | None:
    """The package's value; None where it raises or divides by 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        try:
            found = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
        except ValueError:
            return None
    return None if np.isnan(found) else found


@given(tables)
def test_alpha_of_sums_is_the_package_s_to_the_twelfth_decimal(counts):
    ours = float(nominal_alpha_of_sums(coincidence_sums(counts).sum(axis=0)))
    expected = package(counts)
    if expected is None:
        assert np.isnan(ours)
    else:
        assert abs(ours - expected) <= 1e-12


@given(tables)
def test_the_reported_alpha_is_the_package_s_or_undefined(counts):
    found, expected = krippendorff_alpha(counts), package(counts)
    assert (found is None) == (expected is None)
    assert found is None or abs(found - expected) <= 1e-12


def test_a_table_too_large_for_the_package_has_the_same_alpha(monkeypatch):
    counts = np.random.default_rng(3).integers(0, 3, (50, 4))
    expected = krippendorff_alpha(counts)
    monkeypatch.setattr(coefficients, "PACKAGE_CELLS", 0)
    monkeypatch.setattr(coefficients.krippendorff, "alpha", None)
    assert krippendorff_alpha(counts) == pytest.approx(expected, abs=1e-12)


def characters(spans) -> dict[int, set[str]]:
    marked: dict[int, set[str]] = {}
    for start, end, label in spans:
        for place in range(start, end):
            marked.setdefault(place, set()).add(label)
    return marked


def iou_by_character(one, two, label_match: bool) -> float | None:
    """None where both are empty."""
    a, b = characters(one), characters(two)
    if not a and not b:
        return None
    shared = [place for place in a if place in b and (not label_match or a[place] & b[place])]
    return len(shared) / len(a.keys() | b.keys())


@given(making.many_answers, st.booleans(), st.sampled_from([1, 5, 1 << 20]))
def test_every_pair_s_overlap_is_the_count_of_its_characters(found, label_match, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap, "BLOCK", block)
        pairs = pairs_of(making.drawn(found))
    expected = [
        (i, iou_by_character(one, two, label_match))
        for i, item in enumerate(found)
        for one, two in combinations(item.values(), 2)
    ]
    assert pairs.item.tolist() == [i for i, _ in expected]
    assert pairs.both_empty.tolist() == [iou is None for _, iou in expected]
    assert pairs.iou(label_match).tolist() == [1.0 if iou is None else iou for _, iou in expected]


@given(making.many_answers, st.booleans())
def test_the_means_over_items_and_pairs_are_those_of_a_loop(found, label_match):
    name = "span_iou_label_match" if label_match else "span_iou"
    estimates = Table(making.drawn(found)).estimates(resampling=Resampling(resamples=0))
    items = [
        [iou_by_character(one, two, label_match) for one, two in combinations(item.values(), 2)]
        for item in found
        if len(item) > 1
    ]
    pooled = [iou for item in items for iou in item if iou is not None]
    means = [np.mean([1.0 if iou is None else iou for iou in item]) for item in items]
    for suffix, values in (("", means), ("_leave_out", pooled)):
        value = estimates[name + suffix].value
        assert (value is None) == (not values)
        assert value is None or abs(value - np.mean(values)) <= 1e-12


PICKS = {
    "first": lambda spans: spans[0],
    "first_position": lambda spans: min(spans, key=lambda span: span[:2]),
    "longest": lambda spans: max(spans, key=lambda span: span[1] - span[0]),
}


@given(making.many_answers, st.sampled_from(sorted(PICKS)))
def test_a_policy_takes_the_span_that_its_name_says_and_the_earlier_of_equals(found, policy):
    units = making.drawn(found)
    chosen = [units.labels[i] if i >= 0 else None for i in labels_by(units, policy)]
    expected = [PICKS[policy](s)[2] if s else None for item in found for s in item.values()]
    assert chosen == expected


@given(making.many_answers)
def test_label_alpha_is_that_of_a_table_counted_by_hand(found):
    estimates = Table(making.drawn(found)).estimates(resampling=Resampling(resamples=0))
    firsts = [[s[0][2] if s else "" for s in item.values()] for item in found]
    marked = [item for item in firsts if "" not in item]
    for name, items in (("all", firsts), ("hallucination", marked)):
        counts = np.array([[item.count(v) for v in ("", *"ABC")] for item in items])
        expected = package(counts) if len(counts) else None
        value = estimates[f"label_alpha_first_{name}"].value
        assert (value is None) == (expected is None)
        assert value is None or abs(value - expected) <= 1e-12


@given(
    arrays.arrays(np.float64, st.tuples(st.integers(1, 30), st.just(3)), elements=st.floats(0, 5)),
    st.randoms(use_true_random=False),
)
def test_sums_of_exact_rows_do_not_depend_on_the_order_of_adding(rows, random):
    order = list(range(len(rows)))
    random.shuffle(order)
    counts = np.array([[random.randrange(3) for _ in order]], dtype=np.int32)
    counts[0, int(counts.sum() > len(order)) :] = 1
    found = exact_rows(rows)
    there, back = found.weighted(counts), found.take(np.array(order)).weighted(counts[:, order])
    assert there.tolist() == back.tolist()
    assert np.allclose(there, counts @ rows, rtol=0, atol=1e-12)


def test_sums_of_many_exact_rows_are_right_to_the_last_bit_of_a_float():
    rows = np.random.default_rng(2).random((20_000, 2)) / 3
    drawn = np.random.default_rng(4).integers(0, len(rows), len(rows))
    counts = np.bincount(drawn, minlength=len(rows)).astype(np.int32)[None]
    expected = [math.fsum(rows[drawn, column]) for column in range(2)]
    found = exact_rows(rows)
    assert found.weighted(counts)[0] == pytest.approx(expected, rel=2.3e-16, abs=0)
    assert found.total() == pytest.approx([math.fsum(c) for c in rows.T], rel=2.3e-16, abs=0)


def test_the_eleven_names_are_those_of_a_report():
    label = [
        f"label_alpha_{policy}_{among}"
        for policy in ("first", "first_position", "longest")
        for among in ("all", "hallucination")
    ]
    iou = ["span_iou", "span_iou_label_match", "span_iou_leave_out"]
    names = ["presence_alpha_free", *label, *iou, "span_iou_label_match_leave_out"]
    assert list(STATISTICS) == names
