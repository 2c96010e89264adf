"""What no file may bring: each refusal names the file, the line, the field and the mend."""

from __future__ import annotations

import codecs
import json
import re

import pytest

from annotation.formats import READABLE, Rules
from tests.format_rows import JSONL, SHEEP, lines, read, refused

HEADER = b"key,language,response\n"
SEPARATED = "header: its cells are separated by {}: save the table with commas between its cells"


@pytest.mark.parametrize("content", [b"", b"\n", b"\r\n\n", codecs.BOM_UTF8])
@pytest.mark.parametrize("name", READABLE)
def test_an_empty_file_is_refused(name, content):  # BR-38
    assert refused(name, content) == ["f:1: file: the file is empty: there is nothing to import"]


@pytest.mark.parametrize("content", [b"[]", b"[ ]\n"])
def test_an_empty_list_is_refused(content):
    assert "the file is empty" in refused("jsonl", content)[0]


def test_a_table_with_a_header_alone_is_refused():
    assert "the file is empty" in refused("csv", HEADER)[0]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", READABLE)
def test_utf_16_is_refused_by_name(name, encoding):
    (refusal,) = refused(name, lines(JSONL).decode().encode(encoding))
    assert refusal == "f:1: file: is UTF-16 or binary: save it as UTF-8"


def test_bytes_that_are_not_utf_8_are_refused_in_their_line():
    content = lines(JSONL) + b'{"key": "\xe9"}\n' + lines(JSONL | {"key": "a-3"})
    rows = read("jsonl", content)
    assert str(rows[1]) == "f:2: file: is not UTF-8 (byte 10 of this line)"
    assert rows[2][0] == 3


@pytest.mark.parametrize("name", ["sheep", "jsonl"])
def test_broken_json_is_refused_with_line_and_column(name):
    content = lines(SHEEP if name == "sheep" else JSONL) + b'{"id": "x",}\n'
    (refusal,) = refused(name, content)
    assert refusal.startswith("f:2: json: broken JSON at column 12")


def test_a_broken_list_is_refused_with_its_line():
    (refusal,) = refused("jsonl", b'\n[\n{"key": "a"},\n{"key" "b"}]')
    assert refusal.startswith("f:4: json: broken JSON at column 8")
    assert refused("jsonl", b'[\n{"key": "\xff"}]')[0].startswith("f:2: file: is not UTF-8")


@pytest.mark.parametrize("value", ['"text"', "1", "null", "true"])
def test_a_line_that_is_no_object_is_refused(value):
    assert "each line holds one object" in refused("jsonl", value.encode())[0]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_without_a_value_are_refused(number):
    row = json.dumps(JSONL)[:-1] + f', "metadata": {{"x": [{number}]}}}}'
    assert len(refused("jsonl", row.encode())) == 1


def test_a_number_too_long_and_a_nesting_too_deep_are_refused():
    start = '{"key": "a", "metadata": {"x": '
    for value, reason in (
        ("9" * 5000 + "}}", "a number with more than 4300 digits at column 32"),
        ("[" * 100_000, "too many brackets stand inside one another"),
    ):
        assert refused("jsonl", (start + value).encode()) == [f"f:1: json: {reason}"]


def test_a_long_number_inside_a_text_is_not_the_one_that_is_named():
    content = '{"key": "' + "1" * 5000 + '", "n": ' + "9" * 5000 + "}"
    assert refused("jsonl", content.encode())[0].endswith("digits at column 5018")


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ('{"a": "x\ty"}', 9, "holds a line end, tab or control"),
        ('{"a" 1}', 6, "a colon is missing"),
        ('{"a": 1 "b": 2}', 9, "a comma is missing"),
        ("{a: 1}", 2, "a name in double quotes is missing"),
        ('{"a": }', 7, "a value is missing"),
        ('{"a": 1} x', 10, "more here after the value's end"),
        ('{"a": "x', 7, "no closing quote"),
        ('{"a": "\\q"}', 8, "a backslash before this character"),
        ('{"a": "\\u12"}', 9, "four hexadecimal digits"),
    ],
)
def test_broken_json_is_explained_at_its_column_and_never_in_the_parsers_words(
    text, column, reason
):
    (refusal,) = refused("jsonl", text.encode())
    assert refusal.startswith(f"f:1: json: broken JSON at column {column}: ") and reason in refusal
    assert not re.search("Expecting|Invalid|Extra data|Unterminated|delimiter|char ", refusal)


