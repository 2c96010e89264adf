"""What a writer may send and may not, and that nothing sent is lost or there twice."""

from __future__ import annotations

import pytest

from annotation.actions.answers import Outcome
from annotation.errors import Refused, Unknown
from tests import factories
from tests.writing import making
from writing.actions import review, samples
from writing.actions.samples import Content
from writing.edits import Edit
from writing.models import Brief, Policy, Sample, SampleRevision

ODD = [
    "🐑👩‍🌾👨‍👩‍👧 am Zaun",
    "one\r\ntwo\rthree\n",
    "e\u0301 and \u00e9, \u1100\u1161",
    "  blanks before, behind \t\n\n",
    "**bold** `x` <b>&amp;</b>",
    "שתי כבשים\u200f white \u202bעיזים\u202c",
]


def refused(work, *arguments) -> dict[str, str]:
    """Field -> message of the refusal; nothing may have been written."""
    before = list(Sample.objects.values()), SampleRevision.objects.count()
    with pytest.raises(Refused) as error:
        work(*arguments)
    assert (list(Sample.objects.values()), SampleRevision.objects.count()) == before
    return {problem.where: problem.message for problem in error.value.problems}


@pytest.fixture
def draft(writer, brief):
    return making.written(writer, brief)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"text": "", "spans": ()}, "text"),
        ({"text": " \n\u3000", "spans": ()}, "text"),
        ({"label": None}, "label"),
        ({"label": "E"}, "label"),
        ({"label": "Z"}, "label"),
        ({"label": ""}, "label"),
        ({"spans": ()}, "spans"),
        ({"spans": ((3, 4),)}, "spans"),
        ({"spans": ((0, 99),)}, "spans[0].end"),
        ({"spans": ((99, 100),)}, "spans[0].start"),
        ({"spans": ((-1, 2),)}, "spans[0].start"),
        ({"spans": ((2, 2),)}, "spans[0].end"),
        ({"spans": ((0, 5), (4, 9))}, "spans[1]"),
        ({"declared": False}, "declared"),
        ({"text": "NUL \x00"}, "text"),
        ({"text": "half \ud800"}, "text"),
        ({"text": "x" * 20_001}, "text"),
        ({"edit_mode": True, "correct": "Two.", "edits": (Edit(0, 9, "x"),)}, "edits[0]"),
        ({"edit_mode": True, "correct": "Two.", "edits": (Edit(0, 3, "Two"),)}, "edits[0]"),
        ({"edit_mode": True, "correct": "Two sheep.", "edits": ()}, "spans"),
        ({"edit_mode": True, "correct": "Two.", "edits": (Edit(0, 4, ""),)}, "text"),
    ],
)
def test_what_is_not_whole_is_not_sent(writer, draft, fields, where):
    sent = making.content(**fields)
    assert where in refused(samples.submit, writer, draft.pk, sent, draft.version)


def test_a_draft_may_lack_everything_also_after_it_was_returned(writer, coordinator, brief):
    sample = making.submitted(writer, brief)
    sample = review.send_back(coordinator, sample.pk, "Write another one.")
    saved = samples.save(writer, sample.pk, Content(), sample.version)
    assert saved.outcome is Outcome.SAVED
    stored = Sample.objects.get()
    assert (stored.state, stored.text, stored.label, stored.spans) == ("returned", "", None, [])


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("edit_mode", [False, True])
def test_text_is_kept_code_point_for_code_point(writer, brief, text, edit_mode):
    sample = samples.start(writer, brief.pk)
    fields = {"text": "", "spans": (), "edit_mode": True, "correct": text}
    if edit_mode:
        fields["edits"] = (Edit(0, 1, "\U0001f410"),)
    sent = making.content(**(fields if edit_mode else {"text": text, "spans": ((0, 2),)}))
    samples.save(writer, sample.pk, sent, 0)
    stored = Sample.objects.get()
    assert stored.text == ("\U0001f410" + text[1:] if edit_mode else text)
    assert stored.correct == (text if edit_mode else "")
    assert SampleRevision.objects.get().content["text"] == stored.text


def test_edit_mode_stores_pairs_and_the_spans_that_follow(writer, brief):
    edits = (Edit(0, 3, "Seven"), Edit(19, 22, ""))
    fields = {"edit_mode": True, "correct": "Two white sheep on the hill.", "edits": edits}
    sample = making.submitted(writer, brief, text="not read", spans=(), **fields)
    assert (sample.text, sample.origin) == ("Seven white sheep on  hill.", "edited")
    assert sample.spans == [{"start": 0, "end": 5}, {"start": 19, "end": 23}]
    pair = {"start": 0, "end": 3, "original": "Two", "hallucinated": "Seven"}
    assert sample.edits[0] == pair
    again = samples.submit(writer, sample.pk, making.content(text="", **fields), sample.version)
    assert again.sample.version == sample.version


def test_a_second_click_makes_no_second_sample(writer, brief):
    assert samples.start(writer, brief.pk) == samples.start(writer, brief.pk)
    assert Sample.objects.count() == 1


