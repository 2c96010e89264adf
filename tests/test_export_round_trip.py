"""Out and in again: the same bytes, the same people, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.actions import answers, aside, places, reports
from annotation.formats import FORMATS
from annotation.models import Annotation, Assignment, Item, Participant
from annotation.pseudonyms import pseudonym
from annotation.records import Answer, SpanRecord
from annotation.selectors.records import item_records
from tests import factories
from tests.files import exported, jsonl, load, row, run, sheep_row

REAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "sheep" / "sheep_figure_1b.jsonl"
SPAN = Answer((SpanRecord(4, 9, "B"), SpanRecord(0, 3, "A")), "Not white.")
CLEAN = Answer((), "", True)


@pytest.fixture
def worked(project, annotator, second, tmp_path):
    """Items with every state of an answer: submitted, corrected, draft, reported, set aside."""
    third = factories.join(project, "third", "annotator")
    load(jsonl(tmp_path / "first.jsonl", row("a", metadata={"z": 1, "a": [1.50, "é"]}), row("b")))
    for user, answer in ((annotator, SPAN), (second, CLEAN), (third, SPAN)):
        place = places.claim(user, "flock").place_id
        answers.save(user, place, answer, 0, 1000, True)
    first = Annotation.objects.order_by("pk").first()
    answers.save(annotator, first.place_id, CLEAN, 1, 0, False)
    aside.set_aside(None, Annotation.objects.get(annotator__user=third))
    drafted = places.claim(annotator, "flock").place_id
    answers.save(annotator, drafted, SPAN, 0, 10, False)
    reports.report(second, places.claim(second, "flock").place_id, "No picture.")
    return project


def again(text: str, tmp_path: Path, name: str, *words: str) -> str:
    """The file imported into an empty project and exported from there."""
    factories.make_project("copy")
    path = tmp_path / "out.jsonl"
    path.write_text(text, encoding="utf-8", newline="")
    code, _, err = load(path, "--with-annotations", slug="copy")
    assert code == 0, err
    return exported("copy", name, *words)


@pytest.mark.parametrize("boundaries", ["exact", "sheep"])
def test_a_sheep_export_imported_and_exported_gives_the_same_bytes(worked, tmp_path, boundaries):
    """HumanSignal/label-studio#976: one entry per annotator, under a stable pseudonym."""
    text = exported("flock", "sheep", "--boundaries", boundaries)
    assert len(text.splitlines()) == 2
    assert again(text, tmp_path, "sheep", "--boundaries", boundaries) == text


def test_a_jsonl_export_loses_nothing_on_the_way_round(worked, tmp_path):
    text = exported()
    states = {a["state"] for line in text.splitlines() for a in json.loads(line)["annotations"]}
    assert states == {"submitted", "draft", "reported", "set_aside"}
    assert again(text, tmp_path, "jsonl") == text


def test_restored_answers_stand_in_places_again(worked, tmp_path):
    again(exported(), tmp_path, "jsonl")
    copied = Assignment.objects.filter(project__slug="copy")
    original = Assignment.objects.filter(project__slug="flock")
    states = [sorted(p.values_list("item__key", "state")) for p in (copied, original)]
    assert states[0] == states[1]
    draft = copied.get(state="claimed")
    assert draft.leased_until < timezone.now()
    assert Item.objects.get(project__slug="copy", key=draft.item.key).state in ("held", "active")


def test_the_papers_datapoint_comes_back_byte_for_byte(db, tmp_path):
    if not REAL.exists():
        pytest.skip("../shared/data is not there")
    factories.make_project(languages=("fr",))
    assert load(REAL, "--with-annotations")[0] == 0
    out = tmp_path / "out.jsonl"
    code, printed, _ = run(
        "export", "flock", "--format", "sheep", "--boundaries", "sheep", "--out", out
    )
    assert (code, printed) == (0, "")
    assert out.read_bytes() == REAL.read_bytes()
    assert list(tmp_path.iterdir()) == [out]


def test_an_imported_pseudonym_of_a_member_is_that_member(project, annotator, tmp_path):
    name = pseudonym(project.pseudonym_key, f"user:{annotator.pk}")
    load(
        jsonl(tmp_path / "i.jsonl", sheep_row(raw_annots={name: "|", "p": "|"})),
        "--with-annotations",
    )
    assert Annotation.objects.filter(annotator__user=annotator).count() == 1
    assert Participant.objects.filter(project=project, user=None).count() == 1
    assert places.claim(annotator, "flock") is None


def test_a_later_file_adds_annotators_into_open_places_and_then_into_new_ones(project, tmp_path):
    load(jsonl(tmp_path / "1.jsonl", sheep_row(raw_annots={"p": "|"})), "--with-annotations")
    more = sheep_row(raw_annots=dict.fromkeys(("q", "p", "r", "s"), "|"))
    code, out, _ = load(jsonl(tmp_path / "2.jsonl", more), "--with-annotations")
    assert (code, out) == (0, "new 0, same 0, changed 1, refused 0\n")
    found = Assignment.objects.order_by("ordinal").values_list("ordinal", "annotator__pseudonym")
    assert list(found) == [(1, "p"), (2, "q"), (3, "r"), (4, "s")]
    assert set(Assignment.objects.values_list("begun", flat=True)) == {1}


