"""What other parts of the site may not do to samples, and samples that hold no error."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import labels
from annotation.actions.settings import change_settings
from annotation.errors import Refused
from annotation.models import Item, Label
from tests import factories
from tests.files import jsonl, load, row
from tests.writing import making
from writing.actions import review, samples
from writing.actions.briefs import import_briefs
from writing.actions.demands import TEXT_MAX
from writing.actions.translations import import_translations
from writing.edits import Edit
from writing.models import Brief, Sample


def test_an_import_never_changes_what_a_sample_says(project, writer, coordinator, brief, tmp_path):
    item = making.published(writer, coordinator, brief).item
    for fields in ({}, {"response": "Something else."}, {"prelabel": "B"}):
        one = row(item.key, **({"response": item.response, "question": item.question} | fields))
        code, _, err = load(jsonl(tmp_path / "items.jsonl", one))
        assert code == 1 and "the item comes from a sample" in err
    stored = Item.objects.get(pk=item.pk)
    assert (stored.author, stored.strategy, stored.expectation) == (
        item.author, "human", item.expectation,
    )  # fmt: skip


def test_a_label_that_only_samples_use_is_archived_and_keeps_its_code(
    project, writer, coordinator, brief
):
    label = Label.objects.get(project=project, code="A")
    making.submitted(writer, brief, label="A")
    with pytest.raises(Refused):
        labels.change_label(coordinator, label, code="Z")
    assert labels.remove_label(coordinator, label) is False
    label.refresh_from_db()
    assert (label.code, label.archived) == ("A", True)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"text": "A correct answer.", "spans": ((0, 1),)}, "text"),
        (
            {
                "text": "",
                "spans": (),
                "edit_mode": True,
                "correct": "The two two sheep stand.",
                "edits": (Edit(4, 8, ""), Edit(12, 12, "two ")),
            },
            "text",
        ),
        (
            {
                "text": "",
                "spans": (),
                "edit_mode": True,
                "correct": "",
                "edits": (Edit(0, 0, "Two black sheep."),),
            },
            "correct",
        ),
    ],
)
def test_a_sample_without_an_error_is_not_sent(project, writer, fields, where):
    brief = making.make_brief(project, answer="A correct answer.")
    sample = samples.start(writer, brief.pk)
    with pytest.raises(Refused) as error:
        samples.submit(writer, sample.pk, making.content(**fields), sample.version)
    assert where in [problem.where for problem in error.value.problems]


def test_a_brief_for_a_writer_of_another_language_is_refused(project):
    project.languages = ["en", "fr"]
    project.save()
    factories.join(project, "englishwriter", "writer", ("en",))
    line = {"key": "a", "language": "fr", "question": "Quoi ?", "writer": "englishwriter"}
    report = import_briefs(None, project, making.lines(line), "briefs.jsonl")
    assert [(one.field, one.line) for one in report.refusals] == [("writer", 1)]
    assert not Brief.objects.exists()


def test_texts_that_could_not_be_saved_are_refused_at_import(project, writer, coordinator):
    long = "x" * (TEXT_MAX + 1)
    line = {"key": "a", "language": "en", "question": "What?", "answer": long}
    assert import_briefs(None, project, making.lines(line), "b").refusals[0].field == "answer"
    root = making.accepted(writer, coordinator, making.make_brief(project))
    line = {"sample": root.key, "language": "fr", "text": long}
    assert import_translations(None, project, making.lines(line), "t").refusals[0].field == "text"


def test_a_language_of_briefs_or_samples_alone_stays(project, writer, coordinator):
    making.make_brief(project, "french", language="fr")
    with pytest.raises(Refused) as error:
        change_settings(coordinator, project, ["en"])
    assert [p.message for p in error.value.problems] == ["There are briefs in fr: keep it."]
    Brief.objects.all().delete()
    root = making.accepted(writer, coordinator, making.make_brief(project))
    making.tasks_of(project, root)
    with pytest.raises(Refused) as error:
        change_settings(coordinator, project, ["de"])
    told = " ".join(p.message for p in error.value.problems)
    assert "briefs in en" in told and "samples in en" in told and "samples in fr" in told
    project.refresh_from_db()
    assert project.languages == ["en", "fr"]


@pytest.mark.parametrize("change", [{"archived": True}, {"writable": False}])
def test_a_draft_with_a_label_that_is_written_no_more_is_saved_and_not_sent(
    project, writer, brief, page_as, change
):
    draft = making.written(writer, brief, label="B")
    Label.objects.filter(project=project, code="B").update(**change)
    saved = samples.save(writer, draft.pk, making.content("Other words.", "B"), draft.version)
    assert saved.sample.label.code == "B" and saved.advice["label_gone"] == "warn"
    assert page_as(writer).get(f"/p/flock/writing/{draft.pk}/").status_code == 200
    with pytest.raises(Refused) as error:
        samples.submit(writer, draft.pk, making.content("Other words.", "B"), 2)
    [problem] = error.value.problems
    assert problem.where == "label" and "any more" in problem.message
    with pytest.raises(Refused):
        samples.start(writer, making.make_brief(project, "new").pk)
        samples.save(writer, Sample.objects.last().pk, making.content(label="B"), 0)
    assert samples.submit(writer, draft.pk, making.content(label="A"), 2).sample.label.code == "A"


def test_a_translation_keeps_a_label_that_was_archived(project, writer, other, coordinator, brief):
    task = making.tasks_of(project, making.accepted(writer, coordinator, brief, label="B"))["fr"]
    Label.objects.filter(project=project, code="B").update(archived=True)
    said = making.content("Deux moutons sur une colline.", None, question="Quoi ?")
    assert samples.submit(other, task.pk, said, 0).sample.state == "submitted"


@pytest.mark.parametrize("unseen", ["\u200b", "\u2060\ufeff ", "\u3164\u2800"])
def test_what_nobody_sees_is_not_sent(project, writer, other, coordinator, brief, unseen):
    draft = making.written(writer, brief)
    with pytest.raises(Refused) as error:
        samples.submit(writer, draft.pk, making.content(unseen, spans=((0, 1),)), draft.version)
    assert [p.where for p in error.value.problems] == ["text", "spans"]
    root = making.accepted(
        writer, coordinator, making.make_brief(project, "b-2"), text="Old bikes."
    )
    task = making.tasks_of(project, root)["fr"]
    flagged = making.content("", None, spans=(), untranslatable=unseen)
    with pytest.raises(Refused):
        samples.submit(other, task.pk, flagged, 0)
    row = {"sample": root.key, "language": "fr", "text": unseen}
    report = import_translations(None, project, making.lines(row), "a.jsonl")
    assert report.refusals[0].field == "text"


@pytest.mark.parametrize("comment", ["", " \n", "\u200b", "a\x00b", "half \ud800", "x" * 5001])
def test_a_comment_is_kept_whole_or_refused(writer, coordinator, brief, comment):
    sample = making.submitted(writer, brief)
    with pytest.raises(Refused) as error:
        review.send_back(coordinator, sample.pk, comment)
    assert error.value.problems[0].where == "comment"
    assert Sample.objects.get().state == "submitted"


def test_what_was_typed_and_taken_back_counts_and_a_repeat_does_not(writer, brief):
    draft = making.written(writer, brief, typed=38)
    same = making.content(typed=5, pasted=2)
    for _turn in range(2):
        samples.save(writer, draft.pk, same, draft.version)
    samples.save(writer, draft.pk, same, draft.version - 1)
    now = Sample.objects.get()
    assert (now.typed, now.pasted, now.version) == (48, 4, draft.version)


def test_a_new_version_says_why_it_was_opened(writer, coordinator, brief, page_as):
    sample = making.published(writer, coordinator, brief)
    page = page_as(coordinator)
    page.post(f"/p/flock/samples/{sample.pk}/revise/", {"comment": "Name the colour."})
    newer = Sample.objects.get(replaces=sample)
    assert newer.comment == "Name the colour."
    assert "Name the colour." in page_as(writer).get("/p/flock/writing/").text


def test_a_replaced_version_is_no_near_duplicate_of_its_successor(
    writer, coordinator, brief, page_as
):
    old = making.published(writer, coordinator, brief)
    newer = review.revise(coordinator, old.pk)
    samples.submit(writer, newer.pk, making.content(making.TEXT + " Here."), 0)
    review.accept(coordinator, newer.pk)
    review.publish(coordinator, newer.pk)
    for sample in (old, newer):
        assert (
            "almost the same" not in page_as(coordinator).get(f"/p/flock/samples/{sample.pk}/").text
        )


def test_time_is_counted_from_now_on_after_the_clock_was_set_back(writer, brief):
    sample = making.written(writer, brief)
    ahead = timezone.now() + timedelta(hours=2)
    Sample.objects.filter(pk=sample.pk).update(saved_at=ahead)
    said = making.content("Three sheep.", active_ms=5000)
    stored = samples.save(writer, sample.pk, said, sample.version).sample
    assert stored.active_ms == sample.active_ms and stored.saved_at < ahead - timedelta(hours=1)
