"""Good files: matched by key, places made, states kept, the same file twice changes nothing."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.actions import imports
from annotation.actions.places import claim
from annotation.models import Assignment, Item, Project, Revision
from annotation.order import item_number
from tests import code, factories
from tests.files import everything, jsonl, load, row, sheep_row


def test_each_item_gets_the_projects_number_of_open_places(project, tmp_path):
    code_, out, _ = load(jsonl(tmp_path / "i.jsonl", row("a"), row("b")))
    assert (code_, out) == (0, "new 2, same 0, changed 0, refused 0\n")
    places = Assignment.objects.order_by("item_id", "ordinal")
    assert [p.ordinal for p in places] == [1, 2, 3, 1, 2, 3]
    assert {p.number for p in places} == {item_number(project.seed, k) for k in "ab"}
    assert {(p.state, p.offered, p.begun, p.language) for p in places} == {("open", 1, 0, "en")}


def test_a_second_run_changes_nothing(project, tmp_path):
    path = jsonl(
        tmp_path / "s.jsonl",
        sheep_row("a", raw_annots={"p": "0:3|A", "q": "|"}, comments={"p": None, "q": "hm"}),
        sheep_row("b", metadata={"strategy": "MAP", "prelabel": None, "extra": 1}),
    )
    assert load(path, "--with-annotations")[0] == 0
    before = everything()
    for words in ((), ("--with-annotations",)):
        assert load(path, *words)[1] == "new 0, same 2, changed 0, refused 0\n"
        assert everything() == before


def test_new_same_changed_and_refused_are_told_apart(project, annotator, tmp_path):
    """doccano/doccano#1093: a corrected file is matched by the items' keys."""
    load(jsonl(tmp_path / "1.jsonl", *(row(k) for k in "abcd")))
    judged = claim(annotator, "flock").item.key
    free = [k for k in "abcd" if k != judged]
    rows = [
        row(judged, response="Three."),
        row(free[0], response="Four."),
        row(free[1], metadata={"n": 1}),
        row(free[2]),
        row("e"),
    ]
    code_, out, _ = load(jsonl(tmp_path / "2.jsonl", *rows), "--partial")
    assert (code_, out) == (1, "new 1, same 1, changed 2, refused 1\n")
    assert Item.objects.get(key=judged).response == "Two sheep."
    assert Item.objects.get(key=free[0]).response == "Four."
    assert Item.objects.get(key=free[1]).metadata == {"n": 1}
    assert Assignment.objects.count() == 15


def test_metadata_may_change_under_annotations(project, tmp_path):
    load(jsonl(tmp_path / "1.jsonl", sheep_row(raw_annots={"p": "0:3|A"})), "--with-annotations")
    code_, out, _ = load(jsonl(tmp_path / "2.jsonl", sheep_row(split="dev", metadata={"n": 2})))
    assert (code_, out) == (0, "new 0, same 0, changed 1, refused 0\n")
    assert Item.objects.get().split == "dev"


def test_a_format_leaves_alone_what_it_cannot_say(project, tmp_path):
    load(jsonl(tmp_path / "1.jsonl", row(author="w1", context="Some text", state="held")))
    assert load(jsonl(tmp_path / "2.jsonl", sheep_row(split="dev")))[1].startswith(
        "new 0, same 0, ch"
    )
    item = Item.objects.get()
    assert (item.author, item.context, item.state) == ("w1", "Some text", "held")


def test_the_language_of_an_untouched_item_changes_with_its_places(db, annotator, tmp_path):
    Project.objects.update(languages=["en", "fr"])
    load(jsonl(tmp_path / "1.jsonl", row()))
    assert load(jsonl(tmp_path / "2.jsonl", row(language="fr")))[0] == 0
    assert set(Assignment.objects.values_list("language", flat=True)) == {"fr"}


@pytest.mark.parametrize("state", ["held", "retired"])
def test_a_held_or_retired_row_is_offered_to_nobody(project, tmp_path, state):
    load(jsonl(tmp_path / "i.jsonl", row(state=state)))
    assert Item.objects.get().state == state
    assert set(Assignment.objects.values_list("offered", flat=True)) == {0}


def test_a_response_is_kept_code_point_for_code_point(project, tmp_path):
    text = "  Un\r\ndeux\u2028\ufeffe\u0301 \U0001f411\n"
    load(jsonl(tmp_path / "i.jsonl", row(response=text, metadata={"n": text})))
    assert Item.objects.get().response == text
    assert Item.objects.get().metadata == {"n": text}


