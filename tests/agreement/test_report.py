"""The report: its groups, their order and counts, and its JSON."""

from __future__ import annotations

import json

import pytest

from agreement.report import group_items, report
from agreement.stats import STATISTICS
from agreement.units import UnknownField, units_from_records
from tests.agreement.making import answers_of, item

ROWS = [
    ("map", "fr", {"n": 10}, answers_of("A", "B")),
    ("human", "en", {"n": 9}, answers_of("A", "A")),
    ("map", "en", {"n": True}, answers_of("A", "", "B")),
    (None, "en", {}, answers_of("B", "B")),
    ("map", "fr", {"n": "9"}, answers_of("A")),
    ("map", "fr", {"n": 1}, {}),
    ("human", "en", {"n": [1, 2]}, answers_of("AB", "B")),
]


@pytest.fixture(scope="module")
def units():
    return units_from_records(
        item(str(i), 20, answers, strategy=strategy, split=language, metadata=metadata)
        for i, (strategy, language, metadata, answers) in enumerate(ROWS)
    )


def groups(units, *names):
    return [(by, items.tolist()) for by, items in group_items(units, names)]


def test_an_unknown_grouping_is_refused(units):
    with pytest.raises(UnknownField, match="No item has 'writer'"):
        report(units, [["strategy"], ["writer"]])


def test_the_whole_comes_first_then_one_grouping_after_the_other(units):
    found = report(units, [["strategy"], ["split"]], resamples=0).groups
    assert [group.by for group in found] == [
        {},
        {"strategy": "human"},
        {"strategy": "map"},
        {"strategy": None},
        {"split": "en"},
        {"split": "fr"},
    ]
    assert [(group.n_items, group.n_left_out) for group in found] == [
        (5, 2),
        (2, 0),
        (2, 2),
        (1, 0),
        (4, 0),
        (1, 2),
    ]


def test_items_left_out_are_told_apart_by_the_reason(units):
    whole = report(units, resamples=0).groups[0]
    assert (whole.n_unanswered, whole.n_single) == (1, 1)


def test_several_names_in_one_grouping_are_crossed(units):
    assert groups(units, "strategy", "split") == [
        ({"strategy": "human", "split": "en"}, [1, 6]),
        ({"strategy": "map", "split": "en"}, [2]),
        ({"strategy": "map", "split": "fr"}, [0, 4, 5]),
        ({"strategy": None, "split": "en"}, [3]),
    ]


def test_metadata_groups_numbers_before_texts_before_others_before_none(units):
    assert [(by["n"], items) for by, items in groups(units, "n")] == [
        (1, [5]),
        (9, [1]),
        (10, [0]),
        ("9", [4]),
        ([1, 2], [6]),
        (True, [2]),
        (None, [3]),
    ]


def test_a_number_too_large_for_a_float_is_a_group_like_another():
    units = units_from_records(item(str(n), 4, {}, metadata={"n": n}) for n in (10**400, 0.5, 2))
    assert [by["n"] for by, _ in group_items(units, ["n"])] == [0.5, 2, 10**400]


def test_a_group_s_figures_are_those_of_its_items_alone(units):
    found = report(units, [["strategy"]], resamples=0).groups
    for group in found:
        alone = report(units.take(group.items), resamples=0).groups[0]
        assert alone.estimates == group.estimates
        assert alone.n_left_out == group.n_left_out


def test_a_group_s_intervals_do_not_depend_on_the_groups_beside_it(units):
    wide = report(units, [["split"], ["strategy"], ["strategy", "split"]], resamples=50).groups
    narrow = report(units, [["strategy"]], resamples=50).groups
    by_name = {json.dumps(group.by): group.as_json() for group in wide}
    assert [by_name[json.dumps(group.by)] for group in narrow] == [g.as_json() for g in narrow]


def test_the_json_has_the_names_of_the_definition(units):
    text = report(units, [["strategy"]], resamples=20, seed=3, level=0.9, interval="bca").to_json()
    found = json.loads(text)
    how = {name: found[name] for name in ("resamples", "seed", "level", "interval")}
    assert how == {"resamples": 20, "seed": 3, "level": 0.9, "interval": "bca"}
    assert list(found) == [*how, "groups"]
    for group in found["groups"]:
        assert list(group) == ["by", "n_items", "n_left_out", "estimates"]
        assert list(group["estimates"]) == list(STATISTICS)
        for estimate in group["estimates"].values():
            assert list(estimate) == [
                "value",
                "low",
                "high",
                "n_items",
                "n_undefined_resamples",
                "reason",
            ]


def test_the_report_is_the_same_each_time_for_one_seed_alone(units):
    first = report(units, [["strategy"]], resamples=30, seed=5).to_json()
    assert report(units, [["strategy"]], resamples=30, seed=5).to_json() == first
    assert report(units, [["strategy"]], resamples=30, seed=6).to_json() != first


def test_a_project_without_items_has_a_report_without_values():
    (whole,) = report(units_from_records([])).groups
    assert (whole.n_items, whole.n_left_out) == (0, 0)
    assert {one.reason for one in whole.estimates.values()} == {"no item has two annotations"}
