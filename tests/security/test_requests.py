"""What a request could smuggle in: fields nobody offered, names that pass for others, log lines."""

from __future__ import annotations

import json
import logging
import re

import pytest

from annotation.actions import people
from annotation.errors import Refused
from annotation.logs.lines import JsonLines, PlainLines
from annotation.models import Annotation, Project, User
from tests.security import routes

# What no form and no body may set.
HELD = {
    "id": 999, "pk": 999, "slug": "taken", "seed": 77, "pseudonym_key": "x" * 40,
    "is_superuser": "on",
    "is_staff": "on", "is_active": "", "user": 1, "annotator": 1, "annotator_id": 1, "project": 1,
    "project_id": 1, "state": "submitted", "submitted_at": "2001-01-01T00:00:00Z", "item": 1,
    "place": 1, "pseudonym": "taken", "made_by": 1, "writer_id": 1, "position": 99, "run": 1,
}  # fmt: skip


def kept() -> list[object]:
    """What those fields hold now, of everything that forms and bodies reach."""
    users = User.objects.order_by("pk").values_list("pk", "username", "is_superuser", "is_staff")
    projects = Project.objects.order_by("pk").values_list("pk", "slug", "seed", "pseudonym_key")
    answers = Annotation.objects.order_by("pk").values_list(
        "pk", "annotator", "item", "place", "run"
    )
    return [list(users), list(projects), list(answers)]


def test_fields_that_nobody_offered_are_left_alone(project, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    users = routes.crowd(project)
    named = routes.fill(project, users)
    browsers, before = routes.clients(users), kept()
    for name in ("project_settings", "label_edit", "member", "writing_policy"):
        path = routes.path_of(name).format(**named)
        form = browsers["coordinator"].get(path)
        sent = dict(re.findall(r'<input[^>]* name="(\w+)"[^>]* value="([^"]*)"', form.text))
        browsers["coordinator"].post(path, sent | {"roles": ["annotator"]} | HELD)
    body = {"spans": [], "version": 2} | HELD
    for person, name in (("annotator", "api_assignment"), ("writer", "api_sample")):
        path = routes.path_of(name).format(**named)
        browsers[person].put(path, json.dumps(body), content_type="application/json")
    assert kept() == before


def test_a_row_with_a_field_that_is_not_an_items_is_refused(project, coordinator, api_as):
    for field in ("project", "number", "id", "seed"):
        row = {"key": "k", "language": "en", "response": "r", field: 1}
        reply = api_as(coordinator).post(
            "/api/v1/projects/flock/items/", json.dumps(row), content_type="application/x-ndjson"
        )
        assert reply.status_code == 422 and field in reply.json()["errors"][0]["where"]


@pytest.mark.parametrize(
    "name",
    [
        "аnnotator",
        "annοtator",
        "Сoordinator",
        "a\u202eb",
        "a\u200bb",
        "a b",
        "a\nb",
        "<b>",
        "a" * 151,
    ],
)
def test_no_account_gets_a_name_that_passes_for_anothers(project, annotator, name):
    """Letters of two alphabets that look alike, marks that are not seen, blanks."""
    with pytest.raises(Refused):
        people.add_member(None, project, name, "annotator", [])


@pytest.mark.parametrize("name", ["анна", "άννα", "annè", "安娜", "anna_2@x.org", "안나"])
def test_a_name_of_one_alphabet_is_taken(project, name):
    assert people.add_member(None, project, name, "annotator", [])[1]


def test_a_name_in_another_spelling_is_the_same_account(project, annotator):
    """Full-width letters are the plain ones; composed and decomposed accents are one."""
    person, made = people.add_member(None, project, "ａｎｎｏｔａｔｏｒ", "reviewer", [])
    assert not made and person.user == annotator
    people.add_member(None, project, "ann\u00e9", "annotator", [])
    assert not people.add_member(None, project, "anne\u0301", "annotator", [])[1]


@pytest.mark.parametrize("formatter", [JsonLines(), PlainLines()])
def test_no_address_forges_a_line_of_the_log(formatter):
    record = logging.LogRecord("x", logging.ERROR, "", 1, "GET %s", ("/a\r\n2026 ERROR b",), None)
    assert len(formatter.format(record).splitlines()) == 1


def test_the_name_of_a_download_is_a_plain_word(project, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    users = routes.crowd(project)
    named = routes.fill(project, users)
    browser = routes.clients(users)["insider"]
    plain, seen = re.compile(r'(attachment|inline); filename="[A-Za-z0-9._-]+"'), 0
    for route in routes.routes():
        if "GET" in routes.taken_by(route.name):
            path = routes.path_of(route.name).format(**named)
            said = routes.ask(browser, "GET", path).get("Content-Disposition", "")
            seen += bool(said)
            assert not said or plain.fullmatch(said), (route.name, said)
    assert seen > 4


@pytest.mark.parametrize("slug", ["a%0d%0aSet-Cookie:%20x=1", "a%22;x", "..%2f..%2fetc", "a%00"])
def test_an_address_puts_nothing_into_a_header(coordinator, page_as, slug):
    reply = page_as(coordinator).get(f"/p/{slug}/progress.csv")
    assert reply.status_code == 404 and "x" not in reply.cookies
