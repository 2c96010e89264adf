"""From records, files and columns to arrays: what is kept, cut, dropped and refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.stats import Table
from agreement.units import (
    UnknownField,
    UnreadableFile,
    units_from_columns,
    units_from_file,
    units_from_records,
)
from annotation.formats import FORMATS
from annotation.records import AnnotationRecord, ItemRecord, SpanRecord
from tests.agreement import making


def spans_of(units) -> list[list[tuple[int, int, str]]]:
    """The spans of each annotation."""
    edges = units.span_starts_at
    spans = zip(units.starts.tolist(), units.ends.tolist(), units.codes.tolist(), strict=True)
    flat = [(start, end, units.labels[code]) for start, end, code in spans]
    return [flat[a:b] for a, b in zip(edges[:-1], edges[1:], strict=True)]


def write(path, *rows) -> str:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return str(path)


def sheep(key="a", raw=None, **fields):
    row = {"id": key, "language": "en", "prompt": "What?", "response": "Two sheep."}
    return row | {"raw_annots": raw or {}} | fields


def jsonl(key="a", *answers, **fields):
    row = {"key": key, "language": "en", "response": "Two sheep."}
    return row | {"annotations": list(answers)} | fields


def test_a_file_with_rows_that_cannot_be_read_is_refused_and_every_one_is_named(tmp_path):
    path = write(
        tmp_path / "a.jsonl",
        sheep("a", {"x": "0:1"}),
        sheep("b", {"x": "0:2|A"}),
        sheep("c", {"x": None}),
        sheep("b", {}),
        sheep("d", {" ": "|"}),
    )
    with pytest.raises(UnreadableFile) as caught:
        units_from_file(path)
    assert [(one.line, one.field) for one in caught.value.refusals] == [
        (1, "raw_annots.x"),
        (3, "raw_annots.x"),
        (4, "id"),
        (5, "raw_annots. "),
    ]
    assert str(caught.value).startswith("a.jsonl:1: raw_annots.x: '0:1' has no '|'")


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        (["x"], "annotations[0]"),
        ([{"annotator": ""}], "annotations[0].annotator"),
        ([{"annotator": "x", "spans": []}] * 2, "annotations[1].annotator"),
        ([{"annotator": "x", "spans": [], "state": "sent"}], "state"),
        ([{"annotator": "x", "spans": [{"start": 0.5, "end": 1, "label": "A"}]}], "start"),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused(tmp_path, answers, field):
    with pytest.raises(UnreadableFile) as caught:
        units_from_file(write(tmp_path / "a.jsonl", jsonl("a", *answers)))
    assert caught.value.refusals[0].field.endswith(field)


def test_a_format_without_annotations_is_refused(tmp_path):
    with pytest.raises(ValueError, match="agreement reads sheep and jsonl"):
        units_from_file(write(tmp_path / "a.csv"))
    with pytest.raises(ValueError, match="'aside'"):
        units_from_file(write(tmp_path / "a.jsonl"), "aside")


def test_an_empty_file_is_refused(tmp_path):
    with pytest.raises(UnreadableFile, match="empty"):
        units_from_file(write(tmp_path / "a.jsonl"))


def test_spans_past_the_end_are_cut_and_dropped_where_nothing_is_left(tmp_path):
    raw = {"x": "8:99;10:12;4:4|A;A;A", "y": "20:30|A"}
    units = units_from_file(write(tmp_path / "a.jsonl", sheep("a", raw)))
    assert spans_of(units) == [[(8, 10, "A")], []]
    assert Table(units).estimates()["span_iou"].value == 0


def test_a_start_before_the_text_is_cut_to_its_begin(tmp_path):
    answer = {"annotator": "x", "spans": [{"start": -3, "end": 2, "label": "A"}]}
    assert spans_of(units_from_file(write(tmp_path / "a.jsonl", jsonl("a", answer)))) == [
        [(0, 2, "A")]
    ]


def test_overlaps_and_any_label_names_are_taken_in_marking_order(tmp_path):
    raw = {"x": "3:9;0:5;0:5|strange label;🐑;B"}
    units = units_from_file(write(tmp_path / "a.jsonl", sheep("a", raw)))
    assert spans_of(units) == [[(3, 9, "strange label"), (0, 5, "🐑"), (0, 5, "B")]]


def test_offsets_count_code_points(tmp_path):
    units = units_from_file(
        write(tmp_path / "a.jsonl", sheep("a", {"x": "1:9|A"}, response="🐑🐑🐑"))
    )
    assert spans_of(units) == [[(1, 3, "A")]]


def test_an_empty_answer_is_an_answer_and_a_missing_annotator_is_none(tmp_path):
    path = write(tmp_path / "a.jsonl", sheep("a", {"x": "|", "y": "0:1|A"}), sheep("b", {"y": "|"}))
    units = units_from_file(path)
    assert units.per_item.tolist() == [2, 1]
    assert [units.annotators[i] for i in units.annotator_of] == ["x", "y", "y"]
    assert Table(units).estimates()["presence_alpha_free"].n_left_out == 1


def test_drafts_reports_and_answers_set_aside_do_not_count():
    states = ("draft", "submitted", "reported", "set_aside")
    answers = tuple(AnnotationRecord(state, state=state) for state in states)
    units = units_from_records([ItemRecord("a", "en", "text", annotations=answers)])
    assert units.annotators == ["submitted"]


def test_retired_items_are_left_out_and_held_ones_are_not():
    states = ("active", "held", "retired")
    units = units_from_records(ItemRecord(state, "en", "text", state=state) for state in states)
    assert units.keys == ["active", "held"]


@pytest.mark.parametrize("name", ["sheep", "jsonl"])
def test_a_written_file_gives_the_units_of_its_records(tmp_path, name):
    records = [
        making.item("a", 20, making.answers_of("A", "", "BA"), strategy="map", metadata={"n": 1}),
        making.item("b", 20, making.answers_of("B"), model="m"),
    ]
    # a written empty answer says so
    records = [
        ItemRecord(
            **{field: getattr(record, field) for field in ItemRecord.__slots__}
            | {
                "annotations": tuple(
                    AnnotationRecord(a.annotator, a.spans, no_hallucination=not a.spans)
                    for a in record.annotations
                )
            }
        )
        for record in records
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(FORMATS[name].write(records, "exact")), encoding="utf-8")
    for format_ in (None, name):
        found, expected = units_from_file(path, format_), units_from_records(records)
        assert spans_of(found) == spans_of(expected)
        assert found.keys == expected.keys
        assert found.annotators == expected.annotators
        assert [found.field(n) for n in ("strategy", "model", "n")] == [
            ["map", None],
            [None, "m"],
            [1, None],
        ]


def test_a_field_that_no_item_has_is_refused_with_those_there_are():
    units = units_from_records([making.item("a", 4, {}, metadata={"topic": "sea"})])
    assert units.field("topic") == ["sea"]
    assert units.field("split") == [None]
    with pytest.raises(UnknownField, match="No item has 'topics': known are language, .*topic"):
        units.field("topics")


def columns(**more):
    given = {
        "keys": ["a", "b"], "lengths": [10, 5], "annotators": ["x", "y"], "labels": ["A", "B"],
        "item_of": [1, 0, 1], "annotator_of": [0, 1, 1],
        "annotation_of": [2, 0, 2, 1], "starts": [1, 3, 0, 0], "ends": [4, 9, 2, 9],
        "codes": [0, 1, 1, 0],
    }  # fmt: skip
    return units_from_columns(**(given | more))


def test_columns_in_any_order_become_sorted_by_item_with_spans_in_their_order():
    units = columns()
    assert units.item_of.tolist() == [0, 1, 1]
    assert units.annotator_of.tolist() == [1, 0, 1]
    assert spans_of(units) == [[(0, 9, "A")], [(3, 5, "B")], [(1, 4, "A"), (0, 2, "B")]]


def test_two_answers_of_one_person_on_an_item_are_refused():
    with pytest.raises(ValueError, match="two annotations on one item"):
        columns(annotator_of=[0, 1, 0])


def test_columns_without_anything_are_units_without_anything():
    nothing = {"item_of": [], "annotator_of": [], "annotation_of": []}
    units = columns(keys=[], lengths=[], **nothing, starts=[], ends=[], codes=[])
    assert len(units) == 0
    assert len(units.take(np.zeros(0, dtype=bool))) == len(units.take([])) == 0
    assert Table(units).estimates()["span_iou"].reason == "no item has two annotations"


@given(making.many_answers, st.data())
def test_some_of_the_items_are_what_the_units_of_their_records_would_be(found, data):
    mask = data.draw(st.lists(st.booleans(), min_size=len(found), max_size=len(found)))
    taken = making.drawn(found).take(np.array(mask, dtype=bool))
    kept = [answers for answers, wanted in zip(found, mask, strict=True) if wanted]
    alone = making.drawn(kept)
    assert spans_of(taken) == spans_of(alone)
    assert taken.item_of.tolist() == alone.item_of.tolist()
    assert [taken.annotators[i] for i in taken.annotator_of] == [
        alone.annotators[i] for i in alone.annotator_of
    ]
    assert taken.keys == [str(i) for i in np.flatnonzero(mask)]
    assert making.drawn(found).take(np.flatnonzero(mask)).keys == taken.keys


def test_fields_and_metadata_go_with_their_items():
    units = units_from_records(
        making.item(key, 4, {}, model=key * 2, metadata={"n": key * 3}) for key in "abc"
    )
    taken = units.take([2, 0])
    assert taken.field("model") == ["aa", "cc"]
    assert taken.field("n") == ["aaa", "ccc"]
    assert taken.lengths.tolist() == [4, 4]


def test_a_sublabel_plays_no_part():
    span = SpanRecord(0, 2, "A", sublabel="odd")
    record = ItemRecord("a", "en", "text", annotations=(AnnotationRecord("x", (span,)),))
    assert spans_of(units_from_records([record])) == [[(0, 2, "A")]]
