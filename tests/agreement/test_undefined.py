"""Where a statistic has no value or no interval, it says why and gives no number."""

from __future__ import annotations

import json

import pytest

from agreement.report import report
from agreement.stats import (
    STATISTICS,
    Resampling,
    Table,
    difference,
    free_marginal_alpha,
    label,
    labels_by,
    span,
)
from tests.agreement import making
from tests.agreement.making import answers_of, units

LABELS = [name for name in STATISTICS if name.startswith("label_alpha")]
HALLUCINATION = [name for name in LABELS if name.endswith("hallucination")]


def found(*answers, **how):
    return Table(units(*answers)).estimates(resampling=Resampling(**({"resamples": 50} | how)))


@pytest.mark.parametrize("answers", [(), ({},), (answers_of("A"), answers_of(""))])
def test_without_a_shared_item_nothing_is_defined(answers):
    for estimate in found(*answers).values():
        assert estimate.value is estimate.low is estimate.high is None
        assert (estimate.n_items, estimate.n_left_out) == (0, len(answers))
        assert estimate.reason == "no item has two annotations"


def test_with_one_label_only_label_alpha_is_undefined_and_the_rest_is_not():
    estimates = found(answers_of("A", "A"), answers_of("A", "AA"))
    for name, estimate in estimates.items():
        assert (estimate.value is None) == (name in LABELS)
    assert {estimates[name].reason for name in LABELS} == {"fewer than two labels occur"}
    assert {estimates[name].n_items for name in LABELS} == {2}


def test_where_nobody_marked_anything_presence_agrees_and_labels_say_nothing():
    estimates = found(answers_of("", ""), answers_of("", "", ""))
    assert estimates["presence_alpha_free"].value == 1
    assert estimates["span_iou"].value == 1
    assert estimates["label_alpha_first_all"].reason == "fewer than two labels occur"
    assert estimates["span_iou_leave_out"].reason == "no pair of annotations has a span"
    assert {estimates[name].reason for name in HALLUCINATION} == {
        "no item is marked by all of its annotators"
    }


def test_an_item_that_one_of_its_annotators_left_unmarked_is_not_given_a_hallucination():
    estimates = found(answers_of("A", "B"), answers_of("A", "A"), answers_of("B", ""))
    estimate = estimates["label_alpha_first_hallucination"]
    assert (estimate.n_items, estimate.n_left_out) == (2, 1)
    assert estimates["label_alpha_first_all"].n_items == 3


def test_a_single_item_has_values_without_intervals():
    for name, estimate in found(answers_of("A", "B", "AB")).items():
        assert estimate.value is not None, name
        assert estimate.low is estimate.high is None
        assert estimate.reason == "a single item gives no interval"


def test_an_estimate_that_rests_on_one_item_of_many_has_no_interval():
    estimates = found(answers_of("A", "B"), *[answers_of("A", "")] * 9)
    assert estimates["label_alpha_first_hallucination"].n_items == 1
    assert estimates["label_alpha_first_hallucination"].low is None
    assert estimates["label_alpha_first_all"].low is not None


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_resamples_that_leave_a_statistic_undefined_are_counted_and_left_out(interval):
    answers = [answers_of("A", "A")] * 3 + [answers_of("B", "B")]
    estimate = found(*answers, resamples=1000, interval=interval)["label_alpha_first_all"]
    # all four draws are of A with probability (3/4)**4, or of B with (1/4)**4: 320 of 1,000
    assert 250 < estimate.n_undefined_resamples < 390
    assert (estimate.value, estimate.low, estimate.high) == (1, 1, 1)
    assert estimate.reason is None


def test_without_a_defined_resample_there_is_no_interval():
    answers = [answers_of("A", "A"), answers_of("B", "B")]
    seeds = (found(*answers, resamples=1, seed=seed) for seed in range(40))
    estimates = [one["label_alpha_first_all"] for one in seeds]
    without = [one for one in estimates if one.n_undefined_resamples == 1]
    assert 0 < len(without) < 40
    for one in without:
        assert (one.value, one.low, one.high) == (1, None, None)
        assert one.reason == "no resample gives a value"


def test_without_resamples_there_are_values_alone():
    for estimate in found(answers_of("A", "B"), answers_of("B", "B"), resamples=0).values():
        assert estimate.value is not None
        assert (estimate.low, estimate.reason) == (None, "no resamples were drawn")


@pytest.mark.parametrize(
    "wrong",
    [
        {"resamples": -1},
        {"seed": -1},
        {"level": 0.0},
        {"level": 1.0},
        {"level": float("nan")},
        {"interval": "t"},
    ],
)
def test_an_impossible_resampling_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Resampling(**wrong)


def test_an_unknown_policy_convention_or_statistic_is_refused():
    with pytest.raises(ValueError, match="Unknown policy 'last'"):
        labels_by(units(), "last")
    with pytest.raises(ValueError, match="'last'"):
        label("last", "all")
    with pytest.raises(ValueError, match="'some'"):
        label("first", "some")
    with pytest.raises(ValueError, match="'zero'"):
        span(label_match=False, empty_pairs="zero", pooled=False)
    with pytest.raises(ValueError, match="two values"):
        free_marginal_alpha([[2, 0]], k=1)
    with pytest.raises(KeyError):
        difference(units(), units(), "kappa")


def test_an_undefined_side_leaves_the_difference_undefined_with_its_reason():
    one, other = units(answers_of("A", "A")), units(answers_of("A", "B"))
    for sides in ((one, other), (other, one)):
        result = difference(*sides, "label_alpha_first_all")
        assert result.value is result.low is None
        assert result.reason == "fewer than two labels occur"


def test_json_has_null_with_a_reason_and_never_nan():
    groups = json.loads(report(making.units(answers_of("A", "A"))).to_json())["groups"]
    estimate = groups[0]["estimates"]["label_alpha_longest_all"]
    assert estimate == {
        "value": None,
        "low": None,
        "high": None,
        "n_items": 1,
        "n_undefined_resamples": 0,
        "reason": "fewer than two labels occur",
    }
