"""What a real server writes down: JSON alone, without a secret or a word of an answer."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from tests.deploy import fill
from tests.deploy.conftest import KEY, Site
from tests.servers import wait_until

pytestmark = pytest.mark.servers

WRONG, NEW = "wrong-and-secret-55", "straw-and-clover-88"
COMMENT = "The comment of an annotator"


@pytest.fixture(scope="module")
def talked(sites) -> Site:
    """The root site after a login, a wrong one, an answer, a one-time link and an error."""
    site = sites["root"]
    token = {"Authorization": f"Token {site.facts['token']}", "Content_Type": "application/json"}
    site.facts["seen"] = []
    with site.visit() as visitor:
        visitor.log_in("everything", WRONG)
        place = json.loads(visitor.ask("POST", "/api/v1/projects/flock/claim/", "{}", **token).body)
        answer = {
            "spans": [], "comment": COMMENT, "no_hallucination": True, "submit": True,
            "version": place["annotation"]["version"], "active_ms": 5,
        }  # fmt: skip
        address = f"/api/v1/assignments/{place['id']}/"
        assert visitor.ask("PUT", address, json.dumps(answer), **token).status == 200
        link = f"/welcome/{site.facts['link']}/"
        assert visitor.get(f"{link}?from=mail").status == 200
        assert visitor.post(link, {"password": NEW, "again": NEW}).status == 302
        visitor.get("/no/such/page/?query=hidden-words")
        site.facts["seen"] += visitor.cookies.values()
    with site.member() as visitor:
        failed = visitor.get(f"/pictures/{site.facts['odd']}/")
        assert failed.status == 500
        site.facts["failed"] = failed.headers["x-request-id"]
        site.facts["seen"] += visitor.cookies.values()
    wait_until(lambda: ended(site), 10, "the line of the request that failed")
    return site


def ended(site: Site) -> bool:
    """Whether the log has the last line of the request that failed; its error stands before it."""
    lines = site.log.read_text().splitlines()
    return any(site.facts["failed"] in line and '"status"' in line for line in lines)


def test_no_secret_and_no_word_of_an_answer_is_in_the_log(talked):
    secrets = [
        WRONG, NEW, fill.PASSWORD, KEY, COMMENT, "purple unicorns", "hidden-words", "from=mail",
        talked.facts["token"], talked.facts["link"], *talked.facts["seen"],
    ]  # fmt: skip
    nginx = talked.log.with_name("root-nginx.log").read_text()
    for text in (talked.log.read_text(), nginx):
        assert "/welcome/***" in text, "it was logged at all"
        assert not [
            secret for secret in secrets if secret in text or urlencode({"": secret})[1:] in text
        ]


def test_every_line_is_json_and_tells_who_asked_what_and_how_long_it_took(talked):
    lines = talked.lines()
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    put = next(line for line in lines if line.get("method") == "PUT")
    assert put["status"] == 200 and put["path"].startswith("/api/v1/assignments/")
    assert put["ms"] >= 0 and put["user"] == 1 and len(put["request"]) == 32
    missing = next(line for line in lines if line.get("path") == "/no/such/page/")
    assert missing["status"] == 404 and "user" not in missing


def test_an_error_is_one_line_with_its_trace_under_the_id_that_the_answer_carries(talked):
    lines = [line for line in talked.lines() if line.get("request") == talked.facts["failed"]]
    error = next(line for line in lines if line["level"] == "ERROR")
    assert error["error"] == "KeyError"
    assert any(frame.startswith("annotation/views/pictures.py:") for frame in error["traceback"])
    assert [line["status"] for line in lines if "status" in line] == [500]
