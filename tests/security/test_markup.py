"""Texts with markup in them are texts wherever they are shown."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.markdown import render
from tests import pages
from tests.pages import OK
from tests.security import hostile, routes
from tests.security.hostile import MARKDOWN, MARKUP, Reader
from tests.security.routes import ask

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def users(project):
    return routes.crowd(project)


@pytest.fixture
def named(project, users):
    named = routes.fill(project, users)
    poisoned = hostile.poison()
    assert len(poisoned) > 30
    return named


def test_no_page_and_no_refusal_lets_markup_of_a_text_through(users, named):
    browsers = routes.clients(users)
    shown, wrong, seen = 0, [], []
    for name, page in pages.TABLE.items():
        path = page.path.format(**named)
        for person in routes.PERSONS:
            if routes.expected(name, person) != OK or "GET" not in routes.taken_by(name):
                continue
            reply = ask(browsers[person], "GET", path)
            assert reply.status_code < 500, (name, person)
            if not reply["Content-Type"].startswith("text/html"):
                continue
            shown += "sheep" in reply.text
            read = Reader(reply.text)
            wrong += [f"{name} as {person}: {fault}" for fault in read.faults]
            if person == "insider" and "POST" in routes.taken_by(name) and "/p/" in path:
                sent = dict.fromkeys(read.fields, MARKUP)
                answer = ask(browsers[person], "POST", path, sent)
                assert answer.status_code < 500, (name, answer)
                seen.append(name)
                wrong += [f"refused {name}: {fault}" for fault in Reader(answer.text).faults]
    assert wrong == []
    assert shown > 60 and len(seen) > 5  # the texts were there to be let through


def test_an_address_of_the_api_answers_markup_as_json_alone(users, named):
    browsers = routes.clients(users)
    for name, (methods, _path, roles) in routes.API.items():
        person = routes.asks(name) if roles.startswith(routes.OWN) else "insider"
        path = routes.path_of(name).format(**named)
        reply = ask(browsers[person], methods.split()[0], path)
        assert "json" in reply["Content-Type"] or reply["Content-Type"].startswith("text/csv"), name
        assert reply["X-Content-Type-Options"] == "nosniff"


def test_a_files_name_with_markup_is_shown_as_a_name(project, coordinator, page_as):
    file = SimpleUploadedFile("x", json.dumps({MARKUP: 1}).encode())
    file.name = MARKUP[:120].replace("/", "") + ".jsonl"
    reply = page_as(coordinator).post("/p/flock/import/", {"file": file}, follow=True)
    assert Reader(reply.text).faults == [] and "onerror" in reply.text


@pytest.mark.parametrize(
    "path", ["/no/<xevil>/", "/p/<xevil>/", '/accounts/login/?next=/"><xevil>']
)
def test_an_address_with_markup_is_not_echoed_as_markup(db, page_as, path):
    assert Reader(page_as(None).get(path).text).faults == []


def test_markdown_keeps_words_and_drops_what_runs():
    html = render(MARKDOWN)
    assert Reader(html).faults == []
    assert "<img" not in html and "sheep" in html


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "![" * 10_000, "*a " * 20_000, "> " * 3_000 + "x", "`" * 30_000,
     "[a](" * 10_000, "- " * 3_000 + "x", "<" * 30_000, "&" * 30_000,
     "|a" * 10_000 + "\n" + "|-" * 10_000, "_" * 30_000 + "a"],
)  # fmt: skip
def test_no_text_keeps_the_renderer_of_markdown_busy(text):
    import time

    begun = time.process_time()
    render(text)
    assert time.process_time() - begun < 2
