"""Whose the work is: begun by one, given back, taken away, freed when somebody leaves."""

from __future__ import annotations

import pytest

from annotation.actions import people
from annotation.errors import Forbidden, Refused, Unknown
from tests import factories
from tests.writing import making
from writing.actions import holding, review, samples
from writing.actions.translations import import_translations
from writing.models import Sample

MACHINE = "Deux moutons blancs sur une colline."
PAGES = "/p/flock/translations/"


@pytest.fixture
def root(writer, coordinator, brief):
    return making.accepted(writer, coordinator, brief)


@pytest.fixture
def task(project, root):
    row = {"sample": root.key, "language": "fr", "text": MACHINE, "question": "Qu'y a-t-il ?"}
    import_translations(None, project, making.lines(row), "mt.jsonl")
    return Sample.objects.get(root=root)


@pytest.fixture
def third(project):
    return factories.join(project, "third", "writer", ("en", "fr"))


def person(project, user):
    return project.participants.get(user=user)


def edited(other, task, text="Trois moutons noirs."):
    now = Sample.objects.get(pk=task.pk)
    said = making.content(text, None, question="Quoi ?", typed=9, pasted=1)
    return samples.save(other, task.pk, said, now.version).sample


def where(work) -> str:
    with pytest.raises(Refused) as error:
        work()
    return error.value.problems[0].where


def test_the_second_is_told_before_typing_anything(project, task, other, third, page_as):
    first, late = page_as(other), page_as(third)
    begun = first.post(f"{PAGES}{task.pk}/begin/")
    assert (
        begun["Location"] == f"{PAGES}{task.pk}/"
        and " white sheep stand" in first.get(begun.url).text
    )
    assert first.post(f"{PAGES}{task.pk}/begin/")["Location"] == begun.url
    assert where(lambda: holding.begin(third, task.pk)) == "writer"
    told = late.post(f"{PAGES}{task.pk}/begin/", follow=True)
    assert "Somebody else has this translation already" in told.text
    assert late.get(f"{PAGES}{task.pk}/").status_code == 404
    assert Sample.objects.get(pk=task.pk).writer == person(project, other)


def test_begin_and_give_back_are_for_those_of_the_language(
    writer, coordinator, stranger, task, root, other, third, page_as
):
    for user in (writer, coordinator, stranger):
        for change in ("begin", "release", "take_up", "burn"):
            assert page_as(user).post(f"{PAGES}{task.pk}/{change}/").status_code == 404
    for user in (other, third):
        with pytest.raises(Unknown):
            holding.begin(user, root.pk)
        with pytest.raises(Unknown):
            holding.release(user, task.pk)
    assert page_as(other).get(f"{PAGES}{task.pk}/begin/").status_code == 405


def test_given_back_it_begins_anew_and_the_text_stays_in_the_history(task, other, third, page_as):
    before = edited(other, task)
    assert (before.text, before.typed) == ("Trois moutons noirs.", 9)
    page = page_as(other)
    assert page.post(f"{PAGES}{task.pk}/release/")["Location"] == PAGES
    now = Sample.objects.get(pk=task.pk)
    assert (now.writer, now.state, now.text, now.question) == (
        None, "draft", MACHINE, "Qu'y a-t-il ?",
    )  # fmt: skip
    assert (now.spans, now.typed, now.pasted, now.char_distance) == ([], 0, 0, None)
    kept = now.revisions.get(kind="release").content
    assert (kept["text"], kept["counts"][:2]) == ("Trois moutons noirs.", [9, 1])
    holding.begin(third, task.pk)
    with pytest.raises(Unknown):
        edited(other, task)


def test_what_was_sent_is_not_given_back_and_a_translation_is_not_deleted(task, other, api_as):
    holding.begin(other, task.pk)
    reply = api_as(other).delete(f"/api/v1/samples/{task.pk}/")
    [error] = reply.json()["errors"]
    assert reply.status_code == 422 and "give it back" in error["message"]
    said = making.content(MACHINE, None, question="Quoi ?")
    sent = samples.submit(other, task.pk, said, Sample.objects.get(pk=task.pk).version).sample
    assert (sent.state, sent.writer.user) == ("submitted", other)
    assert where(lambda: holding.release(other, task.pk)) == "state"


def test_a_machines_text_sent_as_it_came_has_a_writer(task, other):
    said = making.content(MACHINE, None, question="Qu'y a-t-il ?", spans=())
    with pytest.raises(Refused):
        samples.submit(other, task.pk, said, task.version)
    assert Sample.objects.get(pk=task.pk).writer is None, "a refused one is nobody's"
    flagged = making.content(MACHINE, None, question="Quoi ?", spans=(), untranslatable="A pun.")
    assert samples.submit(other, task.pk, flagged, task.version).sample.writer.user == other