def test_a_key_that_stands_twice_in_an_object_is_refused():
    row = b'{"key": "a", "language": "fr", "response": "x", "metadata": {"b": 1, "b": 1}}'
    assert refused("jsonl", row) == ["f:1: b: this field stands twice in one object"]


@pytest.mark.parametrize(
    ("name", "row", "field"), [("sheep", SHEEP, "id"), ("jsonl", JSONL, "key")]
)
def test_an_item_that_comes_twice_names_both_lines(name, row, field):
    content = b"\n" + lines(row, row | {field: "b"}, row)
    assert refused(name, content) == [f"f:4: {field}: 'a-1' stands in line 2 already"]


def test_an_item_that_comes_twice_in_a_table_names_both_lines():
    content = HEADER + b'a,fr,"x\ny"\na,fr,z\n'
    assert refused("csv", content) == ["f:4: key: 'a' stands in line 2 already"]


@pytest.mark.parametrize(
    ("name", "key", "hint"),
    [
        ("sheep", "answer", "response"),
        ("sheep", "Response", "response"),
        ("sheep", "comment", "comments"),
        ("jsonl", "answer", "response"),
        ("jsonl", "prompt", "question"),
        ("jsonl", "raw_annots", "annotations"),
        ("jsonl", "lang", "language"),
    ],
)
def test_an_unknown_key_is_named_with_the_one_it_may_mean(name, key, hint):  # BR-38
    row = {"id" if name == "sheep" else "key": "a", "language": "fr", key: "x"}
    assert refused(name, lines(row)) == [f"f:1: {key}: unknown field: did you mean '{hint}'?"]


def test_an_unknown_key_like_no_other_lists_the_known_ones():
    (refusal,) = refused("sheep", lines(SHEEP | {"zzz": 1}))
    assert refusal.startswith("f:1: zzz: unknown field; known are id, split")


@pytest.mark.parametrize("key", ["id", "language", "response"])
def test_a_missing_key_is_named_with_its_line(key):  # BR-38
    row = {k: v for k, v in SHEEP.items() if k != key}
    assert refused("sheep", lines(SHEEP, row)) == [f"f:2: {key}: this field is missing"]


def test_five_lines_of_unknown_languages_are_five_refusals():  # BR-38
    content = lines(*(JSONL | {"key": str(i)} for i in range(5)))
    found = refused("jsonl", content, Rules(languages=("de", "zh")))
    assert len(found) == 5
    told = "unknown language 'fr': this project has de, zh (Settings take more)"
    assert found[4] == f"f:5: language: {told}"


WRONG = [
    ("id", 7, "must be a text, not a number"),
    ("id", None, "must be a text, not null"),
    ("id", True, "must be a text, not true or false"),
    ("id", "", "is empty"),
    ("id", "x" * 401, "is longer than 400 characters"),
    ("language", "", "is empty"),
    ("language", "x" * 36, "is longer than 35 characters"),
    ("response", "", "is empty"),
    ("response", " \n", "has nothing that can be seen"),
    ("response", "\u200b\ufeff", "has nothing that can be seen"),
    ("response", ["x"], "must be a text, not a list"),
    ("prompt", 1.5, "must be a text or null, not a number"),
    ("split", {}, "must be a text or null, not an object"),
    ("comments", [], "must be an object, not a list"),
    ("raw_annots", "|", "must be an object, not a text"),
    ("metadata", 0, "must be an object, not a number"),
]


