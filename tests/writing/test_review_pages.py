"""The coordinator's list of samples, one sample's page, and deciding there."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Item
from tests import factories
from tests.writing import making
from writing.actions import review, samples, translations
from writing.actions.samples import Content
from writing.edits import Edit
from writing.models import Sample
from writing.selectors.review import FILTERS, find_samples, history

SLUG = "flock"
EVIL = "<img src=x onerror=alert(1)>"


def path(sample=None, decision=""):
    if sample is None:
        return f"/p/{SLUG}/samples/"
    return f"/p/{SLUG}/samples/{sample.pk}/" + (f"{decision}/" if decision else "")


def found(project, **asked):
    return list(find_samples(project, dict.fromkeys(FILTERS, "") | asked))


def test_an_empty_project_says_what_to_do_next(project, coordinator, page_as):
    page = page_as(coordinator).get(path())
    assert "Nothing was written yet" in page.text and f"/p/{SLUG}/briefs/" in page.text


def test_those_to_review_stand_first_the_oldest_on_top(project, coordinator, writer, other):
    briefs = [making.make_brief(project, f"brief-{n}") for n in range(4)]
    late = making.submitted(writer, briefs[0])
    early = making.submitted(writer, briefs[1], text="Another text with words.", spans=((0, 7),))
    Sample.objects.filter(pk=early.pk).update(submitted_at="2026-01-01T00:00:00Z")
    draft = making.written(other, briefs[2], text="A third one, with other words.")
    gone = making.written(writer, briefs[3])
    samples.delete(writer, gone.pk)
    assert found(project) == [early, late, draft]


def test_every_filter_keeps_what_fits(project, coordinator, writer, other, page_as):
    briefs = [making.make_brief(project, f"brief-{n}") for n in range(3)]
    a = making.submitted(writer, briefs[0])
    b = making.written(other, briefs[1], label="B", text="Some other words stand here.")
    task = making.tasks_of(project, making.accepted(other, coordinator, briefs[2]))["fr"]
    root = task.parent
    assert found(project, state="submitted") == [a]
    assert found(project, language="fr") == [task]
    assert found(project, label="B") == [b]
    assert set(found(project, writer=str(b.writer_id))) == {b, root}
    assert found(project, origin="translated") == [task]
    for asked in ("?writer=x", "?state=y", "?page=99", "?language=%00", "?writer=" + "9" * 40):
        assert page_as(coordinator).get(path() + asked).status_code == 200


def test_the_list_asks_as_often_for_many_samples_as_for_few(
    project, coordinator, writer, other, page_as
):
    page = page_as(coordinator)

    def queries():
        with CaptureQueriesContext(
            connection,
        ) as caught:
            assert page.get(path()).status_code == 200
        return len(caught)

    making.submitted(writer, making.make_brief(project, "first"))
    making.written(other, making.make_brief(project, "second"), text="Other words, also a few.")
    few = queries()
    for n in range(12):
        who = (writer, other)[n % 2]
        brief = making.make_brief(project, f"more-{n}")
        making.submitted(who, brief, text=f"Words number {n} are written.", label="ABCD"[n % 4])
    assert queries() == few


def test_the_page_shows_the_text_with_its_error_and_the_edits(
    project, coordinator, writer, page_as
):
    brief = making.make_brief(project, answer="Three sheep stand on a green hill.")
    edit = Edit(0, 5, "Two")
    sample = samples.start(writer, brief.pk)
    said = Content(
        label="D", correct=brief.answer, edits=(edit,), edit_mode=True, declared=True,
        typed=3, pasted=1,
    )  # fmt: skip
    samples.submit(writer, sample.pk, said, sample.version)
    page = page_as(coordinator).get(path(sample))
    assert '<mark class="mark-4"><span class="chip">D</span>Two</mark> sheep stand' in page.text
    assert "<del>" in page.text and "Three" in page.text and "25 % of what came in" in page.text
    assert "A hill with three sheep." in page.text


def test_what_people_wrote_is_text_and_never_markup(project, coordinator, writer, page_as):
    brief = making.make_brief(project, question=EVIL, context=EVIL, context_format="markdown")
    sample = making.submitted(writer, brief, text=f"{EVIL} and words to judge")
    page = page_as(coordinator).get(path(sample))
    assert "<img src=x" not in page.text and "onerror=alert" in page.text


def test_checks_are_told_with_their_words(project, coordinator, writer, page_as):
    sample = making.submitted(writer, making.make_brief(project), text="Two wrong sheep are there.")
    assert "A word in the text gives the error away." in page_as(coordinator).get(path(sample)).text


def test_saves_in_a_row_are_one_line_of_the_history(project, coordinator, writer):
    sample = making.written(writer, making.make_brief(project))
    for n in range(5):
        now = Sample.objects.get(pk=sample.pk)
        samples.save(writer, sample.pk, making.content(text=f"Two sheep and {n}."), now.version)
    now = Sample.objects.get(pk=sample.pk)
    samples.submit(writer, sample.pk, making.content(text="Two sheep and 4."), now.version)
    review.send_back(coordinator, sample.pk, "Longer, please.")
    with CaptureQueriesContext(connection) as caught:
        past = history(sample)
    assert len(caught) == 2
    assert [(p.revision.kind, p.saves) for p in past] == [("save", 6), ("submit", 0), ("return", 0)]
    assert past[0].revision.content["text"] == "Two sheep and 4."


def test_accepting_publishing_and_revising_by_the_buttons(project, coordinator, writer, page_as):
    page = page_as(coordinator)
    sample = making.submitted(writer, making.make_brief(project))
    assert page.post(path(sample, "accept")).url == path(sample)
    assert page.post(path(sample, "publish")).url == path(sample)
    sample.refresh_from_db()
    item = Item.objects.get()
    shown = page.get(path(sample)).text
    assert f"/p/{SLUG}/items/{item.pk}/" in shown and "Open a new version" in shown
    answer = page.post(path(sample, "revise"))
    newer = Sample.objects.get(replaces=sample)
    assert answer.url == path(newer) and newer.state == "returned"
    assert f"A newer version is {newer.key}" in page.get(path(sample)).text


def test_a_returned_sample_says_why_and_a_comment_is_needed(project, coordinator, writer, page_as):
    page = page_as(coordinator)
    sample = making.submitted(writer, making.make_brief(project))
    refused = page.post(path(sample, "return"), {"comment": "  "})
    assert refused.status_code == 422 and "Say what the writer is to change." in refused.text
    page.post(path(sample, "return"), {"comment": "Longer,\r\nplease."})
    sample.refresh_from_db()
    assert (sample.state, sample.comment) == ("returned", "Longer,\nplease.")


def test_a_comment_is_not_lost_when_somebody_else_was_quicker(
    project, coordinator, writer, page_as
):
    sample = making.submitted(writer, making.make_brief(project))
    samples.delete(writer, making.written(writer, making.make_brief(project, "x")).pk)
    review.send_back(coordinator, sample.pk, "First.")
    late = page_as(coordinator).post(path(sample, "return"), {"comment": "Typed with care."})
    assert late.status_code == 422 and "Typed with care." in late.text
    assert "This sample is Returned now" in late.text


def test_a_decision_that_is_late_changes_nothing(project, coordinator, writer, page_as):
    page = page_as(coordinator)
    sample = making.submitted(writer, making.make_brief(project))
    assert page.post(path(sample, "publish")).status_code == 422
    assert page.post(path(sample, "accept")).status_code == 302
    assert page.post(path(sample, "accept")).status_code == 422
    assert page.post(path(sample, "burn")).status_code == 404
    assert page.get(path(sample, "accept")).status_code == 405
    assert Sample.objects.get().state == "accepted"


def test_a_translation_shows_its_source_and_its_root_lists_it(
    project, coordinator, writer, other, page_as
):
    root = making.accepted(writer, coordinator, making.make_brief(project))
    row = {"sample": root.key, "language": "fr", "text": "Deux moutons blancs sur une colline."}
    translations.import_translations(None, project, making.lines(row), "rows.jsonl")
    task = Sample.objects.get(root=root)
    page = page_as(coordinator)
    assert "Not begun" in page.get(path(root)).text and task.key in page.get(path(root)).text
    shown = page.get(path(task)).text
    assert "en → fr" in shown and "Machine translation" in shown and making.TEXT[3:] in shown


def test_writers_and_annotators_do_not_come_in_reviewers_look_only(
    project, writer, annotator, page_as
):
    reviewer = factories.join(project, "reviewer", "reviewer")
    sample = making.submitted(writer, making.make_brief(project))
    for user in (writer, annotator):
        assert page_as(user).get(path(sample)).status_code == 404
        assert page_as(user).post(path(sample, "accept")).status_code == 404
        assert page_as(user).get(path()).status_code == 403
    looks = page_as(reviewer).get(path(sample))
    assert looks.status_code == 200 and "<textarea" not in looks.text
    assert page_as(reviewer).post(path(sample, "accept")).status_code == 403
    assert page_as(reviewer).get(path()).status_code == 403
    assert Sample.objects.get().state == "submitted"


@pytest.mark.parametrize("state", ["draft", "submitted", "returned", "accepted", "published"])
def test_a_page_of_every_state_opens(project, coordinator, writer, page_as, state):
    brief = making.make_brief(project)
    if state == "returned":
        sample = making.submitted(writer, brief)
        review.send_back(coordinator, sample.pk, "Why.")
    elif state == "draft":
        sample = samples.start(writer, brief.pk)
    else:
        make = getattr(making, state)
        people = (writer,) if state == "submitted" else (writer, coordinator)
        sample = make(*people, brief)
    page = page_as(coordinator).get(path(sample))
    assert page.status_code == 200 and state.title() in page.text
