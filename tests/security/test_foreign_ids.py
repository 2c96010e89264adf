"""Ids of another project, in every address and in every body, open nothing and say nothing."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.actions import people, places
from annotation.models import Item, Job, Label, Project, User
from tests import factories
from tests.security import routes
from tests.security.routes import FOREIGN, ask, outcome
from writing.models import Brief

ID = "IdConverter"
# No object at all has this id.
MISSING = 987_654_321


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def users(project):
    return routes.crowd(project)


@pytest.fixture
def named(project, users):
    return routes.fill(project, users)


def _with_ids() -> list[routes.Route]:
    return [route for route in routes.routes() if ID in route.parameters.values()]


def _without_numbers(text: str) -> str:
    """A page but for what differs each time: tokens, and the ids that were asked for."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"|\d+', "", text)


def test_an_id_of_another_project_is_not_found_and_looks_like_one_that_does_not_exist(users, named):
    """inception-project/inception#3223: an id from an address opens nothing by itself."""
    insider = routes.clients(users)["insider"]
    theirs = routes.fill_elsewhere() | {"slug": "flock"}
    nothing = dict.fromkeys(theirs, MISSING) | {"slug": "flock"}
    wrong = []
    for route in _with_ids():
        path = routes.path_of(route.name)
        for method in sorted(routes.taken_by(route.name)):
            foreign = ask(insider, method, path.format(**theirs))
            missing = ask(insider, method, path.format(**nothing))
            if not outcome(foreign) == outcome(missing) == FOREIGN:
                wrong.append(f"{method} {route.name}: {outcome(foreign)}, {outcome(missing)}")
            elif _without_numbers(foreign.text) != _without_numbers(missing.text):
                wrong.append(f"{method} {route.name}: the two refusals differ")
    assert wrong == []


def test_who_works_in_two_projects_finds_the_things_of_each_under_its_own_address_alone(
    users, named
):
    other = Project.objects.get(slug="elsewhere")
    theirs = routes.fill_elsewhere() | {"slug": "flock"}
    for role in routes.ROLES:
        factories.join(other, "insider", role)
    insider = routes.clients(users)["insider"]
    wrong = []
    for route in _with_ids():
        path = routes.path_of(route.name)
        if "{slug}" in path:
            for method in sorted(routes.taken_by(route.name)):
                got = outcome(ask(insider, method, path.format(**theirs)))
                if got != FOREIGN:
                    wrong.append(f"{method} {route.name}: {got}")
    assert wrong == []


def test_a_foreign_place_in_the_body_of_a_claim_changes_nothing(users, named):
    theirs = routes.fill_elsewhere()
    annotator = routes.clients(users)["annotator"]
    path = "/api/v1/projects/flock/claim/"
    answers = [ask(annotator, "POST", path, {"after": n}) for n in (theirs["place"], MISSING)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert Item.objects.get(key=answers[0].json()["item"]["key"], project__slug="flock")


def test_labels_of_another_project_are_unknown_here(users, named):
    other = Project.objects.get(slug="elsewhere")
    Label.objects.create(project=other, code="THEIRS", name="x", colour="#000000", key="x")
    browsers = routes.clients(users)
    span = {"start": 0, "end": 3}
    place = {"spans": [span | {"label": "THEIRS"}], "version": 1}
    sample = {"text": "Two goats", "spans": [span], "label": "THEIRS", "version": 1}
    for person, path, body in (
        ("annotator", f"/api/v1/assignments/{named['place']}/", place),
        ("writer", f"/api/v1/samples/{named['draft']}/", sample),
    ):
        reply = ask(browsers[person], "PUT", path, body)
        assert reply.status_code == 422 and "THEIRS" not in str(reply.json().get("sample"))


def test_a_file_names_nobody_and_no_picture_of_another_project(users, named):
    routes.fill_elsewhere()
    other = Project.objects.get(slug="elsewhere")
    other.images.update(name="theirs.png")
    rows = [
        {"key": "x", "language": "en", "question": "What?", "image_name": "theirs.png"},
        {"key": "y", "language": "en", "question": "What?", "writer": "other-writer",
         "context": "A hill."},
    ]  # fmt: skip
    file = SimpleUploadedFile("briefs.jsonl", "".join(json.dumps(r) + "\n" for r in rows).encode())
    coordinator = routes.clients(users)["coordinator"]
    count = Brief.objects.count()
    reply = coordinator.post("/p/flock/briefs/", {"do": "import", "file": file})
    assert reply.status_code == 422 and "other-writer" in reply.text
    assert Brief.objects.count() == count
    item = {"key": "x", "language": "en", "response": "Two.", "image_name": "theirs.png"}
    reply = coordinator.post(
        "/api/v1/projects/flock/items/", json.dumps(item), content_type="application/x-ndjson"
    )
    assert reply.json()["waiting"] == 1 and Item.objects.get(key="x").image is None


def test_a_token_opens_what_its_account_may_now_and_nothing_more(users, named, api_as):
    tokens = {name: people.make_token(users[name]) for name in ("removed", "stranger", "inactive")}
    User.objects.filter(username="inactive").update(is_active=False)
    got = {
        name: api_as(None)
        .get("/api/v1/projects/flock/", HTTP_AUTHORIZATION=f"Token {token}")
        .status_code
        for name, token in tokens.items()
    }
    assert got == {"removed": 404, "stranger": 404, "inactive": 401}
    listed = api_as(None).get("/api/v1/projects/", HTTP_AUTHORIZATION=f"Token {tokens['removed']}")
    assert listed.json() == []


def test_who_left_cannot_send_what_they_had_begun(project, users, named):
    place = places.claim(users["insider"], project.slug).place_id
    browser = routes.clients(users)["insider"]
    people.remove_member(None, project.participants.get(user=users["insider"]))
    body = {"spans": [], "no_hallucination": True, "version": 0, "submit": True}
    assert outcome(ask(browser, "PUT", f"/api/v1/assignments/{place}/", body)) == FOREIGN
    assert outcome(ask(browser, "GET", f"/pictures/{named['item']}/")) == FOREIGN


def test_a_job_runs_for_nobody_who_has_left(project, users, named, page_as):
    factories.join(project, "insider-2", "coordinator")
    file = SimpleUploadedFile("i.jsonl", b'{"key": "k", "language": "en", "response": "r"}\n')
    # The worker of tests runs at once; so the account leaves between two tries of one job.
    browser = page_as(users["insider"])
    browser.post("/p/flock/import/", {"file": file, "dry_run": "on"})
    job = Job.objects.latest("pk")
    people.remove_member(None, project.participants.get(user=users["insider"]))
    assert outcome(browser.get(f"/p/flock/jobs/{job.pk}/")) == FOREIGN
    assert outcome(browser.post(f"/p/flock/jobs/{job.pk}/change/", {"do": "again"})) == FOREIGN
