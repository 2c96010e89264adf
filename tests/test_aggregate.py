"""Annotations of one item become probabilities per character, and runs of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.aggregate import aggregate, hard_labels, tidy
from annotation.records import SpanRecord
from annotation.spans import parse_raw

FIGURE = Path(__file__).parents[2] / "shared" / "data" / "sheep" / "sheep_figure_1b.jsonl"
EXACT = [
    (0, 0.3333, "A", 3),
    (3, 1.0, "A", 14),
    (14, 0.6667, "A", 31),
    (31, 1.0, "A", 46),
    (46, 0.3333, "A", 48),
    (48, 0.6667, "A", 64),
    (64, 1.0, "A", 89),
    (89, 0.6667, "A", 109),
    (109, 1.0, "A", 132),
    (132, 0.3333, "A", 168),
]
# 168 characters with a space where a word ends and a full stop at last: the shape of Figure 1b
SHAPE = "x" * 46 + ", " + "x" * 119 + "."
RAW = ("3:14;31:46;48:89;109:132|A;A;A;A", "3:46;64:132|A;A", "0:168|A")


def runs(*raw: str, text: str = "x" * 200, boundaries: str = "exact") -> list[tuple]:
    return [tuple(run) for run in aggregate([parse_raw(r) for r in raw], text, boundaries)]


def test_unknown_boundaries_are_refused():
    with pytest.raises(ValueError, match="exact or sheep"):
        aggregate([], "text", "near")


def test_an_item_without_annotations_has_no_labels():
    assert runs() == []
    assert runs("|", "|") == []


def test_exact_boundaries_count_what_was_marked():  # BR-40
    assert runs(*RAW) == EXACT


def test_sheep_boundaries_join_over_a_comma_and_drop_the_full_stop():  # BR-40
    sheep = runs(*RAW, text=SHAPE, boundaries="sheep")
    assert sheep[4:5] + sheep[-1:] == [(46, 0.6667, "A", 64), (132, 0.3333, "A", 167)]
    assert len(sheep) == 9


@pytest.mark.skipif(not FIGURE.exists(), reason="the published figure is not here")
def test_the_printed_figure_comes_out_with_sheep_boundaries_only():  # BR-40
    row = json.loads(FIGURE.read_text(encoding="utf-8"))
    printed = [(r["start"], r["prob"], r["label"], r["end"]) for r in row["labels"]]
    raw = row["raw_annots"].values()
    assert runs(*raw, text=row["response"], boundaries="sheep") == printed
    assert runs(*raw, text=row["response"]) == EXACT != printed


def test_an_empty_answer_counts_in_the_share():
    assert runs("0:4|A", "|") == [(0, 0.5, "A", 4)]


def test_an_annotation_counts_once_per_character_and_label():
    assert runs("0:4;2:6|A;A", "|") == [(0, 0.5, "A", 6)]


def test_labels_are_counted_apart_and_sorted_by_start_end_and_label():
    assert runs("0:4|B", "0:4|A", "0:2|B") == [
        (0, 0.6667, "B", 2),
        (0, 0.3333, "A", 4),
        (2, 0.3333, "B", 4),
    ]


def test_touching_spans_of_one_annotator_are_one_run():
    assert runs("0:4;4:8|A;A") == [(0, 1.0, "A", 8)]


def test_a_run_goes_on_where_one_annotator_hands_over_to_another():
    assert runs("0:4|A", "4:8|A") == [(0, 0.5, "A", 8)]


@pytest.mark.parametrize(
    ("text", "raw", "left"),
    [
        ("« chat » noir", "0:13|A", [(2, 13)]),
        ("un chat, noir", "3:7;9:13|A;A", [(3, 13)]),
        ("un chat, noir", "3:7;9:13|A;B", [(3, 7), (9, 13)]),
        ("un chat, noir", "9:13;3:7|A;A", [(9, 13), (3, 7)]),
        ("un chat... ", "3:11|A", [(3, 7)]),
        ("un ... chat", "3:6|A", []),
        ("他说。好", "2:4|A", [(3, 4)]),
        ("$5 + 3", "0:2|A", [(1, 2)]),
    ],
)
def test_the_clean_up_drops_and_joins_at_punctuation(text, raw, left):
    assert [(span.start, span.end) for span in tidy(parse_raw(raw), text)] == left


def test_hard_labels_need_more_than_half_whatever_the_label():
    annotations = [parse_raw("0:6|A"), parse_raw("2:8|B"), parse_raw("4:5;7:9|A;A"), ()]
    assert hard_labels(annotations) == [(4, 5)]
    assert hard_labels(annotations[:3]) == [(2, 6), (7, 8)]
    assert hard_labels([]) == []


LENGTH = 24


@st.composite
def answers(draw: st.DrawFn) -> list[list[SpanRecord]]:
    edge = st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).filter(lambda e: e[0] < e[1])
    span = st.builds(lambda e, label: SpanRecord(*e, label), edge, st.sampled_from("AB"))
    return draw(st.lists(st.lists(span, max_size=5), max_size=5))


@given(answers())
def test_expanding_the_runs_equals_counting_the_spans(annotations):
    expanded: dict[tuple[int, str], float] = {}
    for run in aggregate(annotations, "x" * LENGTH):
        for place in range(run.start, run.end):
            assert (place, run.label) not in expanded
            expanded[place, run.label] = run.prob
    for place in range(LENGTH):
        for label in "AB":
            count = sum(
                any(s.label == label and s.start <= place < s.end for s in spans)
                for spans in annotations
            )
            share = round(count / len(annotations), 4) if count else 0
            assert expanded.get((place, label), 0) == share


@given(answers())
def test_runs_are_maximal_and_sorted(annotations):
    found = aggregate(annotations, "x" * LENGTH)
    assert found == sorted(found, key=lambda run: (run.start, run.end, run.label))
    ends = {(run.end, run.label, run.prob) for run in found}
    assert not [run for run in found if (run.start, run.label, run.prob) in ends]


@given(answers(), st.text("xy ,.«\n。", min_size=LENGTH, max_size=LENGTH))
def test_cleaned_spans_begin_and_end_in_words_inside_the_text(annotations, text):
    for spans in annotations:
        for span in tidy(spans, text):
            assert 0 <= span.start < span.end <= LENGTH
            assert text[span.start] in "xy"
            assert text[span.end - 1] in "xy"


@given(answers())
def test_hard_labels_are_what_more_than_half_marked(annotations):
    hard = {place for start, end in hard_labels(annotations) for place in range(start, end)}
    for place in range(LENGTH):
        marks = sum(any(s.start <= place < s.end for s in spans) for spans in annotations)
        assert (place in hard) == (marks > len(annotations) / 2)
