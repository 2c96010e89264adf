"""Every role against every route of the API: allowed, 401, 403 or 404."""

from __future__ import annotations

import json

import pytest
from django.urls import get_resolver

from annotation.actions import places
from tests import factories
from tests.writing import making

OK, NO, FOREIGN, LOGIN = "ok", 403, 404, 401
# route -> method, path, then what each of these gets:
# nobody, coordinator, annotator (who holds the place), another annotator, writer, stranger
TABLE = {
    "api_projects": ("get", "projects/", (LOGIN, OK, OK, OK, OK, OK)),
    "api_project": ("get", "projects/flock/", (LOGIN, OK, OK, OK, OK, FOREIGN)),
    "api_progress": ("get", "projects/flock/progress/", (LOGIN, OK, NO, NO, NO, FOREIGN)),
    "api_items": ("post", "projects/flock/items/", (LOGIN, OK, NO, NO, NO, FOREIGN)),
    "api_export": ("get", "projects/flock/export/?format=sheep", (LOGIN, OK, NO, NO, NO, FOREIGN)),
    "api_agreement": ("get", "projects/flock/agreement/", (LOGIN, OK, NO, NO, NO, FOREIGN)),
    "api_claim": ("post", "projects/flock/claim/", (LOGIN, NO, OK, OK, NO, FOREIGN)),
    "api_assignment": (
        "get",
        "assignments/{place}/",
        (LOGIN, FOREIGN, OK, FOREIGN, FOREIGN, FOREIGN),
    ),
    "api_report": (
        "post",
        "assignments/{place}/report/",
        (LOGIN, FOREIGN, OK, FOREIGN, FOREIGN, FOREIGN),
    ),
    "api_sample": ("get", "samples/{sample}/", (LOGIN, *[FOREIGN] * 3, OK, FOREIGN)),
    "api_balance": ("get", "projects/flock/balance/", (LOGIN, OK, NO, NO, OK, FOREIGN)),
    "api_schema": ("get", "schema/", (LOGIN, OK, OK, OK, OK, OK)),
}
PEOPLE = ("nobody", "coordinator", "annotator", "second", "writer", "stranger")
BODIES = {"api_report": {"reason": "no picture"}, "api_items": []}


def routes() -> set[str]:
    return {
        str(name)
        for name in get_resolver().reverse_dict
        if isinstance(name, str) and name.startswith("api_")
    }


@pytest.fixture
def people(project, coordinator, annotator, second, stranger):
    writer = factories.join(project, "writer", "writer")
    return dict(zip(PEOPLE, (None, coordinator, annotator, second, writer, stranger), strict=True))


def test_every_route_of_the_api_stands_in_the_table():
    assert routes() == set(TABLE)


@pytest.mark.parametrize("route", TABLE)
@pytest.mark.parametrize("person", PEOPLE)
def test_each_role_gets_what_the_table_says(route, person, people, project, api_as):
    factories.make_item(project)
    method, path, expected = TABLE[route]
    path = "/api/v1/" + path.format(
        place=places.claim(people["annotator"], project.slug).place_id,
        sample=making.written(people["writer"], making.make_brief(project)).pk,
    )
    answer = (
        getattr(api_as(people[person]), method)(path, BODIES.get(route, {}), format="json")
        if method == "post"
        else api_as(people[person]).get(path)
    )
    wanted = expected[PEOPLE.index(person)]
    if wanted == OK:
        assert answer.status_code < 400 or answer.status_code == 422
    else:
        assert answer.status_code == wanted
        assert json.loads(answer.content)["errors"][0]["message"]


@pytest.mark.parametrize("method", ["put", "get"])
def test_a_foreign_place_is_not_found_whatever_the_body_says(
    project, annotator, stranger, api_as, method
):
    """inception-project/inception#3223: ids of others open nothing."""
    factories.make_item(project)
    place = places.claim(annotator, project.slug).place_id
    answer = getattr(api_as(stranger), method)(
        f"/api/v1/assignments/{place}/", {"spans": "wrong"}, format="json"
    )
    assert answer.status_code == 404


@pytest.mark.parametrize("header", ["Token", "Token nonsense", "Token a b", "Token \xff"])
def test_a_wrong_token_is_401(api_as, header):
    answer = api_as(None).get("/api/v1/projects/", HTTP_AUTHORIZATION=header)
    assert answer.status_code == 401


def test_progress_of_others_is_in_no_answer_an_annotator_gets(project, annotator, second, api_as):
    """inception-project/inception#3335: counts do not leak either."""
    factories.make_item(project)
    places.claim(second, project.slug)
    mine = api_as(annotator).get("/api/v1/projects/").json()[0]["progress"]
    assert mine == {"submitted": 0, "claimed": 0, "left": 1}
