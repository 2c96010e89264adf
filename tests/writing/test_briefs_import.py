"""Briefs from files and from the project's items, by command."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests import factories, pages
from tests.writing import making
from writing.actions import samples
from writing.models import Brief

ROWS = [
    {"key": "b-1", "language": "en", "question": "What is there?", "answer": "A hill."},
    {"key": "b-2", "language": "fr", "question": "Et là ?\nQuoi ?", "context": "Une colline."},
    {"key": "b-3", "language": "en", "question": "", "context": "x", "shared": True},
]


def run(path, **options):
    """What the command says on standard output and on standard error, and its exit code."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    try:
        call_command("import_briefs", "flock", str(path), stdout=out, stderr=err, **options)
    except SystemExit as stop:
        code = stop.code
    return out.getvalue().strip(), err.getvalue(), code


def file(folder, name, *rows):
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def table(folder, text):
    path = folder / "briefs.csv"
    path.write_bytes(text.encode())
    return path


def stored():
    names = ("key", "language", "question", "context", "context_format", "answer", "shared")
    return list(Brief.objects.order_by("key").values_list(*names))


def test_the_same_file_twice_changes_nothing(project, tmp_path):
    path = file(tmp_path, "briefs.jsonl", *ROWS)
    assert run(path) == ("new 3, same 0, changed 0, refused 0", "", 0)
    before = stored()
    assert run(path) == ("new 0, same 3, changed 0, refused 0", "", 0)
    assert stored() == before
    assert before[1] == ("b-2", "fr", "Et là ?\nQuoi ?", "Une colline.", "plain", "", False)


def test_a_table_gives_the_same_briefs_as_lines_of_json(project, tmp_path):
    text = (
        "\ufeffkey,language,question,context,answer,shared\r\n"
        'b-1,en,What is there?,,"A hill.",\r\n'
        'b-2,fr,"Et là ?\nQuoi ?",Une colline.,,false\r\n'
        "b-3,en,,x,,TRUE\r\n"
    )
    assert run(table(tmp_path, text)) == ("new 3, same 0, changed 0, refused 0", "", 0)
    assert run(file(tmp_path, "briefs.jsonl", *ROWS))[0].startswith("new 0, same 3, changed 0")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "1: file: the file is empty"),
        ("key,language\n", "1: question: this field is missing"),
        ("key,language,question,colour\n", "1: colour: unknown field"),
        ("key,language,question\nb,en\n", "2: csv: 2 cells under 3 columns"),
        ("key,language,question\nb,en,x\nb,en,y\n", "3: key: 'b' stands in line 2 already"),
        ("key,language,question\n,en,x\n", "2: key: is empty"),
        ("key,language,question\nb,de,x\n", "2: language: 'de' is no language"),
        ("key,language,question,shared\nb,en,x,yes\n", "2: shared: is true or false"),
        ("key,language,question,image_name\nb,en,x,no.png\n", "2: image_name: the project has"),
        ("key,language,question,writer\nb,en,x,ghost\n", "2: writer: no writer of this project"),
        ("key,language,question\nb,en,x\x00\n", "2: question: holds the character NUL"),
        ('key,language,question\nb,en,"x\n', "csv: "),
    ],
)
def test_a_bad_table_is_refused_with_line_field_and_reason(project, tmp_path, text, reason):
    path = table(tmp_path, text)
    out, err, code = run(path)
    assert code == 1 and not Brief.objects.exists()
    assert f"{path}:" in err and reason in err and "Nothing was imported" in err


def test_partial_keeps_the_good_rows(project, tmp_path):
    rows = [ROWS[0], ROWS[1] | {"language": "de"}, ROWS[2] | {"shared": "yes"}]
    path = file(tmp_path, "briefs.jsonl", *rows)
    out, err, code = run(path, partial=True)
    assert (out, code) == ("new 1, same 0, changed 0, refused 2", 1)
    assert f"{path}:2: language:" in err and f"{path}:3: shared:" in err
    assert [brief.key for brief in Brief.objects.all()] == ["b-1"]


