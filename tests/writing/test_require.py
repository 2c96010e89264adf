"""A strict policy refuses a full label and nothing else; the balance is what is stored."""

from __future__ import annotations

import pytest

from annotation.errors import Refused
from tests.writing import making
from writing.actions import review, samples
from writing.models import Policy, Sample
from writing.selectors.balance import counts, shares


def texts():
    """Texts that are no near-duplicates."""
    words = ("tram", "river", "church tower", "old bicycle", "yellow umbrella", "bakery", "dog")
    return iter([f"A {word} stands where somebody left it {n} days ago." for n, word in
                 enumerate(words)])  # fmt: skip


def counted(project, language="en", writer=None) -> dict[str, int]:
    found = shares(project, language, writer)["own" if writer else "all"]
    return {share.label: share.count for share in found if share.count}


@pytest.fixture
def briefs(project):
    return [making.make_brief(project, f"brief-{n}") for n in range(4)]


@pytest.fixture
def strict(project):
    return Policy.objects.create(project=project, balance="require")


def test_a_full_label_is_refused_and_nothing_else(writer, other, coordinator, briefs, strict):
    first, second, third, _ = briefs
    making.submitted(writer, first, label="A")
    draft = making.written(other, second, label="A", text="Quite another answer is this.")
    sent = making.content("Quite another answer is this.", "A")
    with pytest.raises(Refused) as error:
        samples.submit(other, draft.pk, sent, draft.version)
    [problem] = error.value.problems
    assert problem.where == "label" and "(1 of 1)" in problem.message
    assert Sample.objects.get(pk=draft.pk).state == "draft"
    sent = making.content("Quite another answer is this.", "B")
    assert samples.submit(other, draft.pk, sent, draft.version).sample.state == "submitted"
    french = making.make_brief(draft.project, "fr", language="fr")
    assert making.submitted(other, french, label="A").state == "submitted"


def test_with_fewer_briefs_than_labels_any_label_can_be_written_once(writer, project, strict):
    brief = making.make_brief(project)
    for code in "ABCD":
        sample = making.submitted(writer, brief, label=code)
        assert sample.state == "submitted"
        samples.delete(writer, sample.pk)


def test_a_label_without_a_share_is_refused(writer, project, strict):
    Policy.objects.update(targets={"A": 0})
    draft = making.written(writer, making.make_brief(project), label="A")
    with pytest.raises(Refused) as error:
        samples.submit(writer, draft.pk, making.content(label="A"), draft.version)
    assert error.value.problems[0].where == "label"


@pytest.mark.parametrize("policy", ["suggest", "warn"])
def test_a_milder_policy_takes_a_full_label(writer, briefs, strict, policy):
    Policy.objects.update(balance=policy)
    made = [making.submitted(writer, brief, text=text) for brief, text in
            zip(briefs, texts(), strict=False)]  # fmt: skip
    assert {sample.state for sample in made} == {"submitted"}


def test_an_earlier_draft_takes_its_place_as_the_balance_says_and_a_later_one_does_not(
    writer, other, briefs, strict
):
    early = making.written(writer, briefs[0], label="A", text="A draft that was begun first.")
    late = making.written(other, briefs[1], label="A")
    assert counted(early.project) == {"A": 2}
    with pytest.raises(Refused) as error:
        samples.submit(other, late.pk, making.content(), late.version)
    assert "(1 of 1)" in error.value.problems[0].message
    samples.submit(writer, early.pk, making.content(early.text), early.version)
    with pytest.raises(Refused):
        samples.submit(other, late.pk, making.content(), late.version)
    samples.delete(writer, early.pk)
    assert samples.submit(other, late.pk, making.content(), late.version).sample.label.code == "A"


def test_a_place_given_back_is_free(writer, other, coordinator, briefs, strict):
    sample = making.submitted(other, briefs[1], label="A")
    sample = review.send_back(coordinator, sample.pk, "Shorter.")
    again = samples.submit(other, sample.pk, making.content(label="A"), sample.version)
    assert again.sample.state == "submitted"
    samples.delete(other, sample.pk)
    assert making.submitted(other, briefs[2], label="A").state == "submitted"


def test_the_balance_is_what_is_stored_after_every_step(writer, other, coordinator, briefs):
    project = briefs[0].project
    one = making.written(writer, briefs[0], label="A", text=next(texts()))
    assert counted(project) == {"A": 1}
    one = samples.submit(writer, one.pk, making.content("Changed it is.", "B"), 1).sample
    assert counted(project) == {"B": 1}
    two = making.submitted(other, briefs[1], label="A", text="Another one of another writer.")
    assert counted(project) == {"A": 1, "B": 1}
    assert counted(project, writer=one.writer) == {"B": 1}
    review.send_back(coordinator, two.pk, "Once more.")
    assert counted(project) == {"A": 1, "B": 1}
    samples.delete(other, two.pk)
    assert counted(project) == {"B": 1}
    review.accept(coordinator, one.pk)
    review.publish(coordinator, one.pk)
    newer = review.revise(coordinator, one.pk)
    newer = samples.submit(writer, newer.pk, making.content("A new text.", "D"), 0).sample
    assert counted(project) == {"B": 1}
    review.accept(coordinator, newer.pk)
    making.tasks_of(project, one)
    review.publish(coordinator, newer.pk)
    assert counted(project) == {"D": 1} and counted(project, "fr") == {}


def test_the_balance_is_one_query(writer, briefs, django_assert_num_queries):
    for brief, text in zip(briefs, texts(), strict=False):
        making.written(writer, brief, text=text)
    project, person = briefs[0].project, briefs[0].project.participants.get(user=writer)
    with django_assert_num_queries(1):
        assert counts(project) == [("en", "A", person.pk, 4)]
    with django_assert_num_queries(4):
        shares(project, "en")
