"""Writers at the same moment: one brief, one label's last place, one text."""

from __future__ import annotations

import pytest

from annotation.actions.answers import Outcome
from annotation.errors import Refused, Unknown
from annotation.models import Item
from tests.writing import making
from tests.writing.test_require import counted
from writing.actions import review, samples, translations
from writing.models import Policy, Sample

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_of_two_gets_the_exclusive_brief_and_the_other_is_told(writer, other, brief):
    got = making.at_once(*[
        lambda person=person: samples.start(person, brief.pk) for person in (writer, other) * 2
    ])  # fmt: skip
    won = {sample.writer_id for sample in got if isinstance(sample, Sample)}
    lost = [error for error in got if isinstance(error, Refused)]
    assert len(won) == 1 and len(lost) == 2 and Sample.objects.count() == 1
    assert all(error.problems[0].where == "brief" for error in lost)
    brief.refresh_from_db()
    assert brief.writer_id in won


def test_many_clicks_on_a_shared_brief_make_one_sample_each(writer, other, project):
    brief = making.make_brief(project, "shared", shared=True)
    got = making.at_once(*[
        lambda person=person: samples.start(person, brief.pk).pk for person in (writer, other) * 3
    ])  # fmt: skip
    assert Sample.objects.count() == 2 and set(got) == set(
        Sample.objects.values_list("pk", flat=True)
    )


def test_a_sample_sent_from_two_tabs_is_sent_once(writer, brief):
    draft = making.written(writer, brief)
    sent = making.content()
    got = making.at_once(*[lambda: samples.submit(writer, draft.pk, sent, draft.version)] * 4)
    assert {saved.outcome for saved in got} == {Outcome.SAVED}
    assert draft.revisions.filter(kind="submit").count() == 1


def test_of_two_texts_on_one_version_one_is_stored_and_one_is_a_conflict(writer, brief):
    draft = making.written(writer, brief)
    got = making.at_once(*[
        lambda text=text: samples.save(writer, draft.pk, making.content(text), draft.version)
        for text in ("The first text of two.", "The second text of two.")
    ])  # fmt: skip
    assert sorted(saved.outcome.value for saved in got) == [200, 409]
    stored = Sample.objects.get().text
    assert {saved.sample.text for saved in got} == {stored}


def test_the_balance_is_what_is_stored_while_two_write_at_once(writer, other, project):
    briefs = [making.make_brief(project, f"brief-{n}") for n in range(8)]

    def work(person, mine):
        for n, brief in enumerate(mine):
            sample = making.submitted(
                person, brief, label="AB"[n % 2], text=f"Text {brief.key} " * 9
            )
            if n == 3:
                samples.delete(person, sample.pk)
        return True

    got = making.at_once(
        lambda: work(writer, briefs[:4]), lambda: work(other, briefs[4:]),
        lambda: [counted(project) for _ in range(20)],
    )  # fmt: skip
    assert got[:2] == [True, True]
    assert counted(project) == {"A": 4, "B": 2}
    assert Sample.objects.exclude(state="deleted").count() == 6


def test_the_last_place_of_a_label_goes_to_one(writer, other, project):
    Policy.objects.create(project=project, balance="require")
    briefs = [making.make_brief(project, f"brief-{n}") for n in range(4)]
    drafts = [
        (writer, making.written(writer, briefs[0], text="A tram in the rain, and nobody inside.")),
        (other, making.written(other, briefs[1], text="The mountain is covered with new snow.")),
    ]
    got = making.at_once(*[
        lambda who=who, one=one: samples.submit(who, one.pk, making.content(one.text), one.version)
        for who, one in drafts
    ])  # fmt: skip
    assert sum(isinstance(result, Refused) for result in got) == 1
    assert Sample.objects.filter(state="submitted").count() == 1


def test_two_clicks_publish_one_item(writer, coordinator, brief):
    sample = making.accepted(writer, coordinator, brief)
    got = making.at_once(*[lambda: review.publish(coordinator, sample.pk)] * 3)
    assert sum(isinstance(result, Refused) for result in got) == 2 and Item.objects.count() == 1


def test_one_post_editor_gets_the_translation_and_an_import_does_not_overwrite_it(
    writer, other, coordinator, brief, project
):
    from tests import factories

    third = factories.join(project, "third", "writer", ("fr",))
    root = making.accepted(writer, coordinator, brief)
    task = making.tasks_of(project, root)["fr"]
    row = {"sample": root.key, "language": "fr", "text": "Deux moutons blancs."}

    def edit(person):
        sent = making.content(f"Trois moutons, dit {person}.", None)
        return samples.save(person, task.pk, sent, task.version)

    got = making.at_once(
        lambda: edit(other),
        lambda: edit(third),
        lambda: translations.import_translations(None, project, making.lines(row), "a.jsonl"),
    )
    stored = Sample.objects.get(pk=task.pk)
    report = got[2]
    if report.new:  # it came first: both are told that another text stands there now
        assert {saved.outcome for saved in got[:2]} == {Outcome.CONFLICT}
        assert stored.text == row["text"]
    else:
        assert sum(isinstance(result, Unknown) for result in got[:2]) == 1
        assert stored.text.startswith("Trois moutons") and stored.machine == ""
