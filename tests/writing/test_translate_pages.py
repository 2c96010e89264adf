"""Translations: lists, matrix, import, report, and the post-editing page before its scripts."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from tests import factories
from tests.writing import making
from writing.actions import holding, review, samples
from writing.actions.translations import import_translations
from writing.models import Sample
from writing.selectors import translations as reads

FRENCH = "Deux moutons blancs sont sur une colline."
PAGES = "/p/flock/translations/"
MATRIX = "/p/flock/samples/translations/"


@pytest.fixture
def root(writer, coordinator, brief):
    return making.accepted(writer, coordinator, brief)


@pytest.fixture
def task(project, root):
    row = {"sample": root.key, "language": "fr", "text": FRENCH}
    import_translations(None, project, making.lines(row), "mt.jsonl")
    return Sample.objects.get(root=root)


def sent(other, task, text=FRENCH, **fields):
    fields = {"spans": ((0, 4),), "question": "Quoi ?"} | fields
    return samples.submit(other, task.pk, making.content(text, None, **fields), task.version).sample


def upload(*rows, name="mt.jsonl"):
    return SimpleUploadedFile(name, making.lines(*rows).read())


def test_a_post_editor_sees_free_translations_of_their_languages_and_their_own(
    writer, other, coordinator, task, page_as
):
    assert "What is there?" in (page := page_as(other).get(PAGES).text) and "Begin" in page
    assert "Two white sheep stand" not in page, "they may still be asked to annotate it"
    assert "What is there?" not in page_as(writer).get(PAGES).text
    mine = sent(other, task)
    page = page_as(other).get(PAGES).text
    assert "Two white sheep stand" in page
    assert "Submitted" in page and "Read" in page and "Begin" not in page
    review.send_back(coordinator, mine.pk, "Mark <more>.")
    page = page_as(other).get(PAGES).text
    assert "Mark &lt;more&gt;." in page and "Go on" in page
    assert page_as(coordinator).get(PAGES)["Location"] == MATRIX


def test_the_next_one_is_ones_own_and_then_a_free_one(project, other, task, page_as):
    page = page_as(other)
    assert page.get(PAGES + "next/").status_code == 405
    assert page.post(PAGES + "next/")["Location"] == f"{PAGES}{task.pk}/"
    assert Sample.objects.get(pk=task.pk).writer.user == other
    assert page.post(PAGES + "next/")["Location"] == f"{PAGES}{task.pk}/"
    sent(other, Sample.objects.get(pk=task.pk))
    assert page.post(PAGES + "next/")["Location"] == PAGES


def test_the_page_is_for_whoever_may_edit_it(
    project, writer, other, coordinator, root, task, stranger, page_as
):
    third = factories.join(project, "third", "writer", ("fr",))
    address = f"{PAGES}{task.pk}/"
    got = {who: page_as(who).get(address).status_code for who in (other, third)}
    assert set(got.values()) == {200}
    assert page_as(writer).get(address).status_code == 404
    assert page_as(coordinator).get(address).status_code == 404
    assert making.TEXT not in page_as(other).get(address).text, "nobody has begun it"
    assert page_as(stranger).get(address).status_code == 404
    samples.save(third, task.pk, making.content("Deux", None, spans=()), task.version)
    assert page_as(other).get(address).status_code == 404
    assert page_as(writer).get(f"{PAGES}{root.pk}/").status_code == 404, "no translation"
    assert page_as(third).post(address).status_code == 405


def test_the_page_carries_source_machine_and_question(other, task, page_as):
    holding.begin(other, task.pk)
    reply = page_as(other).get(f"{PAGES}{task.pk}/")
    found = re.search(r'id="label-settings" type="application/json">(.*?)</script>', reply.text)
    settings = json.loads(found[1])
    assert settings["machine"] == settings["sample"]["text"] == FRENCH
    assert settings["sample"]["version"] == task.version
    assert '<mark class="error-1">' in reply.text and "A <bdi>Invention</bdi>" in reply.text
    assert "What is there?" in reply.text and 'lang="fr"' in reply.text
    assert reply["Cache-Control"].startswith("max-age=0")


@pytest.mark.parametrize("state", ["submitted", "accepted", "published"])
def test_what_was_sent_can_only_be_read(other, coordinator, task, page_as, state):
    sent(other, task)
    if state != "submitted":
        review.accept(coordinator, task.pk)
    if state == "published":
        review.publish(coordinator, task.pk)
    text = page_as(other).get(f"{PAGES}{task.pk}/").text
    assert "it can only be read" in text and "readonly" in text


def test_the_matrix_counts_every_source_once(project, other, coordinator, root, task):
    cell = reads.matrix(project)["en"]["fr"]
    assert (cell.wanted, cell.free, cell.missing, cell.done) == (1, 1, 0, 0)
    mine = sent(other, task)
    assert reads.matrix(project)["en"]["fr"] == reads.Cell(wanted=1, sent=1)
    review.accept(coordinator, mine.pk)
    review.publish(coordinator, mine.pk)
    review.revise(coordinator, mine.pk)
    assert reads.matrix(project)["en"]["fr"] == reads.Cell(wanted=1, done=1)
    assert reads.matrix(project)["fr"]["en"].wanted == 0


def test_an_impossible_one_and_a_missing_one_are_told_apart(project, other, coordinator, root):
    assert reads.matrix(project)["en"]["fr"].missing == 1
    task = making.tasks_of(project, root)["fr"]
    samples.save(other, task.pk, making.content("D", None, spans=()), 0)
    assert reads.matrix(project)["en"]["fr"].working == 1
    sent(other, Sample.objects.get(pk=task.pk), "", spans=(), untranslatable="A pun.")
    review.accept(coordinator, task.pk)
    assert reads.matrix(project)["en"]["fr"] == reads.Cell(wanted=1, impossible=1)


def test_the_report_is_means_over_the_machines_texts(project, writer, other, coordinator, task):
    assert reads.report(project) == []
    sent(other, task, FRENCH.replace("blancs", "noirs"))
    text = "Another sample that is quite different."
    second = making.accepted(writer, coordinator, making.make_brief(project, "two"), text=text)
    row = {"sample": second.key, "language": "fr", "text": "Un autre exemple."}
    import_translations(None, project, making.lines(row), "mt.jsonl")
    sent(other, Sample.objects.get(root=second), "Un autre exemple.")
    [found] = reads.report(project)
    assert (found.source, found.target, found.number, found.untouched) == ("en", "fr", 2, 0.5)
    assert found.characters == pytest.approx(5 / len(FRENCH) / 2)
    assert found.words == pytest.approx(1 / 7 / 2)


def test_the_report_as_csv_and_on_the_page(other, coordinator, task, page_as):
    sent(other, task, FRENCH.replace("blancs", "noirs"))
    reply = page_as(coordinator).get("/p/flock/samples/translations.csv")
    rows = list(csv.DictReader(StringIO(reply.text)))
    assert [(row["source"], row["number"], row["word_edit_rate"]) for row in rows] == [
        ("en", "1", "0.142857")
    ]
    assert "0.143" in page_as(coordinator).get(MATRIX).text
    assert page_as(other).get("/p/flock/samples/translations.csv").status_code == 403


def test_the_pages_take_a_constant_number_of_queries(
    project, writer, other, coordinator, page_as, django_assert_max_num_queries
):
    for n in range(6):
        text = f"{n} quite another text stands here. " * (n + 1)
        making.accepted(writer, coordinator, making.make_brief(project, f"b{n}"), text=text)
    assert page_as(coordinator).post(MATRIX, {"do": "make"}).status_code == 302
    assert Sample.objects.filter(language="fr").count() == 6
    editor, leader = page_as(other), page_as(coordinator)
    with django_assert_max_num_queries(8):
        editor.get(PAGES)
    with django_assert_max_num_queries(9):
        leader.get(MATRIX)
    holding.begin(other, Sample.objects.filter(language="fr").first().pk)
    with django_assert_max_num_queries(8):
        editor.get(f"{PAGES}{Sample.objects.filter(language='fr').first().pk}/")


def test_a_file_is_imported_on_the_page(coordinator, root, page_as):
    row = {"sample": root.key, "language": "fr", "text": FRENCH}
    page = page_as(coordinator)
    assert page.post(MATRIX, {"file": upload(row)}).status_code == 302
    assert "1 new" in page.get(MATRIX).text
    bad = upload(row, row | {"sample": "sample-0"}, row | {"language": "x"})
    reply = page.post(MATRIX, {"file": bad, "partial": "on"})
    assert reply.status_code == 422 and "The good rows were kept" in reply.text
    assert "no accepted sample" in reply.text and "mt.jsonl" not in reply.text
    reply = page.post(MATRIX, {})
    assert reply.status_code == 422 and "Choose a file first." in reply.text


def run(*arguments) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("import_translations", *arguments, stdout=out, stderr=err, no_color=True)
    except SystemExit as stopped:
        return int(stopped.code), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def test_the_command_names_file_line_field_and_reason(root, tmp_path):
    path = tmp_path / "mt.jsonl"
    row = {"sample": root.key, "language": "fr", "text": FRENCH}
    path.write_bytes(making.lines(row, row | {"language": "de"}).read())
    code, out, err = run("flock", str(path))
    assert (code, out) == (1, "new 0, same 0, refused 1\n")
    assert err.startswith(f"{path}:2: language: 'de' is no language of this project: en, fr\n")
    assert run("flock", str(path), "--partial")[:2] == (1, "new 1, same 0, refused 1\n")
    path.write_bytes(making.lines(row).read())
    assert run("flock", str(path)) == (0, "new 0, same 1, refused 0\n", "")


def test_the_command_says_what_is_missing(project, tmp_path):
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        run("nowhere", "mt.jsonl")
    with pytest.raises(CommandError, match="cannot be read"):
        run("flock", str(tmp_path / "none.jsonl"))
