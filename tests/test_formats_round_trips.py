"""What is read comes back as it was written: strings stay strings, nothing is lost."""

from __future__ import annotations

import codecs
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from annotation.formats import FORMATS, READABLE, Rules
from annotation.records import AnnotationRecord, ItemRecord, SpanRecord
from tests import code
from tests.format_rows import (
    JSONL,
    SHEEP,
    items,
    lines,
    objects,
    records,
    refused,
    written,
)

DATA = Path(__file__).parents[2] / "shared" / "data"
FIGURE = DATA / "sheep" / "sheep_figure_1b.jsonl"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"raw_annots": {"eins": "17:25|A"}, "comments": {}}, "raw_annots.eins.spans[0].end"),
        ({"raw_annots": {"eins": "0:4;3:6|A;A"}, "comments": {}}, "raw_annots.eins.spans[1]"),
        ({"raw_annots": {"eins": "0:4|C"}, "comments": {}}, "raw_annots.eins.spans[0].label"),
        ({"raw_annots": {"eins": "0:4;5:6|A"}, "comments": {}}, "raw_annots.eins"),
        ({"raw_annots": {"eins": 7}, "comments": {}}, "raw_annots.eins"),
        ({"raw_annots": {" ": "|"}, "comments": {}}, "raw_annots. "),
        ({"comments": {"drei": "x"}}, "comments.drei"),
        ({"comments": {"eins": 7}}, "comments.eins"),
        ({"metadata": {"model": 7}}, "metadata.model"),
    ],
)
def test_annotations_that_do_not_fit_are_refused_where_they_are_read(change, field):
    rules = Rules(labels=("A", "B"), with_annotations=True)
    (refusal,) = refused("sheep", lines(SHEEP | change), rules)
    assert refusal.startswith(f"f:1: {field}: ")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"state": "done"}, "state"),
        ({"spans": [{"start": True, "end": 2, "label": "A"}]}, "spans[0].start"),
        ({"spans": [{"start": 0, "end": 2.0, "label": "A"}]}, "spans[0].end"),
        ({"spans": [{"start": 0, "end": 2}]}, "spans[0].label"),
        ({"spans": [{"start": 0, "end": 99, "label": "A"}]}, "spans[0].end"),
        ({"spans": [{"start": 0, "end": 2, "label": "A"}] * 2}, "spans[1]"),
        ({"draft": {"spans": [{"start": 0, "end": 99, "label": "A"}]}}, "draft.spans[0].end"),
        ({"state": "reported", "reason": "x" * 2001}, "reason"),
        ({"spans": 0}, "spans"),
        ({"spans": [], "no_hallucination": False}, "spans"),
        ({"no_hallucination": True}, "no_hallucination"),
        ({"version": -1}, "version"),
        ({"version": 2**31 - 1}, "version"),  # the next save would not fit
        ({"active_ms": 2**53}, "active_ms"),
        ({"active_ms": 1.5}, "active_ms"),
        ({"submitted_at": "2026-01-02T03:04:05"}, "submitted_at"),
        ({"submitted_at": "0001-01-01T00:00:00+14:00"}, "submitted_at"),
        ({"submitted_at": "yesterday"}, "submitted_at"),
        ({"draft": {"span": []}}, "draft.span"),
        ({"annotator": ""}, "annotator"),
        ({"name": "x"}, "name"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(change, field):
    answer = {"annotator": "eins", "spans": [{"start": 0, "end": 2, "label": "A"}]} | change
    (refusal,) = refused("jsonl", lines(JSONL | {"annotations": [answer]}))
    assert refusal.startswith(f"f:1: annotations[0].{field}: ")


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("jsonl", JSONL | {"annotations": [{"annotator": str(n)} for n in range(1001)]}),
        ("sheep", SHEEP | {"comments": {}, "raw_annots": {str(n): "|" for n in range(1001)}}),
    ],
)
def test_more_annotations_of_an_item_than_people_are_refused(name, row):
    (refusal,) = refused(name, lines(row))
    assert "1001 annotations of one item: at most 1000" in refusal