def test_an_exclusive_brief_is_told_to_be_anothers(writer, other, brief):
    samples.start(writer, brief.pk)
    assert "Another writer" in refused(samples.start, other, brief.pk)["brief"]
    shared = making.make_brief(brief.project, "shared", shared=True)
    assert samples.start(writer, shared.pk) != samples.start(other, shared.pk)


def test_a_second_submission_is_one(writer, coordinator, draft):
    sent = making.content()
    first = samples.submit(writer, draft.pk, sent, draft.version).sample
    for version in (draft.version, first.version):
        again = samples.submit(writer, draft.pk, sent, version)
        assert (again.outcome, again.sample.version) == (Outcome.SAVED, first.version)
    assert SampleRevision.objects.filter(kind="submit").count() == 1


@pytest.mark.parametrize("published", [False, True])
def test_a_late_repeat_takes_no_acceptance_back(writer, coordinator, brief, published):
    sample = making.accepted(writer, coordinator, brief)
    if published:
        review.publish(coordinator, sample.pk)
    state = Sample.objects.get().state
    again = samples.submit(writer, sample.pk, making.content(), 1)
    assert (again.outcome, Sample.objects.get().state) == (Outcome.SAVED, state)
    changed = making.content(text="Three sheep now.")
    version = Sample.objects.get().version
    assert "state" in refused(samples.submit, writer, sample.pk, changed, version)
    assert samples.submit(writer, sample.pk, changed, 1).outcome is Outcome.CONFLICT


def test_a_stale_version_changes_nothing_and_shows_what_is_stored(writer, draft):
    saved = samples.save(writer, draft.pk, making.content(text="Other words here."), 0)
    assert (saved.outcome, saved.sample.text) == (Outcome.CONFLICT, making.TEXT)
    assert Sample.objects.get().text == making.TEXT
    repeat = samples.save(writer, draft.pk, making.content(), 0)
    assert (repeat.outcome, repeat.sample.version) == (Outcome.SAVED, draft.version)


def test_samples_and_briefs_of_others_do_not_exist(writer, other, coordinator, draft, brief):
    reader = factories.join(brief.project, "reader", "annotator")
    elsewhere = factories.make_project("elsewhere")
    stranger = factories.join(elsewhere, "stranger", "writer")
    french = making.make_brief(brief.project, "fr", language="fr")
    for work in (samples.save, samples.submit):
        for person in (other, stranger, coordinator, reader):
            with pytest.raises(Unknown):
                work(person, draft.pk, making.content(), draft.version)
        with pytest.raises(Unknown):
            work(writer, 999_999, making.content(), 0)
    for person, pk, why in (
        (writer, french.pk, Unknown),
        (stranger, brief.pk, Unknown),
        (writer, 999_999, Unknown),
        (coordinator, brief.pk, Unknown),
    ):
        with pytest.raises(why):
            samples.start(person, pk)
    for person in (other, stranger):
        with pytest.raises(Unknown):
            samples.delete(person, draft.pk)


def test_a_deleted_sample_is_gone_and_frees_its_brief(writer, other, draft, brief):
    samples.delete(writer, draft.pk)
    assert Sample.objects.get().state == "deleted" and Sample.objects.get().text == making.TEXT
    with pytest.raises(Unknown):
        samples.save(writer, draft.pk, making.content(), draft.version)
    with pytest.raises(Unknown):
        samples.delete(writer, draft.pk)
    assert samples.start(other, brief.pk).writer.user == other


def test_a_brief_that_was_given_stays_its_writers(writer, other, brief):
    person = brief.project.participants.get(user=writer)
    Brief.objects.update(writer=person, given=True)
    samples.delete(writer, making.submitted(writer, brief).pk)
    assert "brief" in refused(samples.start, other, brief.pk)
    assert samples.start(writer, brief.pk).version == 0


def test_an_accepted_sample_is_not_deleted(writer, coordinator, brief):
    sample = making.accepted(writer, coordinator, brief)
    assert "state" in refused(samples.delete, writer, sample.pk)


def test_counters_add_up_and_time_is_no_longer_than_the_clock(writer, brief):
    sample = samples.start(writer, brief.pk)
    for n, text in enumerate(("Two", "Two sheep")):
        sent = Content(text=text, typed=5, pasted=2**31 - 3, active_ms=10**9)
        samples.save(writer, sample.pk, sent, n)
    stored = Sample.objects.get()
    assert (stored.typed, stored.pasted) == (10, 2**31 - 1)
    assert stored.active_ms < 60_000


def test_checks_warn_or_refuse_as_the_policy_says(writer, draft):
    sent = making.content(text="This is incorrect and stands there.")
    assert samples.save(writer, draft.pk, sent, draft.version).advice == {"hint_words": "warn"}
    Policy.objects.create(project=draft.project, checks={"hint_words": "refuse"})
    told = refused(samples.submit, writer, draft.pk, sent, Sample.objects.get().version)
    assert told == {"hint_words": samples.words("hint_words")}
    saved = samples.save(writer, draft.pk, making.content(), Sample.objects.get().version)
    assert saved.outcome is Outcome.SAVED
