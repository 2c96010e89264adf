"""Samples as a file with their lineage, and published items in the other formats."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Participant, Project
from tests.writing import making
from writing.actions import review, samples, translations
from writing.models import Sample
from writing.selectors import exports


def export(name="samples"):
    out = io.StringIO()
    call_command("export", "flock", format=name, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def only(language="en", **asked):
    rows = [row for row in export() if row["language"] == language]
    return next(row for row in rows if all(row[k] == v for k, v in asked.items()))


@pytest.fixture
def path(project, coordinator, writer, other):
    """A root that is published and its French translation, edited and published."""
    root = making.published(writer, coordinator, making.make_brief(project), typed=30, pasted=8)
    row = {"sample": root.key, "language": "fr", "text": "Deux moutons sont sur une colline."}
    translations.import_translations(None, project, making.lines(row), "rows.jsonl")
    task = Sample.objects.get(root=root)
    text = "Deux moutons blancs sont sur une colline. 🐑\n"
    said = making.content(text=text, spans=((0, 4),), question="Que voit-on ?")
    samples.submit(other, task.pk, said, task.version)
    review.accept(coordinator, task.pk)
    review.publish(coordinator, task.pk)
    return root, Sample.objects.get(pk=task.pk)


def test_a_sample_is_a_line_with_all_that_is_known_of_it(path, writer):
    root, _ = path
    row = only()
    pseudonym = Participant.objects.get(user=writer).pseudonym
    at = row.pop("submitted_at")
    assert at == Sample.objects.get(pk=root.pk).submitted_at.isoformat()
    assert row == {
        "key": root.key, "brief": "brief-1", "language": "en", "state": "published",
        "version": root.version, "origin": "written", "label": "A", "question": "What is there?",
        "text": making.TEXT, "spans": [{"start": 0, "end": 3}], "correct": "", "edits": [],
        "writer": pseudonym, "declared": True, "typed": 30, "pasted": 8, "active_ms": 0,
        "parent": None, "root": root.key, "chain": ["en"], "replaces": None, "stale": False,
        "machine": "", "char_distance": None, "word_distance": None, "untranslatable": "",
        "item": root.item.key,
    }  # fmt: skip


def test_a_translation_tells_its_lineage_its_machine_text_and_distances(path):
    root, task = path
    row = only("fr")
    assert (row["parent"], row["root"], row["chain"]) == (root.key, root.key, ["en", "fr"])
    assert row["machine"] == "Deux moutons sont sur une colline."
    assert row["text"] == "Deux moutons blancs sont sur une colline. 🐑\n"
    assert (row["char_distance"], row["word_distance"]) == (task.char_distance, 2)
    assert (row["question"], row["label"], row["origin"]) == ("Que voit-on ?", "A", "translated")


def test_a_published_item_says_what_was_intended_and_where_it_comes_from(path, writer):
    """SHEEP, Figure 1b: the intended label is ``metadata.prelabel``."""
    root, task = path
    english, french = export("sheep")
    assert (english["id"], french["id"]) == (root.item.key, task.item.key)
    for row in (english, french):
        assert row["metadata"]["prelabel"] == "A" and row["metadata"]["strategy"] == "human"
    assert french["metadata"]["lineage"] == {
        "sample": task.key, "root": root.key, "source_language": "en", "chain": ["en", "fr"],
        "origin": "translated", "brief": "brief-1",
    }  # fmt: skip
    english, french = export("jsonl")
    assert english["expectation"] == {
        "label": "A", "spans": [{"start": 0, "end": 3, "label": "A"}],
    }  # fmt: skip
    assert english["author"] == Participant.objects.get(user=writer).pseudonym
    assert french["metadata"]["lineage"]["chain"] == ["en", "fr"]


def test_a_new_version_names_the_old_one(path, coordinator, writer):
    root, _ = path
    newer = review.revise(coordinator, root.pk)
    said = making.content(text="Nine white sheep stand on a hill.", spans=((0, 4),))
    samples.submit(writer, newer.pk, said, newer.version)
    review.accept(coordinator, newer.pk)
    item = review.publish(coordinator, newer.pk)
    assert only(key=newer.key)["replaces"] == root.key
    assert only(key=root.key)["state"] == "superseded"
    items = {row["id"]: row for row in export("sheep")}
    assert root.item.key not in items
    assert items[item.key]["metadata"]["lineage"]["replaces"] == root.key


def test_a_deleted_sample_is_in_no_file_and_a_draft_is(project, writer):
    gone = making.written(writer, making.make_brief(project))
    samples.delete(writer, gone.pk)
    draft = samples.start(writer, making.make_brief(project, "second").pk)
    row = only()
    assert (row["key"], row["state"], row["label"]) == (draft.key, "draft", None)
    assert len(export()) == 1


def test_samples_of_another_project_stay_out(path, stranger):
    assert Project.objects.filter(slug="elsewhere").exists()
    out = io.StringIO()
    call_command("export", "elsewhere", format="samples", stdout=out)
    assert out.getvalue() == ""


def test_many_samples_come_in_pieces_and_each_once(project, writer, monkeypatch):
    monkeypatch.setattr(exports, "CHUNK", 2)
    for n in range(5):
        making.written(writer, making.make_brief(project, f"brief-{n}"))
    assert [row["brief"] for row in export()] == [f"brief-{n}" for n in range(5)]


def test_page_and_api_offer_the_same_file(path, coordinator, page_as, api_as):
    page = page_as(coordinator)
    assert "samples" in page.get("/p/flock/export/").text
    reply = page.get("/p/flock/export/?format=samples")
    assert 'filename="flock.samples.jsonl"' in reply["Content-Disposition"]
    content = reply.getvalue()
    api = api_as(coordinator).get("/api/v1/projects/flock/export/?format=samples").getvalue()
    assert content == api and [json.loads(line) for line in content.splitlines()] == export()


def test_samples_are_no_format_to_import(project, tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text("{}\n")
    with pytest.raises(CommandError, match="samples"):
        call_command("import_items", "flock", str(file), format="samples")