def test_a_time_with_any_offset_is_kept_as_the_moment_it_names():
    at = "2026-02-28T12:00:00+23:59"  # PostgreSQL takes no offset of more than 15:59
    answer = {"annotator": "eins", "no_hallucination": True, "submitted_at": at}
    (record,) = records("jsonl", lines(JSONL | {"annotations": [answer]}))
    assert record.annotations[0].submitted_at == "2026-02-27T12:01:00+00:00"


def test_one_annotator_twice_on_an_item_is_refused():
    answer = {"annotator": "eins", "no_hallucination": True}
    (refusal,) = refused("jsonl", lines(JSONL | {"annotations": [answer, answer]}))
    assert refusal.startswith("f:1: annotations[1].annotator: ")


def test_annotations_that_are_left_out_are_counted():
    counts: list[int] = []
    rules = Rules(left_out=counts.append)
    assert records("sheep", lines(SHEEP), rules)[0].annotations == ()
    assert counts == [2]


@given(items())
@settings(max_examples=60)
def test_jsonl_loses_nothing(item):  # BR-35
    assert records("jsonl", written("jsonl", item)) == [item]


@given(items())
@settings(max_examples=60)
def test_csv_loses_nothing_but_the_difference_of_empty_and_missing(item):  # BR-31
    empty = {
        name: getattr(item, name) or None
        for name in ("split", "context", "model", "source", "prelabel", "author", "expectation")
    }
    assert records("csv", written("csv", item)) == [replace(item, **empty)]


@given(items())
@settings(max_examples=60)
def test_a_sheep_file_read_and_written_again_has_the_same_bytes(item):  # BR-35
    for boundaries in ("exact", "sheep"):
        once = written("sheep", item, boundaries=boundaries)
        if item.state != "retired":
            again = written("sheep", *records("sheep", once), boundaries=boundaries)
            assert again == once


@given(objects)
def test_sheep_metadata_comes_back_equal(metadata):
    metadata = {"strategy": "MAP", "model": None, "prelabel": ""} | {
        key: value for key, value in metadata.items() if key != "orig_dataset"
    }
    if not all(isinstance(metadata[key], str | None) for key in ("model", "prelabel", "strategy")):
        return
    (item,) = records("sheep", lines(SHEEP | {"metadata": metadata}))
    assert json.loads(written("sheep", item))["metadata"] == metadata


def test_whatever_a_reader_takes_for_a_line_end_each_record_is_one_line():
    text = "é\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1dh\x1ei\r\n🐑\\u2028"
    answers = (AnnotationRecord(text, (), "submitted", comment=text, no_hallucination=True),)
    answers += (AnnotationRecord("eins", (), "reported", comment=text, no_hallucination=True),)
    item = ItemRecord(text, "fr", text, text, metadata={text: [text]}, annotations=answers)
    files = {name: written(name, item, item) for name in ("sheep", "jsonl", "aside")}
    files["samples"] = "".join(FORMATS["samples"].write([{"text": text}] * 2, "exact")).encode()
    for content in files.values():
        told = content.decode()
        assert told.splitlines() == told.split("\n")[:-1] and len(told.splitlines()) == 2
        assert "é" in told and "🐑" in told  # nothing else is escaped
    for name in ("sheep", "jsonl"):
        once = written(name, item)
        (found,) = records(name, once)
        assert (found.response, found.metadata) == (item.response, item.metadata)
        assert written(name, found) == once


@pytest.mark.skipif(not FIGURE.exists(), reason="the published figure is not here")
def test_the_printed_datapoint_comes_back_byte_for_byte():
    content = FIGURE.read_bytes()
    assert written("sheep", *records("sheep", content), boundaries="sheep") == content


def test_sheep_holds_submitted_answers_only_and_no_retired_item():
    span = (SpanRecord(0, 4, "A"),)
    states = ("draft", "submitted", "reported", "set_aside")
    item = ItemRecord("a", "fr", "Chat", annotations=tuple(
        AnnotationRecord(state, span, state) for state in states
    ))  # fmt: skip
    row = json.loads(written("sheep", item))
    assert (list(row["raw_annots"]), row["labels"][0]["prob"]) == (["submitted"], 1.0)
    assert written("sheep", replace(item, state="retired")) == b""
    aside = [json.loads(line) for line in written("aside", item).splitlines()]
    assert [row["state"] for row in aside] == ["reported", "set_aside"]


