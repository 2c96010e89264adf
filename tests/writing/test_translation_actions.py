"""Translation tasks, machine translations from a file, and post-editing."""

from __future__ import annotations

import pytest

from annotation.actions.answers import Outcome
from annotation.errors import Forbidden, Refused, Unknown
from annotation.models import Item
from tests import factories
from tests.writing import making
from writing.actions import review, samples
from writing.actions.translations import import_translations, make_tasks
from writing.models import Policy, Sample, SampleRevision

FRENCH = "Deux moutons blancs 🐑 sur une colline.\r\n"


@pytest.fixture
def root(writer, coordinator, brief):
    return making.accepted(writer, coordinator, brief)


def row(root, **fields):
    return {"sample": root.key, "language": "fr", "text": FRENCH} | fields


def read(project, *rows, by=None, partial=False):
    return import_translations(by, project, making.lines(*rows), "mt.jsonl", partial)


def french(text=FRENCH, **fields):
    return making.content(text, None, **({"spans": ((0, 4),), "question": "Quoi ?"} | fields))


def test_tasks_are_made_once_for_accepted_samples_and_other_languages(project, root, writer):
    making.submitted(writer, making.make_brief(project, "waits"), text="Not accepted yet, it is.")
    assert (make_tasks(None, project), make_tasks(None, project)) == (1, 0)
    task = Sample.objects.get(root=root)
    assert (task.language, task.parent, task.label, task.origin) == (
        "fr", root, root.label, "translated",
    )  # fmt: skip
    assert (task.writer, task.text, task.version) == (None, "", 0)


def test_making_tasks_and_importing_are_the_coordinators(project, root, writer, coordinator):
    for work in (lambda: make_tasks(writer, project), lambda: read(project, row(root), by=writer)):
        with pytest.raises(Forbidden):
            work()
    assert read(project, row(root), by=coordinator).new == 1


def test_tasks_take_a_constant_number_of_queries(
    project, writer, coordinator, django_assert_max_num_queries
):
    for n in range(5):
        brief = making.make_brief(project, f"more-{n}")
        making.accepted(writer, coordinator, brief, text=f"{n} quite another text. " * (n + 1))
    with django_assert_max_num_queries(8):
        assert make_tasks(None, project) == 5


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"sample": "sample-999999"}, "sample", "no accepted sample"),
        ({"sample": ""}, "sample", "no accepted sample"),
        ({"language": "en"}, "language", "the language that the sample is written in"),
        ({"language": "de"}, "language", "no language of this project"),
        ({"text": " \n"}, "text", "empty"),
        ({"text": 7}, "text", "must be a text"),
        ({"question": None}, "question", "must be a text"),
        ({"text": "half \ud800"}, "text", "half a character"),
        ({"txet": "x"}, "txet", "did you mean"),
    ],
)
def test_a_row_that_cannot_be_is_refused_with_its_line(project, root, fields, field, words):
    report = read(project, row(root), row(root, **fields))
    refusal = report.refusals[-1]
    assert (refusal.line, refusal.field) == (2, field) and words in refusal.reason
    assert report.line() == "new 0, same 0, refused 1" and not Sample.objects.filter(root=root)


def test_an_empty_file_a_missing_key_and_a_row_twice_are_refused(project, root):
    assert read(project).refusals[0].field == "file"
    short = {"sample": root.key, "language": "fr"}
    assert str(read(project, short).refusals[0]) == "mt.jsonl:1: text: this field is missing"
    [refusal] = read(project, row(root), row(root, text="Autre.")).refusals
    assert (refusal.line, refusal.field) == (2, "sample") and "line 1" in refusal.reason


def test_with_partial_the_good_rows_are_kept(project, root):
    report = read(project, row(root, language="de"), row(root), partial=True)
    assert report.line() == "new 1, same 0, refused 1"


def test_a_second_import_of_the_same_file_changes_nothing(project, root):
    file = row(root, question="Qu'y a-t-il ?")
    assert read(project, file).line() == "new 1, same 0, refused 0"
    before = list(Sample.objects.values())
    assert read(project, file).line() == "new 0, same 1, refused 0"
    assert list(Sample.objects.values()) == before
    assert SampleRevision.objects.filter(kind="machine").count() == 1
    task = Sample.objects.get(root=root)
    assert (task.machine, task.text, task.question) == (FRENCH, FRENCH, file["question"])


def test_a_new_question_alone_keeps_the_text(project, root):
    read(project, row(root))
    assert read(project, row(root, question="Qu'y a-t-il ?")).line().startswith("new 1")
    task = Sample.objects.get(root=root)
    assert (task.text, task.question) == (FRENCH, "Qu'y a-t-il ?")


