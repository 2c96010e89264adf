"""The contract of PUT /api/v1/assignments/ID/, line by line."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import places
from annotation.models import Annotation, Assignment, Label, Revision
from tests import factories

SPAN = {"start": 4, "end": 9, "label": "A"}


@pytest.fixture
def api(api_as, annotator):
    return api_as(annotator)


@pytest.fixture
def place(project, api):
    factories.make_item(project)
    return api.post(f"/api/v1/projects/{project.slug}/claim/").json()


@pytest.fixture
def put(api, place):
    def send(version=0, spans=(), **body):
        return api.put(
            f"/api/v1/assignments/{place['id']}/",
            {"spans": list(spans), "version": version} | body,
            format="json",
        )

    return send


def test_a_claim_makes_an_empty_draft(place):
    assert place["annotation"] == {
        "version": 0,
        "state": "draft",
        "spans": [],
        "comment": "",
        "no_hallucination": False,
        "active_ms": 0,
        "submitted_at": None,
        "draft": None,
    }
    assert set(place) == {"id", "state", "leased_until", "item", "annotation"}


@pytest.mark.parametrize(
    ("span", "where"),
    [
        ({"start": "4", "end": 9, "label": "A"}, "spans[0].start"),
        ({"start": 4.0, "end": 9, "label": "A"}, "spans[0].start"),
        ({"start": True, "end": 9, "label": "A"}, "spans[0].start"),
        ({"start": -1, "end": 9, "label": "A"}, "spans[0].start"),
        ({"start": 4, "end": 4, "label": "A"}, "spans[0].end"),
        ({"start": 9, "end": 4, "label": "A"}, "spans[0].end"),
        ({"start": 4, "end": 999, "label": "A"}, "spans[0].end"),
        ({"start": 4, "end": 9, "label": "Z"}, "spans[0].label"),
        ({"start": 4, "end": 9, "label": 1}, "spans[0].label"),
        ({"start": 4, "end": 9}, "spans[0].label"),
    ],
)
def test_a_wrong_span_is_refused_with_its_place_and_nothing_is_written(put, span, where):
    answer = put(spans=[span])
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == where
    assert Annotation.objects.get().version == 0


@pytest.mark.parametrize(
    "body",
    [
        {"comment": "a\x00b"},
        {"comment": 3},
        {"no_hallucination": "yes"},
        {"submit": 1},
        {"active_ms": -5},
        {"active_ms": "5"},
        {"version": "0"},
        {"submit": True},
        {"spans": [SPAN], "no_hallucination": True},
        {"spans": [{"start": 0, "end": 3, "label": "E"}], "submit": True},
        {"spans": [SPAN, {"start": 8, "end": 12, "label": "B"}]},
        {"spans": "none"},
    ],
)
def test_a_wrong_body_is_refused_and_nothing_is_written(put, body):
    answer = put(**body)
    assert answer.status_code == 422 and answer.json()["errors"]
    assert Annotation.objects.get().version == 0


def test_a_lone_surrogate_is_refused(api, place):
    answer = api.put(
        f"/api/v1/assignments/{place['id']}/",
        r'{"spans": [], "version": 0, "comment": "\ud83d"}',
        content_type="application/json",
    )
    assert answer.status_code == 422


def test_broken_json_is_400(api, place):
    answer = api.put(f"/api/v1/assignments/{place['id']}/", "{", content_type="application/json")
    assert answer.status_code == 400 and answer.json()["errors"]


def test_an_archived_label_is_refused(put):
    Label.objects.filter(code="A").update(archived=True)
    assert put(spans=[SPAN]).status_code == 422


def test_touching_spans_are_accepted(put):
    assert put(spans=[SPAN, {"start": 9, "end": 12, "label": "B"}]).status_code == 200


def test_an_accepted_change_adds_one_version_and_cuts_the_quote(put):
    answer = put(spans=[SPAN], comment=" keeps its blanks \n")
    assert answer.status_code == 200
    assert answer.json()["version"] == 1
    assert answer.json()["spans"] == [SPAN | {"quote": "white"}]
    assert answer.json()["comment"] == " keeps its blanks \n"


@pytest.mark.parametrize("version", [0, 1])
def test_a_repeat_is_200_without_a_new_revision(put, version):
    put(spans=[SPAN], active_ms=0)
    answer = put(version, spans=[SPAN])
    assert (answer.status_code, answer.json()["version"]) == (200, 1)
    assert Revision.objects.count() == 1


def test_submitting_twice_is_submitting_once(put):
    put(spans=[SPAN], submit=True)
    assert put(spans=[SPAN], submit=True).json()["version"] == 1
    assert Revision.objects.filter(kind="submit").count() == 1


def test_another_version_is_a_conflict_that_shows_the_stored_answer(put):
    """inception-project/inception#4454: the older tab does not overwrite."""
    put(spans=[SPAN])
    put(1, spans=[])
    answer = put(1, spans=[SPAN], comment="other")
    assert answer.status_code == 409
    assert answer.json()["annotation"]["spans"] == []
    assert Annotation.objects.get().version == 2


def test_marking_order_is_kept(put):
    later_first = [{"start": 10, "end": 15, "label": "B"}, SPAN]
    put(spans=later_first)
    assert [s["start"] for s in put(1, spans=later_first).json()["spans"]] == [10, 4]