@pytest.mark.parametrize(
    ("comment", "kept"), [(None, ""), ("No hallucination", ""), ("rien", "rien")]
)
def test_an_answer_without_a_span_says_no_hallucination(comment, kept):
    row = SHEEP | {"raw_annots": {"eins": "|"}, "comments": {"eins": comment}}
    (item,) = records("sheep", lines(row))
    (answer,) = item.annotations
    assert (answer.no_hallucination, answer.comment) == (True, kept)
    assert json.loads(written("sheep", item))["comments"] == {"eins": kept or "No hallucination"}


def test_sheep_keys_stand_in_the_published_order():
    row = SHEEP | {"metadata": {"z": 1, "a": 2, "strategy": "map", "prelabel": "B"}}
    (item,) = records("sheep", lines(row))
    out = json.loads(written("sheep", item))
    assert list(out) == list(SHEEP)
    assert list(out["metadata"]) == ["prelabel", "strategy", "a", "z"]
    assert list(out["labels"][0]) == ["start", "prob", "label", "end"]


def test_windows_line_ends_are_kept_and_counted():  # BR-02
    (item,) = records("sheep", lines(SHEEP))
    assert item.response[17:23] == "chiens"
    for name in READABLE:
        (again,) = records(name, written(name, item))
        assert (again.response, again.annotations[0].spans) == (
            item.response,
            (SpanRecord(17, 23, "A"),),
        )


def test_commas_quotes_and_line_ends_stay_in_their_cell():  # BR-31
    answer = AnnotationRecord("eins", no_hallucination=True, comment="fin\n")
    item = ItemRecord(
        "a", "fr", 'Un, deux\n"trois"\r', annotations=(answer,), metadata={"字": "中"}
    )
    content = written("csv", item)
    assert "中".encode() in content
    assert records("csv", content) == [item]


@pytest.mark.parametrize("word", ["007", "1e5", "NA", "null", "None", "nan", "N/A", "true"])
def test_words_that_look_like_other_values_stay_texts(word):  # BR-34
    span = SpanRecord(0, 1, word)
    item = ItemRecord(word, word, word, split=word, annotations=(AnnotationRecord(word, (span,)),))
    for name in READABLE:
        (again,) = records(name, written(name, item))
        assert again == item
    table = f"key,language,response,count\n{word},NA,{word},{word}\n".encode()
    assert records("csv", table) == [ItemRecord(word, "NA", word, metadata={"count": word})]


def test_no_answer_an_empty_answer_and_the_label_none_are_three_things():  # BR-34
    raw = {"eins": "|", "zwei": "0:4|None"}
    (item,) = records("sheep", lines(SHEEP | {"raw_annots": raw, "comments": {}}))
    assert [a.no_hallucination for a in item.annotations] == [True, False]
    assert json.loads(written("sheep", item))["raw_annots"] == raw
    (unanswered,) = records("sheep", lines(SHEEP | {"raw_annots": {}, "comments": {}}))
    assert json.loads(written("sheep", unanswered))["raw_annots"] == {}


@pytest.mark.parametrize("name", ["sheep", "jsonl"])
def test_a_byte_order_mark_blank_lines_and_a_list_read_alike(name):
    row = SHEEP if name == "sheep" else JSONL
    plain = records(name, lines(row))
    for content in (codecs.BOM_UTF8 + lines(row), lines(row) + b"\r\n \n", lines([row])):
        assert records(name, content) == plain


def test_a_row_is_handed_on_before_the_next_line_is_read():
    source = io.BytesIO(lines(JSONL) + b"broken")
    reader = FORMATS["jsonl"].read
    assert reader is not None
    number, _ = next(iter(reader(source, "f", Rules())))
    assert (number, source.read()) == (1, b"broken")


def test_files_are_utf_8_whatever_the_locale():  # BR-32
    script = (
        "import sys; from tests.format_rows import JSONL, lines, records, written;"
        "item = records('jsonl', lines(JSONL | {'response': '\\u4ed6\\u8bf4 \\xe9'}))[0];"
        "[sys.stdout.buffer.write(written(n, item)) for n in ('sheep', 'jsonl', 'csv')]"
    )
    place = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=code.ROOT, env=os.environ | place,
        capture_output=True, check=True,
    )  # fmt: skip
    assert ran.stdout.count("他说 é".encode()) == 3