def test_a_translation_in_work_is_not_overwritten(project, root, other):
    read(project, row(root))
    task = Sample.objects.get(root=root)
    samples.save(other, task.pk, french("Trois moutons."), task.version)
    report = read(project, row(root, text="Un autre texte."))
    assert report.refusals[0].field == "text" and "edited already" in report.refusals[0].reason
    assert read(project, row(root, question="Autre ?")).line() == "new 0, same 1, refused 0"
    stored = Sample.objects.get(pk=task.pk)
    assert (stored.text, stored.machine, stored.question) == ("Trois moutons.", FRENCH, "Quoi ?")


def test_a_new_machine_text_is_a_conflict_for_whoever_has_the_page_open(project, root, other):
    task = making.tasks_of(project, root)["fr"]
    read(project, row(root))
    saved = samples.save(other, task.pk, french("Trois moutons."), task.version)
    assert (saved.outcome, saved.sample.text) == (Outcome.CONFLICT, FRENCH)


def test_a_free_translation_is_for_the_writers_of_its_language(project, root, writer, other):
    task = making.tasks_of(project, root)["fr"]
    third = factories.join(project, "third", "writer", ("fr",))
    with pytest.raises(Unknown):
        samples.save(writer, task.pk, french(), 0)
    samples.save(third, task.pk, french(), 0)
    with pytest.raises(Unknown):
        samples.save(other, task.pk, french(), 1)
    with pytest.raises(Refused):
        samples.delete(third, task.pk)


def test_post_editing_stores_the_distances_and_confirms(project, root, other):
    read(project, row(root))
    task = Sample.objects.get(root=root)
    text = FRENCH.replace("blancs", "noirs")
    sent = french(text, question="Quoi ?", declared=False)
    with pytest.raises(Refused) as error:
        samples.submit(other, task.pk, sent, task.version)
    [problem] = error.value.problems
    assert problem.where == "declared" and "same error" in problem.message
    done = samples.submit(other, task.pk, french(text, question="Quoi ?"), task.version).sample
    assert (done.state, done.text, done.question) == ("submitted", text, "Quoi ?")
    assert (done.char_distance, done.word_distance) == (5, 1)
    assert done.label == root.label and done.machine == FRENCH


def test_the_question_is_translated_too(project, root, other):
    task = making.tasks_of(project, root)["fr"]
    with pytest.raises(Refused) as error:
        samples.submit(other, task.pk, french(question=" "), 0)
    assert [problem.where for problem in error.value.problems] == ["question"]


@pytest.mark.parametrize("fields", [{"spans": ()}, {"text": "", "spans": ()}])
def test_a_translation_needs_its_error_marked_or_a_reason(project, root, other, fields):
    Policy.objects.create(project=project, balance="require", checks={"too_short": "refuse"})
    read(project, row(root))
    task = Sample.objects.get(root=root)
    sent = french(**fields)
    with pytest.raises(Refused):
        samples.submit(other, task.pk, sent, task.version)
    with pytest.raises(Refused):
        samples.submit(other, task.pk, french(**fields, untranslatable=" "), task.version)
    flagged = french(**fields, untranslatable="A pun on sheep.")
    assert samples.submit(other, task.pk, flagged, task.version).sample.state == "submitted"


def test_an_untranslatable_one_is_never_published(project, root, other, coordinator):
    task = making.tasks_of(project, root)["fr"]
    samples.submit(other, task.pk, french("", spans=(), untranslatable="A pun."), 0)
    review.accept(coordinator, task.pk)
    with pytest.raises(Refused):
        review.publish(coordinator, task.pk)
    assert not Item.objects.exists()


def test_lineage_stays_on_the_item_and_a_new_version_of_it(project, root, other, coordinator):
    task = making.tasks_of(project, root)["fr"]
    samples.submit(other, task.pk, french(), 0)
    review.accept(coordinator, task.pk)
    item = review.publish(coordinator, task.pk)
    lineage = item.metadata["lineage"]
    assert (item.language, item.response, item.prelabel) == ("fr", FRENCH, "A")
    assert item.author == project.participants.get(user=other).pseudonym
    assert (lineage["root"], lineage["chain"]) == (root.key, ["en", "fr"])
    assert (lineage["source_language"], lineage["origin"]) == ("en", "translated")
    newer = review.revise(coordinator, task.pk)
    assert make_tasks(None, project) == 0
    samples.submit(other, newer.pk, french("Deux moutons gris."), newer.version)
    review.accept(coordinator, newer.pk)
    review.publish(coordinator, newer.pk)
    assert Sample.objects.get(pk=task.pk).state == "superseded"
    assert make_tasks(None, project) == 0


def test_a_translation_is_not_made_of_edits(project, root, other):
    read(project, row(root))
    task = Sample.objects.get(root=root)
    with pytest.raises(Refused) as error:
        samples.save(other, task.pk, french(edit_mode=True, correct=FRENCH), task.version)
    assert [problem.where for problem in error.value.problems] == ["edit_mode"]
