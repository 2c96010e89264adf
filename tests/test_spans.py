"""Spans are checked against their text, and read from and written to raw annotations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.records import SpanRecord
from annotation.spans import check_spans, format_raw, parse_raw


def faults(*spans: tuple[int, int, str], length: int = 10, overlap: bool = False) -> list[str]:
    found = check_spans([SpanRecord(*span) for span in spans], length, {"A", "B"}, overlap)
    return [problem.where for problem in found]


@pytest.mark.parametrize(
    ("span", "where"),
    [
        ((-1, 3, "A"), "spans[0].start"),
        ((10, 11, "A"), "spans[0].start"),
        ((3, 3, "A"), "spans[0].end"),
        ((5, 3, "A"), "spans[0].end"),
        ((5, 11, "A"), "spans[0].end"),
        ((0, 3, "C"), "spans[0].label"),
        ((0, 3, "a"), "spans[0].label"),
    ],
)
def test_a_span_outside_the_text_or_of_an_unknown_label_is_refused(span, where):
    assert faults(span) == [where]


def test_every_faulty_span_is_named_by_its_place_in_the_list():
    assert faults((0, 3, "A"), (4, 4, "A"), (5, 99, "C")) == [
        "spans[1].end",
        "spans[2].end",
        "spans[2].label",
    ]


def test_an_overlap_names_the_other_span_as_a_person_counts():
    spans = [SpanRecord(0, 5, "A"), SpanRecord(4, 8, "B")]
    (problem,) = check_spans(spans, 10, None, False)
    assert problem.where == "spans[1]"
    assert "overlaps span 1" in problem.message


def test_a_span_inside_a_long_one_is_an_overlap_though_a_short_one_stands_between():
    assert faults((0, 9, "A"), (1, 2, "A"), (5, 6, "A")) == ["spans[1]", "spans[2]"]


def test_overlapping_spans_are_refused_whatever_their_order():
    assert faults((4, 8, "A"), (0, 5, "A")) == ["spans[0]"]


def test_overlapping_spans_stand_where_the_project_allows_them():
    assert faults((0, 5, "A"), (4, 8, "B"), overlap=True) == []


def test_touching_spans_are_not_overlapping():
    assert faults((0, 5, "A"), (5, 10, "A")) == []


def test_any_label_stands_where_none_are_given():
    assert check_spans([SpanRecord(0, 1, "None", "x")], 1, None, False) == []


def test_an_unknown_sublabel_is_refused():
    spans = [SpanRecord(0, 1, "A", "minor"), SpanRecord(1, 2, "A", "huge")]
    (problem,) = check_spans(spans, 2, {"A"}, False, {"minor"})
    assert problem.where == "spans[1].sublabel"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no '|'"),
        ("3:14", "no '|'"),
        ("3:14|", "1 offset pairs but 0 labels"),
        ("|A", "0 offset pairs but 1 labels"),
        ("3:14;31:46|A", "2 offset pairs but 1 labels"),
        ("3|A", "START:END"),
        ("3:x|A", "START:END"),
        ("-3:4|A", "START:END"),
        ("3:4:5|A", "START:END"),
        ("3.0:4|A", "START:END"),
        (" 3:4|A", "START:END"),
        ("3:4\n|A", "START:END"),
        ("٣:٤|A", "START:END"),
        ("3:" + "9" * 5000 + "|A", "START:END"),
    ],
)
def test_a_broken_raw_annotation_is_refused_with_what_is_wrong(text, reason):
    with pytest.raises(ValueError, match=reason.replace("|", r"\|")):
        parse_raw(text)


def test_a_bar_alone_is_an_answer_without_a_span():
    assert parse_raw("|") == ()
    assert format_raw(()) == "|"


def test_the_nth_pair_has_the_nth_label_in_stored_order():
    assert parse_raw("31:46;3:14|A;None") == (
        SpanRecord(31, 46, "A"),
        SpanRecord(3, 14, "None"),
    )


codes = st.text("ABCabc019_.-", min_size=1, max_size=5)
spans = st.builds(SpanRecord, st.integers(0, 10**9), st.integers(0, 10**9), codes)


@given(st.lists(spans))
def test_raw_annotations_come_back_as_they_were(values):
    assert parse_raw(format_raw(values)) == tuple(values)
