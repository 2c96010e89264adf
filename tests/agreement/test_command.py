"""``manage.py agreement``: refusals, tables and files, of a project and of a file."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agreement.stats import STATISTICS
from tests.agreement.making import needs
from tests.agreement.projects import flock
from tests.files import exported, run

ROOT = Path(__file__).resolve().parents[2]


def agreement(*words: object) -> tuple[int, str, str]:
    return run("agreement", *words)


def bare(*words: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    """In a process of its own, whose settings cannot be loaded."""
    environment = {k: v for k, v in os.environ.items() if k not in ("SECRET_KEY", "DATABASE_URL")}
    environment |= {"PUBLIC_URL": "https://sheep.example", "SHEEPFOLD_DATA": "/proc/none"}
    command = [sys.executable, str(ROOT / "manage.py"), "agreement", *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "There is no project 'nowhere', nor a file of that name."),
        (["flock", "--by", "colour"], "--by: No item has 'colour': known are language, split"),
        (["flock", "--by", "a,,b"], "--by: an empty field name in 'a,,b'"),
        (["flock", "--by", "split,split"], "--by: the same field twice in 'split,split'"),
        (["flock", "--resamples", "-1"], "--resamples: a number from 0 to 20000, not -1"),
        (["flock", "--resamples", "many"], "--resamples: a whole number, not 'many'"),
        (["flock", "--seed", "-3"], "--seed: a number from 0"),
        (["flock", "--level", "95"], "--level: a share from 0.5 to below 1, not '95'"),
        (["flock", "--interval", "normal"], "--interval: bca or percentile, not 'normal'"),
        (["flock", "--figure", "out.gif"], "--figure: the name ends in .svg, .png, .pdf"),
        (["flock", "--figure", "/no/such/folder/out.svg"], "out.svg: cannot be written: No such"),
        (["missing.jsonl"], "missing.jsonl: cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_option_and_the_mend(project, words, message):
    flock(project, 1)
    code, out, err = agreement(*words)
    assert (code, out) == (1, "")
    assert message in err


def test_a_broken_file_is_refused_by_line_and_prints_nothing(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text('{"key": "a", "language": "en", "response": "x"}\n{"key": 3}\n')
    done = bare(path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"items.jsonl:2: language: this field is missing" in done.stderr


def test_a_file_needs_neither_key_nor_folder_nor_database():
    done = bare(needs("sheep/sheep_figure_1b.jsonl"), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["groups"][0]["estimates"]
    assert found["span_iou"]["value"] == pytest.approx(0.593035, abs=5e-7)
    assert found["span_iou"]["reason"] == "a single item gives no interval"
    assert found["label_alpha_first_all"]["value"] is None


def test_a_file_of_another_format_is_refused(tmp_path):
    path = tmp_path / "items.csv"
    path.write_text("key,language,response\na,en,x\n")
    done = bare(path)
    assert done.returncode == 1
    assert b"agreement reads sheep and jsonl" in done.stderr


@pytest.mark.django_db
def test_a_project_and_its_exports_give_the_same_numbers(project, tmp_path):
    flock(project)
    code, out, _ = agreement("flock", "--by", "strategy", "--by", "strategy,language", "--json")
    assert code == 0
    for name in ("jsonl", "sheep"):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(exported("flock", name), encoding="utf-8", newline="")
        done = bare(path, "--by", "strategy", "--by", "strategy,language", "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == json.loads(out)


@pytest.mark.django_db
def test_groupings_come_one_after_the_other_and_crossed(project):
    flock(project)
    words = ["--by", "strategy", "--by", "strategy,language", "--by", "seed", "--json"]
    found = json.loads(agreement("flock", *words)[1])
    assert [group["by"] for group in found["groups"]] == [
        {},
        {"strategy": "map"},
        {"strategy": "random"},
        {"strategy": "map", "language": "en"},
        {"strategy": "map", "language": "fr"},
        {"strategy": "random", "language": "en"},
        {"strategy": "random", "language": "fr"},
        {"seed": 0},
        {"seed": 1},
        {"seed": None},
    ]
    assert all(list(group["estimates"]) == list(STATISTICS) for group in found["groups"])
    assert [found[name] for name in ("resamples", "seed", "level", "interval")] == [
        1000, 0, 0.95, "bca",
    ]  # fmt: skip


@pytest.mark.django_db
def test_the_table_says_what_it_rests_on_and_how_intervals_are_made(project):
    flock(project)
    code, out, err = agreement("flock", "--by", "strategy", "--resamples", "50", "--seed", "7")
    assert (code, err) == (0, "")
    assert out.splitlines()[1].startswith("All      4         0")
    assert "95% BCa bootstrap intervals: 50 resamples of items, seed 7." in out
    assert "Items with fewer than two annotations are left out." in out


@pytest.mark.django_db
def test_policies_choose_the_columns_of_the_table_and_never_those_of_json_and_csv(project):
    flock(project)
    plain, other = (
        agreement("flock", *words)[1]
        for words in ([], ["--labels-of", "first-position", "--empty-pairs", "leave_out"])
    )
    assert plain != other
    assert "its first position" in other and "are left out, and pairs are pooled" in other
    for kind in ("--json", "--csv"):
        first = agreement("flock", kind)[1]
        assert first == agreement("flock", kind, "--labels-of", "longest")[1]
    rows = list(csv.DictReader(io.StringIO(agreement("flock", "--csv")[1])))
    assert [row["statistic"] for row in rows] == list(STATISTICS)
    assert {row["seed"] for row in rows} == {"0"}


@pytest.mark.django_db
def test_an_empty_project_gives_reasons_and_no_numbers(project):
    code, out, _ = agreement("flock", "--json")
    whole = json.loads(out)["groups"][0]
    assert (code, whole["n_items"], whole["n_left_out"]) == (0, 0, 0)
    assert {e["value"] for e in whole["estimates"].values()} == {None}
    assert {e["reason"] for e in whole["estimates"].values()} == {"no item has two annotations"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
def test_the_figure_is_written_as_its_name_says(project, tmp_path, kind, start):
    flock(project)
    path = tmp_path / f"out.{kind}"
    assert agreement("flock", "--by", "strategy", "--figure", path)[0] == 0
    assert path.read_bytes().startswith(start)


@pytest.mark.django_db
def test_a_grouping_by_something_unique_is_refused(project, monkeypatch):
    monkeypatch.setattr("agreement.question.MOST_GROUPS", 1)
    flock(project)
    assert "--by: strategy makes 2 groups: at most 1" in agreement("flock", "--by", "strategy")[2]