@pytest.mark.parametrize(("field", "value", "reason"), WRONG)
def test_a_value_of_the_wrong_type_or_size_is_refused(field, value, reason):
    assert refused("sheep", lines(SHEEP | {field: value})) == [f"f:1: {field}: {reason}"]


@pytest.mark.parametrize("field", ["annotations", "expectation", "metadata"])
@pytest.mark.parametrize("value", ["", 0, False])
def test_an_empty_value_of_the_wrong_type_is_refused_too(field, value):
    assert len(refused("jsonl", lines(JSONL | {field: value}))) == 1


@pytest.mark.parametrize("character", ["\\u0000", "\\ud83d", "\\udc00"])
@pytest.mark.parametrize(
    "part",
    [
        '"question": "CHAR"',
        '"metadata": {"CHAR": 1}',
        '"metadata": {"deep": [{"x": "CHAR"}]}',
        '"expectation": {"label": "CHAR"}',
        '"annotations": [{"annotator": "CHAR", "no_hallucination": true}]',
        '"CHAR": 1',
    ],
)
def test_nul_and_half_characters_are_refused_wherever_they_stand(part, character):
    start = json.dumps(JSONL)[:-1]
    row = f"{start}, {part.replace('CHAR', character)}}}"
    for content in (row, f"[{row}]"):
        (refusal,) = refused("jsonl", content.encode())
        assert "NUL" in refusal or "half a character" in refusal


def test_nul_is_refused_in_a_table():
    assert len(refused("csv", HEADER + b"a,fr,x\x00y\n")) == 1


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd", "../x.jpg", "a/../x.jpg", "a//x.jpg", "./x.jpg", "a/", "a\\x.jpg",
        "C:/x.jpg", "x\n.jpg", "x\x7f.jpg", "..", "é" * 401,
    ],
)  # fmt: skip
def test_a_picture_outside_its_folder_is_refused(name):
    (refusal,) = refused("sheep", lines(SHEEP | {"image_name": name}))
    assert refusal.startswith("f:1: image_name: ")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"key,language,response,key\n", "f:1: header: column 'key' stands twice"),
        (b"key,language,response,x,x\n", "f:1: header: column 'x' stands twice"),
        (b"key,language,response,\n", "f:1: header: column 4 has no name"),
        (b"key,language,answer\na,fr,x\n", "f:1: response: this field is missing"),
        (b"key;language;response\na;fr;x\n", f"f:1: {SEPARATED.format('semicolons')}"),
        (b'\n"key";"language"\n', f"f:2: {SEPARATED.format('semicolons')}"),
        (b"key\tlanguage\tresponse\n", f"f:1: {SEPARATED.format('tabs')}"),
        (b"key;language,response\n", "f:1: key: this field is missing"),
        (HEADER + b"a,fr\n", "f:2: csv: 2 cells under 3 columns"),
        (HEADER + b"a,fr,x,y\n", "f:2: csv: 4 cells under 3 columns"),
        (
            HEADER + b'a,fr,"x\n',
            "f:2: csv: a quoted cell is not closed before the file ends",
        ),
        (
            HEADER + b"a,fr,x\ry\n",
            "f:2: csv: a cell with a carriage return needs quotes around it",
        ),
        (HEADER + b"a,fr,\n", "f:2: response: is empty"),
        (HEADER + b'a,fr," \n"\n', "f:2: response: has nothing that can be seen"),
    ],
)
def test_a_broken_table_is_refused(content, reason):
    assert refused("csv", content) == [reason]


def test_a_refused_row_leaves_the_others_standing():
    rows = read("csv", HEADER + b"a,fr,x\n,fr,y\nc,fr,z\n")
    assert [row[0] for row in rows if isinstance(row, tuple)] == [2, 4]
