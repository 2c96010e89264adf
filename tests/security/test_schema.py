"""What the OpenAPI schema allows is asked of a real server: no answer is an error of the server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from annotation.actions import people, places
from annotation.views.failures import not_found
from tests import factories
from tests.security.routes import API, METHODS, ROLES, routes
from tests.writing import making

SCHEMATHESIS = Path(sys.executable).parent / "schemathesis"
CONFIG = """
[parameters]
"path.slug" = "flock"
[[operations]]
include-path-regex = "/assignments/"
parameters = {{ "path.id" = {place} }}
[[operations]]
include-path-regex = "/samples/"
parameters = {{ "path.id" = {sample} }}
"""


@pytest.mark.servers
@pytest.mark.django_db(transaction=True)
def test_no_request_that_the_schema_allows_or_forbids_breaks_the_server(
    project, live_server, tmp_path, settings
):
    settings.MEDIA_ROOT = tmp_path
    for role in ROLES:
        user = factories.join(project, "asker", role)
    for n in range(3):
        factories.make_item(project, f"item-{n}")
    sample = making.written(user, making.make_brief(project)).pk
    place = places.claim(user, project.slug).place_id
    (tmp_path / "asked.toml").write_text(CONFIG.format(place=place, sample=sample))
    words = ["--config-file", tmp_path / "asked.toml", "run", f"{live_server.url}/api/v1/schema/"]
    words += ["--header", f"Authorization: Token {people.make_token(user)}", "--seed", "1"]
    words += ["--checks", "not_a_server_error", "--phases", "fuzzing", "--max-examples", "6"]
    words += ["--max-time", "12", "--no-color", "--no-shrink", "--generation-database", "none"]
    done = subprocess.run(
        [SCHEMATHESIS, *map(str, words)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "Tested: " in done.stdout and "Tested: 0" not in done.stdout


@pytest.fixture
def schema(api_as, coordinator):
    return api_as(coordinator).get("/api/v1/schema/").json()


def test_the_schema_holds_every_route_of_the_api_with_every_method(schema):
    told = {
        (method.upper(), path.count("{"))
        for path, operations in schema["paths"].items()
        for method in operations
    }
    paths = len(schema["paths"])
    assert paths == len([r for r in routes() if r.name in API]) - 1  # the schema is not in itself
    for methods, path, _who in API.values():
        for method in methods.split():
            assert (method, path.count("{")) in told


def test_every_operation_says_how_it_refuses(schema):
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            wanted = {"401", "403"} | ({"404"} if "{" in path else set())
            if "requestBody" in operation:
                wanted |= {"400", "413", "415", "422"}
            assert wanted <= set(operation["responses"]), path
            assert {"token": []} in operation["security"]


@pytest.mark.parametrize("method", METHODS)
def test_an_address_that_the_api_has_not_is_refused_in_its_own_form(api_as, annotator, method):
    for path in ("/api/v1/no/", "/api/v1/assignments/x/", "/api/", "/api/v1/assignments/-1/"):
        reply = getattr(api_as(annotator), method.lower())(path)
        assert reply.status_code == 404
        assert json.loads(reply.content)["errors"][0]["message"]


def test_a_page_that_there_is_not_stays_a_page(rf):
    request = rf.get("/no/such/page/")
    assert b"<h1>" in not_found(request, Exception()).content


@pytest.mark.parametrize("body", ["null", "[]", '""', "0", '"x"'])
def test_a_claim_takes_an_object_or_nothing(api_as, project, annotator, body):
    path = f"/api/v1/projects/{project.slug}/claim/"
    reply = api_as(annotator).post(path, body, content_type="application/json")
    assert reply.status_code == 422 and reply.json()["errors"]
    assert api_as(annotator).post(path).status_code == 204
