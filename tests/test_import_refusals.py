"""Bad files: each fault is named with its place, and the database stays as it was."""

from __future__ import annotations

import json

import pytest

from annotation.actions.places import claim
from annotation.models import Item
from tests.files import everything, jsonl, load, row, sheep_row

CASES = [
    ({"answer": "x"}, "answer: unknown field"),
    ({"response": 5}, "response: must be a text"),
    ({"response": ""}, "response: is empty"),
    ({"language": "xx"}, "language: unknown language 'xx'"),
    ({"response": "a\0b"}, "response: holds the character NUL"),
    ({"metadata": {"deep": ["\0"]}}, "metadata.deep: holds the character NUL"),
    ({"metadata": {"deep": {"er": "\ud83d"}}}, "metadata.deep.er: holds half a character"),
    ({"image_name": "../../settings.py"}, "image_name: '../../settings.py' leads out"),
    ({"image_name": "a/../../b.png"}, "image_name: 'a/../../b.png' leads out"),
    ({"image_name": "/etc/passwd"}, "image_name: '/etc/passwd' leads out"),
    ({"state": "gone"}, "state: 'gone' is none of"),
]
ANNOTATED = [
    ("0:99|A", "99 is past the end"),
    ("0:3;1:4|A;A", "overlaps span 1"),
    ("0:3|A;B", "1 offset pairs but 2 labels"),
    ("0:3|Z", "Unknown label 'Z'"),
    ("3:3|A", "the span is empty"),
    ("x:3|A", "not START:END"),
]


@pytest.mark.parametrize(("fields", "reason"), CASES)
def test_a_bad_row_is_named_by_file_line_and_field_and_refuses_the_file(
    project, tmp_path, fields, reason
):
    path = tmp_path / "items.jsonl"
    bad = json.dumps(row("b", **fields))
    path.write_text(json.dumps(row("a")) + "\n\n" + bad + "\n", encoding="utf-8")
    before = everything()
    code, out, err = load(path)
    assert code == 1
    assert f"{path}:3: {reason}" in err
    assert out == "new 0, same 0, changed 0, refused 1\n"
    assert everything() == before


@pytest.mark.parametrize(("raw", "reason"), ANNOTATED)
def test_a_bad_annotation_is_refused(project, tmp_path, raw, reason):
    path = jsonl(tmp_path / "s.jsonl", sheep_row(raw_annots={"p": raw}))
    code, _, err = load(path, "--with-annotations")
    assert code == 1
    assert f"{path}:1: raw_annots.p" in err
    assert reason in err
    assert not Item.objects.exists()


