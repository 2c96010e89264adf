"""Whether annotators find the error that a writer put into a text."""

from __future__ import annotations

import pytest

from agreement.describe import expected_labels
from agreement.expectation import intended_hits
from agreement.units import units_from_records
from tests.agreement.making import item


def written(key: str, answers, spans=((4, 9),), label: str = "A", **fields):
    expectation = {"label": label, "spans": [{"start": s, "end": e} for s, e in spans]}
    return item(key, 20, answers, expectation=expectation, author="writer", **fields)


def test_hits_labels_and_overlap_are_counted_for_each_writer_and_label():
    units = units_from_records(
        [
            written("a", {"x": [(4, 9, "A")], "y": [(8, 12, "B")], "z": []}),
            written("b", {"x": [(0, 4, "A")]}, label="B"),
            item("c", 20, {"x": [(4, 9, "A")]}),
        ]
    )
    first, second = intended_hits(units)
    assert (first["author"], first["label"], first["items"], first["annotations"]) == (
        "writer", "A", 1, 3,
    )  # fmt: skip
    assert (first["hit"], first["labelled"]) == (2, 1)
    assert first["iou"] == pytest.approx((1 + 1 / 8 + 0) / 3)
    assert (second["label"], second["hit"], second["iou"]) == ("B", 0, 0.0)


@pytest.mark.parametrize(
    "expectation",
    [
        None,
        {},
        {"spans": "4:9"},
        {"spans": [{"start": "4", "end": 9}, {"start": 9, "end": 4}, 7]},
        {"label": "A"},
    ],
)
def test_an_expectation_without_spans_takes_no_part(expectation):
    units = units_from_records([item("a", 20, {"x": [(4, 9, "A")]}, expectation=expectation)])
    assert intended_hits(units) == []


def test_spans_past_the_end_are_cut_and_an_item_nobody_answered_is_passed_over():
    units = units_from_records([written("a", {"x": [(15, 20, "A")]}, [(15, 99)]), written("b", {})])
    (row,) = intended_hits(units)
    assert (row["items"], row["hit"], row["iou"]) == (1, 1, 1.0)


def test_the_intended_label_comes_before_the_prelabel():
    units = units_from_records(
        [
            written("a", {"x": [(4, 9, "C")]}, prelabel="B", strategy="human"),
            item("b", 20, {"x": []}, prelabel="B", strategy="map"),
            item("c", 20, {"x": []}, strategy="map"),
        ]
    )
    human, mapped = expected_labels(units)
    assert (human["value"], human["rows"][0]["expected"]) == ("human", "A")
    assert (mapped["items"], mapped["without"], mapped["rows"][0]["none"]) == (1, 1, 1)