def test_a_brief_that_somebody_began_stays_as_it_is(project, writer, tmp_path):
    path = file(tmp_path, "briefs.jsonl", *ROWS)
    run(path)
    samples.start(writer, Brief.objects.get(key="b-1").pk)
    assert run(path) == ("new 0, same 3, changed 0, refused 0", "", 0)
    out, err, code = run(file(tmp_path, "other.jsonl", ROWS[0] | {"question": "Why?"}))
    assert code == 1 and "this brief has a sample" in err
    assert Brief.objects.get(key="b-1").question == "What is there?"


def test_a_row_without_a_writer_takes_no_brief_away(project, writer, tmp_path):
    run(file(tmp_path, "briefs.jsonl", ROWS[0] | {"writer": "writer"}))
    assert run(file(tmp_path, "again.jsonl", ROWS[0]))[0].startswith("new 0, same 1")
    brief = Brief.objects.get(key="b-1")
    assert str(brief.writer) == "writer" and brief.given
    out, err, code = run(file(tmp_path, "shared.jsonl", ROWS[0] | {"shared": True}))
    assert code == 1 and "shared: this brief has a writer" in err


def test_a_file_or_a_project_that_is_not_there_is_said(project, tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        run(tmp_path / "none.jsonl")
    with pytest.raises(CommandError, match="There is no project"):
        call_command("import_briefs", "nowhere", str(file(tmp_path, "a.jsonl", ROWS[0])))


def draw(**options):
    out = io.StringIO()
    call_command("draw_briefs", "flock", language="en", stdout=out, **options)
    return out.getvalue().strip()


@pytest.fixture
def pool(project, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    image = pages.picture(project)
    for n in range(6):
        factories.make_item(project, f"item-{n}", image=image, question=f"Question {n}?")
    factories.make_item(project, "twin", image=image, question="Question 0?")
    factories.make_item(project, "bare", question="No picture?")
    factories.make_item(project, "waits", question="Later?", image_name="later.png", context="x")
    factories.make_item(project, "own", image=image, question="Own?", strategy="human")
    return image


def test_drawing_is_random_repeatable_and_never_twice_the_same(project, pool):
    assert draw(count=3, seed=7) == "drawn 3"
    first = list(Brief.objects.order_by("key").values_list("key", "question", "image"))
    Brief.objects.all().delete()
    draw(count=3, seed=7)
    assert list(Brief.objects.order_by("key").values_list("key", "question", "image")) == first
    draw(count=3, seed=7, shared=True)
    questions = list(Brief.objects.values_list("question", flat=True))
    assert sorted(questions) == [f"Question {n}?" for n in range(6)]
    assert Brief.objects.filter(shared=True).count() == 3
    with pytest.raises(CommandError, match="Only 0 questions"):
        draw(count=1)


def test_a_question_that_changed_after_the_draw_gives_no_second_brief(project, pool):
    draw(count=6)
    project.items.update(question="Another question?")
    with pytest.raises(CommandError, match="Only"):
        draw(count=2)


@pytest.mark.parametrize(
    ("options", "reason"), [({"count": 0}, "at least one"), ({"count": 9}, "Only 6")]
)
def test_too_few_or_too_many_are_refused(project, pool, options, reason):
    with pytest.raises(CommandError, match=reason):
        draw(**options)
    assert not Brief.objects.exists()


def test_an_unknown_language_is_refused(project):
    with pytest.raises(CommandError, match="no language"):
        call_command("draw_briefs", "flock", language="de")


def test_long_keys_fit(project):
    factories.make_item(project, "k" * 400, context="A text.", context_format="plain")
    draw(count=1)
    assert len(Brief.objects.get().key) == 400
    assert making.make_brief(project).pk