def test_a_missing_key_is_named_with_its_line_and_nothing_passes_for_success(project, tmp_path):
    """AppraiseDev/Appraise#107: ``answer`` in place of ``response``."""
    rows = [{"key": str(i), "language": "en", "answer": "x"} for i in range(3)]
    path = jsonl(tmp_path / "items.jsonl", *rows)
    code, out, err = load(path, "--partial")
    assert code == 1
    assert [f"{path}:{line}: " in err for line in (1, 2, 3)] == [True] * 3
    assert out == "new 0, same 0, changed 0, refused 3\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "1: file: the file is empty"),
        (b"\xef\xbb\xbf\n\n", "1: file: the file is empty"),
        ('{"key": "a"}'.encode("utf-16"), "1: file: is UTF-16"),
        (b"PK\x03\x04\n\0", "1: file: is a zip: give a zip of pictures as the pictures"),
        (
            b"\xd0\xcf\x11\xe0\0",
            "1: file: is a file of a spreadsheet program: save the table as CSV",
        ),
        (b'{"key": "a",}', "1: json: broken JSON at column"),
        (b'{"key": "\xff"}', "1: file: is not UTF-8"),
        (b"[1]", "1: json: each line holds one object"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(project, tmp_path, content, reason):
    path = tmp_path / "items.jsonl"
    path.write_bytes(content)
    code, _, err = load(path)
    assert code == 1
    assert f"{path}:{reason}" in err
    assert not Item.objects.exists()


@pytest.mark.parametrize("name", ["Items.XLSX", "items.ods"])
def test_a_spreadsheets_own_file_is_refused_with_what_to_save_it_as(project, tmp_path, name):
    (tmp_path / name).write_bytes(b"PK\x03\x04\x14\0")
    code, _, err = load(tmp_path / name)
    assert code == 1 and "1: file: is a file of a spreadsheet program: save the table as CSV" in err


def test_refusals_stand_in_the_order_of_the_lines_whatever_found_them(project, tmp_path):
    bad = row("d", language="xx")
    rows = [row("a", image_name="none.png"), row("b", language="xx"), row("c", image_name="no.png")]
    (tmp_path / "pictures").mkdir()
    path = jsonl(tmp_path / "items.jsonl", *rows, bad)
    code, _, err = load(path, "--images", tmp_path / "pictures", "--dry-run")
    assert code == 1
    assert [line.split(":")[1] for line in err.splitlines()[:4]] == ["1", "2", "3", "4"]


def test_a_check_says_where_the_import_itself_would_write_nothing(project, tmp_path):
    told = "The import would write nothing"
    path = jsonl(tmp_path / "items.jsonl", row("a"), row("b", language="xx"))
    code, out, err = load(path, "--dry-run")
    assert (code, out) == (1, "new 1, same 0, changed 0, refused 1\n") and told in err
    for words in (["--dry-run", "--partial"], ["--partial"]):
        assert told not in load(path, *words)[2]


def test_metadata_nested_without_end_is_refused_by_line(project, tmp_path):
    deep: object = 1
    for _ in range(200):
        deep = [deep]
    path = jsonl(tmp_path / "items.jsonl", row("a", metadata={"deep": deep}))
    code, _, err = load(path)
    assert code == 1
    assert f"{path}:1: metadata.deep: is nested more than 50 levels deep" in err


def test_a_key_that_stands_twice_in_the_file_is_refused(project, tmp_path):
    path = jsonl(tmp_path / "items.jsonl", row("a"), row("b"), row("a", response="Other."))
    code, _, err = load(path)
    assert code == 1
    assert f"{path}:3: key: 'a' stands in line 1 already" in err
    assert not Item.objects.exists()


def test_a_broken_line_far_down_leaves_nothing_of_the_file(project, tmp_path):
    """doccano/doccano#1292: all or nothing, however long the file is."""
    path = jsonl(tmp_path / "items.jsonl", *(row(str(i)) for i in range(3000)))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"key": \n')
    code, _, err = load(path)
    assert code == 1
    assert f"{path}:3001: json: broken JSON" in err
    assert not Item.objects.exists()


def test_partial_keeps_the_good_rows_and_still_exits_with_1(project, tmp_path):
    path = jsonl(tmp_path / "items.jsonl", row("a"), row("b", language="xx"), row("c"))
    code, out, err = load(path, "--partial")
    assert (code, out) == (1, "new 2, same 0, changed 0, refused 1\n")
    assert f"{path}:2: language" in err
    assert list(Item.objects.order_by("pk").values_list("key", flat=True)) == ["a", "c"]


def test_unknown_names_on_the_command_line_are_said(project, tmp_path):
    path = jsonl(tmp_path / "items.jsonl", row())
    assert "There is no project 'nowhere'" in load(path, slug="nowhere")[2]
    assert "cannot be read" in load(tmp_path / "missing.jsonl")[2]
    assert "Unknown format 'xml': known are sheep, jsonl, csv" in load(path, "--format", "xml")[2]
    assert "no folder or zip" in load(path, "--images", tmp_path / "none.zip")[2]
    assert not Item.objects.exists()


def test_what_people_judged_by_never_changes_under_their_annotations(project, annotator, tmp_path):
    """doccano/doccano#435, #2257: a corrected file must not move the text under the spans."""
    load(jsonl(tmp_path / "1.jsonl", row("a")))
    claim(annotator, "flock")
    before = everything()
    for field in ("response", "question", "context", "image_name"):
        code, _, err = load(jsonl(tmp_path / "2.jsonl", row("a", **{field: "Other."})))
        assert code == 1
        assert f"{field}: differs from the stored one, and people have annotated" in err
    assert everything() == before


def test_a_different_answer_of_an_annotator_the_item_has_is_refused(project, tmp_path):
    first = sheep_row(raw_annots={"p": "0:3|A"})
    load(jsonl(tmp_path / "1.jsonl", first), "--with-annotations")
    before = everything()
    second = sheep_row(raw_annots={"p": "0:4|A", "q": "|"})
    code, _, err = load(jsonl(tmp_path / "2.jsonl", second), "--with-annotations")
    assert code == 1
    assert "1: annotations.p: this annotator has a different answer" in err
    assert everything() == before
