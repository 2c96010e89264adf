"""The policy: what is stored, what is refused, and that the page keeps what was typed."""

from __future__ import annotations

import pytest

from annotation.errors import Forbidden, Refused
from annotation.models import Label
from tests.writing import making
from writing.actions import samples
from writing.actions.policy import change_policy
from writing.checks import CHECKS
from writing.models import Policy
from writing.selectors.balance import policy_of

PATH = "/p/flock/samples/policy/"


def form(**fields):
    checks = {f"check-{name}": "warn" for name in CHECKS}
    return {"balance": "suggest", "changed_share": "0.3"} | checks | fields


def refused(project, **values):
    whole = {"balance": "suggest", "targets": {}, "checks": {}, "changed_share": 0.3} | values
    with pytest.raises(Refused) as caught:
        change_policy(None, project, **whole)
    assert not Policy.objects.exists()
    return [problem.where for problem in caught.value.problems]


def test_what_is_saved_is_what_the_writers_meet(project, coordinator, page_as):
    sent = form(balance="require", changed_share="0,25", **{"target-A": "0.4", "target-D": "0"})
    sent["check-hint_words"] = "refuse"
    page = page_as(coordinator)
    assert page.post(PATH, sent).url == PATH
    policy = policy_of(project)
    assert (policy.balance, policy.targets) == ("require", {"A": 0.4, "D": 0.0})
    assert policy.changed_share == 0.25 and policy.checks["hint_words"] == "refuse"
    shown = page.get(PATH)
    assert shown.context["values"]["target-A"] == "0.4"
    assert shown.context["values"]["target-B"] == "" and shown.context["values"]["target-D"] == "0"
    assert page.post(PATH, form()).status_code == 302
    assert Policy.objects.get().targets == {}


def test_a_check_that_refuses_holds_a_sample_back(project, writer):
    change_policy(None, project, "suggest", {}, {"hint_words": "refuse"}, 0.3)
    brief = making.make_brief(project)
    with pytest.raises(Refused, match="hint_words"):
        making.submitted(writer, brief, text="Two wrong sheep are there.")
    change_policy(None, project, "suggest", {}, {"hint_words": "off"}, 0.3)
    sample = samples.start(writer, brief.pk)
    said = making.content(text="Two wrong sheep are there.")
    assert "hint_words" not in samples.submit(writer, sample.pk, said, sample.version).advice


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"balance": "perhaps"}, ["balance"]),
        ({"targets": {"A": 1.01}}, ["target-A"]),
        ({"targets": {"A": -0.1, "B": float("nan")}}, ["target-A", "target-B"]),
        ({"targets": {"A": 0.6, "B": 0.6}}, ["targets"]),
        ({"targets": dict.fromkeys("ABCD", 0.0)}, ["targets"]),
        ({"targets": {"E": 0.1}}, ["targets"]),
        ({"targets": {"Z": 0.1}}, ["targets"]),
        ({"checks": {"hint_words": "maybe"}}, ["hint_words"]),
        ({"checks": {"spelling": "off"}}, ["spelling"]),
        ({"changed_share": 1.5}, ["changed_share"]),
        ({"changed_share": float("nan")}, ["changed_share"]),
    ],
)
def test_what_cannot_be_is_refused_by_name(project, values, where):
    assert refused(project, **values) == where


def test_shares_that_sum_to_one_are_one_in_floating_point_too(project):
    thirds = dict.fromkeys("ABC", 1 / 3) | {"D": 0.0}
    assert change_policy(None, project, "suggest", thirds, {}, 0).targets == thirds
    tenths = {"A": 0.1, "B": 0.2, "C": 0.3, "D": 0.4}
    assert change_policy(None, project, "suggest", tenths, {}, 1).targets == tenths


@pytest.mark.parametrize("typed", ["a lot", "inf", "1e400", "nan"])
def test_what_is_no_number_is_refused_and_stays_in_the_form(project, coordinator, page_as, typed):
    reply = page_as(coordinator).post(PATH, form(**{"target-A": typed, "target-B": "0.2"}))
    assert reply.status_code == 422
    assert reply.context["values"]["target-A"] == typed
    assert reply.context["values"]["target-B"] == "0.2"
    assert "The share of A lies between 0 and 1." in reply.text
    assert not Policy.objects.exists()


def test_a_label_that_is_written_no_more_leaves_the_form(project, coordinator, page_as):
    change_policy(None, project, "suggest", {"A": 0.4}, {}, 0.3)
    Label.objects.filter(code="A").update(writable=False)
    page = page_as(coordinator)
    assert "target-A" not in page.get(PATH).context["values"]
    assert page.post(PATH, form()).status_code == 302


def test_only_coordinators_change_it(project, writer, annotator, page_as):
    with pytest.raises(Forbidden):
        change_policy(writer, project, "require", {}, {}, 0.3)
    for user in (writer, annotator):
        assert page_as(user).post(PATH, form(balance="require")).status_code == 403
    assert not Policy.objects.exists()
