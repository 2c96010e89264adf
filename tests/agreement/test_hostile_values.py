"""Values and names that others' data hold: in tables, figures, addresses and files."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import pytest

from agreement import figures
from agreement.compute import Overview
from agreement.question import BadQuestion, Question, groupings_of, written
from agreement.report import report
from agreement.stats import STATISTICS
from agreement.tables import csv_table, latex_table, name_of, text_table, word
from agreement.units import UnreadableFile, units_from_file, units_from_records
from tests.agreement.making import answers_of, item

VALUES = [
    *("", None, "(none)", 1, "1", True, "true", [1, "a"], {"a": 1}, 1.5, "a\rb", "two\nlines"),
    *("\x1b[31m", r"$\bar$", "cost $5 and $6", "=1+1", "@x", "_split", "x" * 3000, "羊 🐑 א"),
    *("<b>&amp;", r"\typeout{x}"),
]
NAMES = [
    *("value", "low", "statistic", "grouping", "seed", "by", "reason", "a,b", " pad ", "=cmd"),
    *("$x$", "[1]", "x\r\\typeout{INJECTED}"),
]


def units(name: str = "g"):
    answers = answers_of("A", "B"), answers_of("A", "")
    return units_from_records(
        item(f"{i}-{j}", 20, answers[j], metadata={name: value})
        for i, value in enumerate(VALUES)
        for j in range(2)
    )


def found(name: str = "g") -> dict:
    return report(units(name), [[name]], resamples=20).as_json()


@pytest.mark.parametrize("name", NAMES)
def test_a_csv_holds_every_group_and_statistic_whatever_a_field_is_called(name):
    told = found(name)
    rows = list(csv.DictReader(io.StringIO(csv_table(told), newline="")))
    assert [row["statistic"] for row in rows] == list(STATISTICS) * len(told["groups"])
    assert [json.loads(row["by"]) for row in rows[:: len(STATISTICS)]] == [
        group["by"] for group in told["groups"]
    ]
    assert all(not row[f"by.{name}"].startswith(("=", "@", "\r")) for row in rows)


@pytest.mark.parametrize("name", NAMES)
def test_latex_and_text_keep_their_lines_whatever_stands_in_them(name):
    told = found(name)
    code = latex_table(told)
    # an injected command would stand outside its comment, on a line of its own
    assert not [line for line in code.splitlines() if line.lstrip().startswith("\\typeout")]
    for text in (code, text_table(told)):
        assert all(c.isprintable() or c == "\n" for c in text)
        assert max(map(len, text.splitlines())) < 8_000
    rows = [line for line in text_table(told).splitlines() if line[:1].strip()]
    assert len(rows) > len(told["groups"])


@pytest.mark.parametrize("draw", [figures.intervals])
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_figure_draws_the_text_as_it_stands(draw, kind):
    drawn = figures.render(draw(found()), kind)
    if kind == "svg":
        text = "".join(ElementTree.fromstring(drawn).itertext())  # noqa: S314 - our own file
        assert r"$\bar$" in text and "cost $5 and $6" in text


def test_figures_of_the_contents_draw_any_value():
    overview = Overview(Question(resamples=0)).answer(
        units_from_records(
            item(str(i), 20, answers_of("A", "B"), split=text, strategy=text, prelabel=text)
            for i, text in enumerate(v for v in VALUES if isinstance(v, str) and v)
        )
    )
    drawn = (
        figures.items(overview["composition"]),
        figures.spans(overview["spans"]["strategy"]),
        figures.expected(overview["expected"], overview["labels"]),
    )
    for figure in drawn:
        ElementTree.fromstring(figures.render(figure, "svg"))  # noqa: S314 - our own file


def test_a_figure_of_many_groups_stays_of_a_size():
    many = units_from_records(
        item(str(i), 20, answers_of("A", "B"), metadata={"g": i}) for i in range(300)
    )
    told = report(many, [["g"], ["language"]], resamples=0).as_json()
    drawn = figures.intervals(told)
    assert drawn.get_size_inches()[1] < 45
    assert "The first 40 of 300 groups." in figures.render(drawn, "svg").decode()


def test_the_empty_text_null_and_the_whole_have_names_of_their_own():
    assert (name_of({}), name_of({"g": ""}), name_of({"g": None})) == ("All", '""', "(none)")
    assert word("a\x1bb") == "a\N{REPLACEMENT CHARACTER}b"
    assert len(word("x" * 3000)) == 60


@pytest.mark.parametrize("names", [["a,b"], [" pad "], ["[1]"], ["two\nlines"], ["a", "b"], ["é"]])
def test_every_name_can_be_written_into_an_address(names):
    assert groupings_of([written(names)]) == (tuple(names),)


@pytest.mark.parametrize("text", ["[", "[1]", "[]", '["a", 2]', '[""]', '["a","a"]'])
def test_a_list_of_names_that_is_none_is_refused(text):
    with pytest.raises(BadQuestion):
        groupings_of([text])


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ({"annotator": "x", "span": []}, "[0].span: unknown field: did you mean 'spans'?"),
        ({"annotator": "x"}, "annotations[0].spans: must be a list"),
        ({"annotator": "x", "spans": None}, "annotations[0].spans: must be a list"),
        (
            {"annotator": "x", "spans": [], "no_hallucination": False},
            "annotations[0].no_hallucination: is false, and there are no spans",
        ),
        (
            {
                "annotator": "x",
                "spans": [{"start": 0, "end": 1, "label": "A"}],
                "no_hallucination": True,
            },
            "annotations[0].no_hallucination: is true, and there are spans",
        ),
    ],
)
def test_a_file_whose_annotations_say_something_else_is_refused(tmp_path, annotation, message):
    path = tmp_path / "items.jsonl"
    row = {"key": "a", "language": "en", "response": "Sheep.", "annotations": [annotation]}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(UnreadableFile) as refused:
        units_from_file(path)
    assert message in str(refused.value)


def test_offsets_of_any_size_are_cut_to_the_text(tmp_path):
    path = tmp_path / "items.jsonl"
    spans = [{"start": -(10**30), "end": 10**30, "label": "A"}]
    annotations = [{"annotator": name, "spans": spans} for name in "xy"]
    row = {"key": "a", "language": "en", "response": "Sheep.", "annotations": annotations}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    told = units_from_file(path)
    assert (told.starts.tolist(), told.ends.tolist()) == ([0, 0], [6, 6])