def test_a_correction_is_a_draft_until_it_is_submitted(put, api, place):
    """HumanSignal/label-studio#1790: no older draft replaces the corrected answer."""
    put(spans=[SPAN], submit=True)
    answer = put(1, spans=[SPAN | {"label": "B"}]).json()
    assert (answer["state"], answer["spans"][0]["label"]) == ("submitted", "A")
    assert answer["draft"]["spans"][0] == SPAN | {"label": "B", "quote": "white"}
    assert Assignment.objects.get(pk=place["id"]).state == "submitted"
    answer = put(2, spans=[SPAN | {"label": "B"}], submit=True).json()
    assert (answer["spans"][0]["label"], answer["draft"], answer["version"]) == ("B", None, 3)
    assert api.get(f"/api/v1/assignments/{place['id']}/").json()["annotation"] == answer


def test_a_correction_taken_back_leaves_no_draft(put):
    put(spans=[SPAN], submit=True)
    put(1, spans=[])
    assert put(2, spans=[SPAN]).json()["draft"] is None


def test_each_accepted_save_renews_the_lease(put, place):
    soon = timezone.now() + timedelta(minutes=1)
    Assignment.objects.filter(pk=place["id"]).update(leased_until=soon)
    put(spans=[SPAN])
    assert Assignment.objects.get(pk=place["id"]).leased_until > soon + timedelta(minutes=20)


def test_a_place_that_somebody_else_took_keeps_the_late_answer_aside(put, place, second, project):
    """HumanSignal/label-studio#3568: the late one is told, the work is kept."""
    Assignment.objects.filter(pk=place["id"]).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )
    places.claim(second, project.slug)
    answer = put(0, spans=[SPAN], submit=True)
    assert answer.status_code == 410
    assert answer.json()["annotation"]["state"] == "set_aside"
    assert answer.json()["annotation"]["spans"][0]["quote"] == "white"
    assert put(0, spans=[SPAN], submit=True).status_code == 410
    assert Annotation.objects.get(state="set_aside").version == 1


def test_a_place_whose_lease_ran_out_can_be_submitted_while_nobody_took_it(put, place):
    Assignment.objects.filter(pk=place["id"]).update(
        leased_until=timezone.now() - timedelta(hours=1)
    )
    assert put(spans=[SPAN], submit=True).json()["state"] == "submitted"


def test_active_time_grows_no_more_than_the_clock_and_not_for_a_repeat(put):
    """HumanSignal/label-studio PR 6406: time is not counted twice."""
    Annotation.objects.update(saved_at=timezone.now() - timedelta(seconds=60))
    assert put(spans=[SPAN], active_ms=40_000).json()["active_ms"] == 40_000
    assert put(0, spans=[SPAN], active_ms=40_000).json()["active_ms"] == 40_000
    assert put(1, spans=[], active_ms=9_000_000).json()["active_ms"] < 45_000


def test_the_history_holds_every_accepted_answer(put):
    put(spans=[SPAN], comment="one")
    put(1, spans=[], comment="two")
    put(2, spans=[], no_hallucination=True, submit=True)
    history = list(Revision.objects.order_by("version").values_list("kind", "version", "answer"))
    assert [(kind, version) for kind, version, _ in history] == [
        ("save", 1),
        ("save", 2),
        ("submit", 3),
    ]
    assert history[0][2]["spans"] == [SPAN] and history[0][2]["comment"] == "one"


@pytest.mark.parametrize("spans", [1, 60])
def test_a_save_costs_the_same_queries_whatever_the_spans(
    project, api, django_assert_max_num_queries, spans
):
    factories.make_item(project, response="word " * 60)
    place = api.post(f"/api/v1/projects/{project.slug}/claim/").json()["id"]
    body = {
        "spans": [{"start": 5 * n, "end": 5 * n + 4, "label": "A"} for n in range(spans)],
        "version": 0,
        "submit": True,
    }
    with django_assert_max_num_queries(16):
        assert api.put(f"/api/v1/assignments/{place}/", body, format="json").status_code == 200


def test_an_empty_report_is_refused(api, place):
    answer = api.post(f"/api/v1/assignments/{place['id']}/report/", {"reason": " "}, format="json")
    assert answer.status_code == 422
    assert Assignment.objects.get(pk=place["id"]).state == "claimed"


def test_a_report_gives_the_place_its_own_state(api, place):
    """HumanSignal/label-studio#347: a reported item is neither done nor gone."""
    answer = api.post(
        f"/api/v1/assignments/{place['id']}/report/", {"reason": "no picture"}, format="json"
    )
    assert answer.status_code == 200
    assert Assignment.objects.get(pk=place["id"]).state == "reported"
    assert Annotation.objects.get().reason == "no picture"


def test_a_submitted_answer_cannot_be_reported(api, put, place):
    put(spans=[SPAN], submit=True)
    answer = api.post(f"/api/v1/assignments/{place['id']}/report/", {"reason": "x"}, format="json")
    assert answer.status_code == 422


def test_the_item_tells_nothing_of_where_it_came_from(project, api):
    factories.make_item(
        project, prelabel="B", model="m", strategy="human", expectation={"label": "B"}
    )
    item = api.post(f"/api/v1/projects/{project.slug}/claim/").json()["item"]
    assert set(item) == {
        "key", "language", "question", "response", "image_url", "context", "context_format",
    }  # fmt: skip