@pytest.mark.parametrize("state", ["draft", "submitted"])
def test_an_answer_that_came_with_version_0_is_one_that_can_be_opened_and_changed(
    project, annotator, api_as, tmp_path, state
):
    me = Participant.objects.get(user=annotator).pseudonym
    answer = {"annotator": me, "state": state, "version": 0,
              "spans": [{"start": 0, "end": 3, "label": "A"}]}  # fmt: skip
    sent = {"key": "k", "language": "en", "response": "Two sheep.", "annotations": [answer]}
    file = tmp_path / "in.jsonl"
    file.write_text(json.dumps(sent))
    run("import_items", "flock", str(file), "--with-annotations")
    place = Annotation.objects.get().place_id
    shown = api_as(annotator).get(f"/api/v1/assignments/{place}/").json()["annotation"]
    assert (shown["version"], len(shown["spans"])) == (1, 1)
    body = {"spans": [], "comment": "", "no_hallucination": True, "version": 1, "submit": True}
    body |= {"active_ms": 0}
    address = f"/api/v1/assignments/{place}/"
    assert api_as(annotator).put(address, body, format="json").status_code == 200
    [exported] = item_records(project)
    assert [(a.spans, a.no_hallucination) for a in exported.annotations] == [((), True)]


def test_annotations_are_left_out_unless_asked_for_and_the_report_says_so(project, tmp_path):
    path = jsonl(tmp_path / "i.jsonl", sheep_row(raw_annots={"p": "|", "q": "0:3|A"}))
    code, out, err = load(path)
    assert (code, out) == (0, "new 1, same 0, changed 0, refused 0\n")
    assert "2 annotations were left out." in err
    assert not Annotation.objects.exists()


def test_an_archived_label_is_taken_from_a_file(project, tmp_path):
    project.labels.filter(code="A").update(archived=True)
    path = jsonl(tmp_path / "i.jsonl", sheep_row(raw_annots={"p": "0:3|A"}))
    assert load(path, "--with-annotations")[0] == 0


def test_an_empty_project_is_an_empty_file(project):
    assert exported("flock", "sheep") == ""


def test_retired_items_are_left_out_of_sheep_and_kept_in_jsonl(project, tmp_path):
    load(jsonl(tmp_path / "i.jsonl", row("a", state="retired"), row("b")))
    assert [json.loads(line)["id"] for line in exported("flock", "sheep").splitlines()] == ["b"]
    assert [json.loads(line)["key"] for line in exported().splitlines()] == ["a", "b"]


def test_aside_lists_reported_and_set_aside_answers(worked):
    rows = [json.loads(line) for line in exported("flock", "aside").splitlines()]
    rows.sort(key=lambda found: found["state"], reverse=True)
    assert [(r["state"], r["reason"]) for r in rows] == [
        ("set_aside", ""),
        ("reported", "No picture."),
    ]
    assert rows[0]["answer"]["spans"][0] == {"start": 4, "end": 9, "label": "B"}


def test_a_systems_output_is_in_no_export(worked):
    before = exported()
    run_ = worked.runs.create(name="judge")
    Annotation.objects.create(item=Item.objects.first(), run=run_, saved_at=timezone.now())
    assert exported() == before


def test_a_chunk_of_items_costs_a_constant_number_of_queries(worked):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert list(item_records(worked))
        return len(queries)

    few = count()
    for i in range(40):
        factories.make_item(worked, f"more-{i}")
    assert count() == few


@pytest.mark.parametrize("format_", [one for one in FORMATS.values() if one.brief])
def test_what_is_left_unread_for_a_brief_format_changes_none_of_its_bytes(worked, format_):
    whole, brief = item_records(worked), item_records(worked, brief=True)
    lines = list(format_.write(whole, "exact"))
    assert lines and lines == list(format_.write(brief, "exact"))


def test_unknown_formats_and_boundaries_are_said_and_no_half_file_is_left(project, tmp_path):
    out = tmp_path / "out"
    code, _, err = run("export", "flock", "--format", "xml", "--out", out)
    assert code == 1
    assert "Unknown format 'xml': known are sheep, jsonl, csv, aside, samples." in err
    assert "no project" in run("export", "nowhere", "--format", "sheep")[2]
    assert not list(tmp_path.iterdir())


def test_a_failing_export_leaves_the_file_of_before(worked, tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    out = tmp_path / "out"
    out.write_text("before")
    monkeypatch.setattr("annotation.selectors.exports.item_records", fail)
    code, _, err = run("export", "flock", "--format", "sheep", "--out", out)
    assert code == 1
    assert "cannot be written" in err
    assert out.read_text() == "before"
    assert list(tmp_path.glob("*out*")) == [out]


def test_an_export_goes_on_while_somebody_joins_and_answers(project, annotator, monkeypatch):
    """SQLite shows an export what is written meanwhile; PostgreSQL one moment of it."""
    monkeypatch.setattr("annotation.selectors.records.CHUNK", 1)
    for key in ("a", "b"):
        factories.make_item(project, key=key)
    reading = item_records(project)
    assert next(reading).key == "a"
    late = factories.join(project, "late", "annotator")
    for _ in range(2):
        place = places.claim(late, "flock").place_id
        answers.save(late, place, CLEAN, 0, 0, True)
    [last] = list(reading)
    name = Participant.objects.get(user=late).pseudonym
    assert [annotation.annotator for annotation in last.annotations] == [name]
