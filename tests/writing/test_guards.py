"""What other parts of the site may not do to samples, and samples that hold no error."""

from __future__ import annotations

import pytest

from annotation.actions import labels
from annotation.errors import Refused
from annotation.models import Item, Label
from tests import factories
from tests.files import jsonl, load, row
from tests.writing import making
from writing.actions import samples
from writing.actions.briefs import import_briefs
from writing.actions.demands import TEXT_MAX
from writing.actions.translations import import_translations
from writing.edits import Edit
from writing.models import Brief


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
