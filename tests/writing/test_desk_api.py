"""The contract of /api/v1/samples/ID/ and of the balance."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Label
from tests.writing import making
from writing.actions import samples
from writing.models import Policy, Sample, SampleRevision

TEXT = "Two white sheep stand on a green hill."
BODY = {"label": "D", "text": TEXT, "spans": [{"start": 0, "end": 3}], "version": 0}


@pytest.fixture
def sample(writer, brief):
    return samples.start(writer, brief.pk)


@pytest.fixture
def api(api_as, writer):
    return api_as(writer)


@pytest.fixture
def put(api, sample):
    def send(**body):
        return api.put(f"/api/v1/samples/{sample.pk}/", BODY | body, format="json")

    return send


def places(reply) -> list[str]:
    return [error["where"] for error in reply.json()["errors"]]


def test_a_draft_is_saved_and_comes_back_whole(put, api, sample):
    reply = put(typed=38, pasted=2)
    assert reply.status_code == 200
    found = reply.json()
    assert set(found) == {"sample", "advice", "balance"}
    saved = found["sample"]
    assert {k: saved[k] for k in ("label", "text", "spans", "version", "state", "edit_mode")} == {
        "label": "D",
        "text": TEXT,
        "spans": [{"start": 0, "end": 3}],
        "version": 1,
        "state": "draft",
        "edit_mode": False,
    }
    assert (saved["typed"], saved["pasted"]) == (38, 2)
    assert api.get(f"/api/v1/samples/{sample.pk}/").json() == found


@pytest.mark.parametrize(
    "text", ["a\n\n", " 😀 **b**\t", "x\r\ny\rz", "\u202eאבג\u202c", "e\u0301 \ufeff.", "\n"]
)
def test_every_code_point_is_kept(put, text):
    assert put(text=text, spans=[]).json()["sample"]["text"] == text
    assert Sample.objects.get().text == text


def test_edits_give_text_and_spans(put):
    edits = [{"start": 4, "end": 9, "hallucinated": "black"}]
    found = put(text="", spans=[], correct=TEXT, edits=edits, edit_mode=True).json()["sample"]
    assert found["text"] == TEXT.replace("white", "black")
    assert found["spans"] == [{"start": 4, "end": 9}]
    assert found["edits"] == [edits[0] | {"original": "white"}]
    assert (found["origin"], found["edit_mode"], found["correct"]) == ("edited", True, TEXT)


def test_another_version_is_a_conflict_that_shows_what_is_stored(put):
    put()
    reply = put(text="Another text.")
    assert reply.status_code == 409
    assert (reply.json()["sample"]["text"], reply.json()["sample"]["version"]) == (TEXT, 1)
    assert put().status_code == 200  # the stored content sent again
    assert SampleRevision.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"label": "E"}, "label"),
        ({"label": "A,B"}, "label"),
        ({"label": 7}, "label"),
        ({"spans": [{"start": 0, "end": 99}]}, "spans[0].end"),
        ({"spans": [{"start": 3, "end": 3}]}, "spans[0].end"),
        ({"spans": [{"start": "0", "end": 3}]}, "spans[0].start"),
        ({"spans": [{"start": 0, "end": 3}, {"start": 2, "end": 5}]}, "spans[1]"),
        ({"text": "a\x00b", "spans": []}, "text"),
        ({"text": "a" * 20_001}, "text"),
        ({"text": None}, "text"),
        ({"typed": -1}, "typed"),
        ({"declared": "yes"}, "declared"),
        ({"version": None}, "version"),
        ({"edit_mode": True, "correct": "ab", "edits": [{"start": 3, "end": 4,
          "hallucinated": ""}]}, "edits[0]"),
        ({"edit_mode": True, "correct": "ab", "edits": [{"start": 0, "end": 1,
          "hallucinated": "a"}]}, "edits[0]"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_at_its_field(put, body, where):
    reply = put(**body)
    assert (reply.status_code, places(reply)[0]) == (422, where)
    assert Sample.objects.get().version == 0


def test_a_field_that_is_left_out_wipes_nothing(api, put, sample):
    put()
    reply = api.put(f"/api/v1/samples/{sample.pk}/", {"version": 1}, format="json")
    assert reply.status_code == 422 and places(reply) == ["text", "spans"]


def test_sending_asks_for_all_that_is_missing_at_once(put):
    reply = put(text=" ", spans=[], label=None, submit=True)
    assert reply.status_code == 422
    assert places(reply) == ["text", "label", "spans", "declared"]
    assert Sample.objects.get().state == "draft"


def test_a_sample_is_sent_once(put):
    first = put(submit=True, declared=True)
    again = put(submit=True, declared=True)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["sample"] == again.json()["sample"]
    assert first.json()["sample"]["state"] == "submitted"
    assert put(text="Later.", spans=[], version=2).status_code == 422
    assert Sample.objects.count() == 1


def test_advice_comes_in_words_with_the_field_it_is_about(put, project):
    found = {one["check"]: one for one in put(text="Wrong.", spans=[]).json()["advice"]}
    assert found["hint_words"]["level"] == "warn" and found["hint_words"]["where"] == "text"
    assert "gives the error away" in found["hint_words"]["message"]
    Policy.objects.create(project=project, checks={"hint_words": "refuse"})
    text = "Two sheep stand on a hill; this is incorrect."
    reply = put(version=1, text=text, submit=True, declared=True)
    assert reply.status_code == 422 and "hint_words" in places(reply)


def test_the_balance_counts_what_is_stored(put, api, other, project, sample):
    making.written(other, making.make_brief(project, "b-2"), label="A")
    balance = put().json()["balance"]
    assert [row["count"] for row in balance["all"]] == [1, 0, 0, 1]
    assert [row["count"] for row in balance["own"]] == [0, 0, 0, 1]
    assert balance["total"] == 2 and balance["suggestion"] in "BC"
    address = f"/api/v1/projects/{project.slug}/balance/"
    assert api.get(address + "?language=en").json() == balance == api.get(address).json()
    assert api.delete(f"/api/v1/samples/{sample.pk}/").status_code == 204
    assert [row["count"] for row in api.get(address).json()["all"]] == [1, 0, 0, 0]


def test_the_balance_is_of_ones_own_languages(api, api_as, coordinator, project):
    address = f"/api/v1/projects/{project.slug}/balance/"
    assert places(api.get(address + "?language=fr")) == ["language"]
    found = api_as(coordinator).get(address + "?language=fr").json()
    assert found["language"] == "fr" and sum(row["count"] for row in found["own"]) == 0
    assert places(api_as(coordinator).get(address + "?language=xx")) == ["language"]


@pytest.mark.parametrize("method", ["get", "put", "delete"])
def test_samples_of_others_are_not_found(api_as, other, stranger, coordinator, sample, method):
    for user in (other, stranger, coordinator):
        reply = getattr(api_as(user), method)(f"/api/v1/samples/{sample.pk}/", {}, format="json")
        assert reply.status_code == 404
    assert Sample.objects.get().state == "draft"


def test_a_deleted_sample_is_gone_and_its_brief_free(api, sample, brief):
    assert api.delete(f"/api/v1/samples/{sample.pk}/").status_code == 204
    brief.refresh_from_db()
    assert brief.writer is None
    assert api.get(f"/api/v1/samples/{sample.pk}/").status_code == 404


def test_a_sample_is_deleted_in_the_version_that_was_looked_at(put, api, sample):
    put()
    late = api.delete(f"/api/v1/samples/{sample.pk}/?version=0")
    assert late.status_code == 409 and late.json()["sample"]["text"] == TEXT
    assert places(api.delete(f"/api/v1/samples/{sample.pk}/?version=x")) == ["version"]
    assert Sample.objects.get().state == "draft"
    assert api.delete(f"/api/v1/samples/{sample.pk}/?version=1").status_code == 204


def test_a_save_takes_as_many_queries_with_many_samples(put, project, other):
    put()
    with CaptureQueriesContext(connection) as few:
        put(version=1, text=TEXT + " It is warm.")
    for n in range(8):
        making.written(other, making.make_brief(project, f"more-{n}"), text=f"{TEXT} No {n}.")
    Label.objects.create(project=project, code="F", name="F", colour="#123456", position=9)
    with CaptureQueriesContext(connection) as many:
        put(version=2, text=TEXT + " It is cold.")
    assert len(many) == len(few) <= 26


def test_an_expired_session_is_401(api_as, sample):
    reply = api_as(None).put(f"/api/v1/samples/{sample.pk}/", BODY, format="json")
    assert reply.status_code == 401


def test_a_label_that_is_full_is_refused_where_balance_is_required(put, project, other):
    Policy.objects.create(project=project, balance="require")
    making.submitted(other, making.make_brief(project, "b-2"), text="Three sheep run away.")
    reply = put(label="A", submit=True, declared=True)
    assert reply.status_code == 422 and places(reply) == ["label"]
