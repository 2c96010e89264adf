"""Values that others published or that follow by hand, and those of the real data sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from agreement.report import report
from agreement.stats import (
    STATISTICS,
    Resampling,
    Table,
    Units,
    free_marginal_alpha,
    free_marginal_kappa,
    krippendorff_alpha,
    span,
)
from agreement.units import units_from_file, units_from_records
from tests.agreement import making

PATH = making.DATA / "agreement_cases.json"
CASES = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else []
POINT = Resampling(resamples=0)


def value(units: Units, name: str) -> float | None:
    return Table(units, [STATISTICS[name]]).estimates(resampling=POINT)[name].value


def counts_of(ratings: Sequence[Sequence[Any]]) -> np.ndarray:
    known = [[rating for rating in unit if rating is not None] for unit in ratings]
    values = sorted({rating for unit in known for rating in unit})
    return np.array([[unit.count(v) for v in values] for unit in known]).reshape(len(known), -1)


def units_of(items: Sequence[dict[str, Any]]) -> Units:
    return units_from_records(
        making.item(str(i), one["length"], {str(j): a for j, a in enumerate(one["annotators"])})
        for i, one in enumerate(items)
    )


def computed(case: dict[str, Any]) -> float | None:
    metric = case["metric"]
    if metric == "krippendorff_alpha_nominal":
        return krippendorff_alpha(counts_of(case["ratings"]))
    if metric == "free_marginal_alpha":
        return free_marginal_alpha(counts_of(case["ratings"]), case["k"])
    if metric == "free_marginal_kappa_randolph":
        return free_marginal_kappa(counts_of(case["ratings"]), case["k"])
    name = {"pairwise_iou_ignoring_labels": "span_iou"}.get(metric, "span_iou_label_match")
    return value(units_of(case["items"]), name)


def test_the_cases_are_all_there():
    making.needs("agreement_cases.json")
    assert len(CASES) == 28


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_published_value_comes_out(case):
    if case["expected"] is None:
        assert computed(case) is None
    else:
        assert abs(computed(case) - case["expected"]) <= case["tolerance"]


def test_figure_1b_has_its_overlap():
    units = units_from_file(making.needs("sheep/sheep_figure_1b.jsonl"))
    assert value(units, "span_iou") == pytest.approx(
        (74 / 127 + 90 / 168 + 111 / 168) / 3, abs=1e-12
    )
    assert round(value(units, "span_iou"), 6) == 0.593035


FAITHBENCH = {
    "presence_alpha_free": 0.648000,
    "label_alpha_first_all": 0.564640,
    "label_alpha_first_hallucination": 0.500531,
    "label_alpha_first_position_all": 0.555357,
    "label_alpha_longest_all": 0.575264,
    "label_alpha_longest_hallucination": 0.534141,
    "span_iou": 0.669084,
    "span_iou_leave_out": 0.354678,
    "span_iou_label_match": 0.650421,
}
XSUM = {
    "presence_alpha_free": 0.893333,
    "label_alpha_first_all": 0.755154,
    "label_alpha_first_hallucination": 0.791336,
    "label_alpha_first_position_all": 0.756346,
    "label_alpha_longest_all": 0.745879,
    "label_alpha_longest_hallucination": 0.778097,
    "span_iou": 0.818375,
    "span_iou_leave_out": 0.802223,
    "span_iou_label_match": 0.785517,
}
MU_SHROOM = {
    "ar": (0.920000, 0.656513),
    "en": (0.678683, 0.420960),
    "fr": (0.973333, 0.604985),
    "hi": (0.920000, 0.706687),
    "it": (0.973333, 0.773368),
    "zh": (0.708159, 0.380907),
}


@pytest.mark.parametrize(
    ("read", "n_items", "expected"),
    [(making.faithbench, 100, FAITHBENCH), (making.xsum, 400, XSUM)],
    ids=["faithbench", "xsum"],
)
def test_a_data_set_has_its_values_to_six_decimals(read, n_items, expected):
    whole = report(read(), resamples=0).groups[0]
    assert (whole.n_items, whole.n_left_out) == (n_items, 0)
    assert {name: round(whole.estimates[name].value, 6) for name in expected} == expected


@pytest.mark.parametrize("language", MU_SHROOM)
def test_mu_shroom_has_its_values_to_six_decimals(language):
    whole = report(making.mu_shroom(language), resamples=0).groups[0]
    found = (whole.estimates[name].value for name in ("presence_alpha_free", "span_iou"))
    assert whole.n_items == 50
    assert tuple(round(one, 6) for one in found) == MU_SHROOM[language]


def test_both_conventions_and_both_means_can_be_had():
    units = making.units({"a": [], "b": []}, {"a": [(0, 4, "A")], "b": [(2, 6, "A")], "c": []})
    wanted = {
        (False, "one"): (1 + 1 / 9) / 2,
        (True, "one"): (1 + 1 / 3) / 4,
        (False, "leave_out"): 1 / 9,
        (True, "leave_out"): 1 / 9,
    }
    for (pooled, empty_pairs), expected in wanted.items():
        statistic = span(label_match=False, empty_pairs=empty_pairs, pooled=pooled)
        found = Table(units, [statistic]).estimates(resampling=POINT)[statistic.name]
        assert found.value == pytest.approx(expected, abs=1e-12)