def test_a_dry_run_counts_and_writes_nothing(project, tmp_path):
    before = everything()
    assert load(jsonl(tmp_path / "i.jsonl", row()), "--dry-run")[1].startswith("new 1,")
    assert everything() == before


def test_csv_cells_are_texts_and_other_columns_metadata(project, tmp_path):
    """pandas-dev/pandas#24681: NA, null and 007 are texts."""
    path = tmp_path / "items.csv"
    path.write_text(
        '\ufeffkey,language,response,grade\n007,en,N/A,NA\n1e5,en,"Un, deux\r\n""trois""",null\n',
        encoding="utf-8",
        newline="",
    )
    assert load(path)[0] == 0
    first, second = Item.objects.order_by("pk")
    assert (first.key, first.response, first.metadata) == ("007", "N/A", {"grade": "NA"})
    assert (second.key, second.response) == ("1e5", 'Un, deux\r\n"trois"')


def test_a_failure_while_writing_leaves_nothing(project, tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("annotation.actions.import_write.make_places", fail)
    before = everything()
    with pytest.raises(RuntimeError):
        load(jsonl(tmp_path / "i.jsonl", row()))
    assert everything() == before


def test_the_number_of_queries_does_not_grow_with_the_rows_of_a_chunk(project, tmp_path):
    counts = []
    for name, size in (("x", 5), ("y", 400)):
        rows = (sheep_row(f"{name}{i}", raw_annots={"p": "|", "q": "0:3|A"}) for i in range(size))
        path = jsonl(tmp_path / f"{name}.jsonl", *rows)
        with CaptureQueriesContext(connection) as queries, path.open("rb") as source:
            imports.import_items(None, project, source, "f", "sheep", with_annotations=True)
        counts.append(len(queries))
    assert counts[1] <= counts[0]


def test_an_imported_annotation_has_its_revision(project, tmp_path):
    load(jsonl(tmp_path / "i.jsonl", sheep_row(raw_annots={"p": "0:3|A"})), "--with-annotations")
    revision = Revision.objects.get()
    assert (revision.kind, revision.version) == ("import", 1)
    assert revision.answer["spans"] == [{"start": 0, "end": 3, "label": "A"}]
    assert revision.answer["state"] == "submitted"


def test_import_and_export_do_not_depend_on_the_locale(tmp_path):
    """davidjurgens/potato#112: UTF-8 with LANG=C too, in processes of their own."""
    path = jsonl(tmp_path / "i.jsonl", row(language="zh", response="两只羊。"))
    environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "LANG")}
    environment |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment |= {"SHEEPFOLD_DATA": str(tmp_path / "data")}
    environment |= {"DJANGO_SETTINGS_MODULE": "deploy.settings"}

    def manage(*words: str) -> bytes:
        words = (sys.executable, str(code.ROOT / "manage.py"), *words)
        done = subprocess.run(words, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    manage("migrate", "-v0")
    manage("create_project", "flock", "--labels", "sheep", "--languages", "zh")
    assert manage("import_items", "flock", str(path)).startswith(b"new 1,")
    assert "两只羊。" in manage("export", "flock", "--format", "jsonl").decode("utf-8")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("partial", [False, True])
def test_what_another_import_wrote_meanwhile_is_counted_as_it_then_is(project, partial):
    """The other one comes when the rows have been checked and before they are written."""
    kept = {"key": "kept", "language": "en", "response": "Two sheep."}
    rows = [kept] + [kept | {"key": f"item-{n}"} for n in range(4)]
    user = factories.join(project, "reader", "annotator")

    def file(*lines: dict) -> io.BytesIO:
        return io.BytesIO("\n".join(map(json.dumps, lines)).encode())

    def bring(source: io.BytesIO, progress=lambda *_: None):
        return imports.import_items(
            None, project, source, "x.jsonl", "jsonl", partial=partial, progress=progress
        )

    bring(file(kept))

    def other(step: str, done: int, total: int) -> None:
        if (step, done) != ("write", 0):
            return
        same, changed, *_, fourth = rows[1:]
        bring(file(kept | {"split": "late"}, same, changed | {"split": "b"}))
        if partial:  # one that cannot be changed any more
            bring(file(fourth | {"response": "Other."}))
            Item.objects.exclude(key="item-3").update(state="held")
            Assignment.objects.exclude(item__key="item-3").update(offered=0)
            assert claim(user, project.slug)

    report = bring(file(kept | {"split": "late"}, *rows[1:]), other)
    counts = (report.new, report.same, report.changed, report.refused)
    assert counts == ((1, 2, 1, 1) if partial else (2, 2, 1, 0))
    assert project.items.count() == 5 and report.written