def test_taking_away_is_the_coordinators_and_names_what_it_cannot(
    project, writer, other, coordinator, brief, stranger
):
    reviewer = factories.join(project, "reviewer", "reviewer")
    draft = making.written(writer, brief)
    for user, why in ((writer, Unknown), (stranger, Unknown), (reviewer, Forbidden)):
        with pytest.raises(why):
            holding.take_away(user, draft.pk)
    french = person(project, factories.join(project, "french", "writer", ("fr",)))
    annotator = person(project, factories.join(project, "reads", "annotator"))
    for to in (french.pk, annotator.pk, draft.writer_id, 999_999):
        assert where(lambda to=to: holding.take_away(coordinator, draft.pk, to)) == "writer"
    sent = making.submitted(other, making.make_brief(project, "sent"), text="Another text it is.")
    assert where(lambda: holding.take_away(coordinator, sent.pk)) == "state"
    shared = making.make_brief(project, "shared", shared=True)
    mine = making.written(writer, shared, text="A third text that is written.")
    to = person(project, other).pk
    assert where(lambda: holding.take_away(coordinator, mine.pk, to)) == "writer"
    assert holding.take_away(coordinator, mine.pk).state == "taken"
    assert samples.start(writer, shared.pk).pk != mine.pk
    assert Sample.objects.get(pk=draft.pk).state == "draft"


@pytest.mark.parametrize("named", [False, True])
def test_a_brief_goes_on_and_the_draft_stays_readable(
    project, writer, other, coordinator, brief, page_as, named
):
    draft = making.written(writer, brief)
    lead = page_as(coordinator)
    shown = lead.get(f"/p/flock/samples/{draft.pk}/").text
    assert "This draft is writer's." in shown and "Take it away from writer" in shown
    to = person(project, other).pk if named else ""
    lead.post(f"/p/flock/samples/{draft.pk}/take/", {"writer": to})
    brief.refresh_from_db()
    assert (brief.writer_id, brief.given) == ((to, True) if named else (None, False))
    shown = lead.get(f"/p/flock/samples/{draft.pk}/").text
    assert making.TEXT[3:] in shown and "taken away from its writer" in shown
    assert "sample-" not in lead.get("/p/flock/briefs/").text
    with pytest.raises(Unknown):
        samples.save(writer, draft.pk, making.content("More."), draft.version)
    assert samples.start(other, brief.pk).text == ""


def test_a_translation_is_given_to_another(project, coordinator, task, other, third):
    edited(other, task)
    to = person(project, third)
    now = holding.take_away(coordinator, task.pk, to.pk)
    assert (now.pk, now.writer, now.text, now.state) == (task.pk, to, MACHINE, "draft")
    assert now.revisions.get(kind="take").content["text"] == "Trois moutons noirs."
    with pytest.raises(Unknown):
        edited(other, task)
    assert edited(third, task, "À moi.").text == "À moi."


def test_a_new_version_goes_to_another_as_a_fresh_copy(project, writer, other, coordinator, brief):
    old = making.published(writer, coordinator, brief)
    newer = review.revise(coordinator, old.pk, "Another colour.")
    samples.save(writer, newer.pk, making.content("Half of a"), 0)
    again = holding.take_away(coordinator, newer.pk, person(project, other).pk)
    assert (again.replaces, again.text, again.comment) == (old, making.TEXT, "Another colour.")
    assert again.writer.user == other and Sample.objects.get(pk=newer.pk).text == "Half of a"
    assert brief.samples.get(pk=old.pk).state == "published"


@pytest.mark.parametrize("removed", [True, False])
def test_whoever_leaves_holds_up_nothing(project, writer, other, coordinator, brief, task, removed):
    begun = making.make_brief(project, "begun")
    given = making.make_brief(project, "given", writer=person(project, other), given=True)
    shared = making.make_brief(project, "shared", shared=True)
    draft = making.written(other, begun, text="A draft of somebody who leaves.")
    kept = making.written(other, shared, text="Another draft, of a shared brief.")
    sent = making.submitted(other, making.make_brief(project, "sent"), text="It was sent before.")
    edited(other, task)
    if removed:
        people.remove_member(coordinator, person(project, other))
    else:
        people.change_roles(coordinator, person(project, other), {"annotator": []})
    for one in (begun, given):
        one.refresh_from_db()
        assert (one.writer, one.given) == (None, False)
    now = Sample.objects.get(pk=task.pk)
    assert (now.writer, now.text) == (None, MACHINE)
    states = [Sample.objects.get(pk=one.pk).state for one in (draft, kept, sent)]
    assert states == ["taken", "draft", "submitted"]
    assert samples.start(writer, begun.pk).writer.user == writer
    assert brief.samples.get(parent=None).writer.user == writer, "others keep their work"
