"""Commands that make projects, members and tokens: what they refuse, and what they print."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from annotation.actions import people, projects
from annotation.errors import Forbidden, Refused
from annotation.models import ApiToken, Membership, Project, User
from tests import code, factories

GOOD = "hay-in-the-barn-9"
LABELS = [{"code": "X", "name": "Ex"}, {"code": "Y", "name": "Why"}]


def run(*arguments) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def make(path, **options) -> None:
    given = {"labels": str(path), "languages": "en"} | options
    run("create_project", "new", *(f"--{name}={value}" for name, value in given.items()))


@pytest.fixture
def typed(monkeypatch):
    """``typed(text)``: standard input holds the text."""
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "line 1"),
        ("{", "line 1"),
        ("{}", "list"),
        ('{"labels": []}', "at least one"),
        ('{"labels": ["A"]}', "is an object"),
        ('{"labels": [{"code": "a b"}]}', "A code has"),
        ('{"labels": [{"code": "A"}, {"code": "A"}]}', "twice"),
        ('{"labels": [{"code": "A", "kolor": "red"}]}', "kolor"),
        ('{"labels": [{"code": "A", "colour": "red"}]}', "#a84300"),
        ('{"labels": [{"code": "A", "writable": "no"}]}', "Wrong type"),
        ('{"labels": [{"code": "A", "key": "ab"}]}', "one character"),
        ('{"labels": [{"code": "A", "name": ""}]}', "1 to 80"),
        ('{"labels": [{"code": "A", "rule": "\\u0000"}]}', "U.0000"),
        ('{"labels": [{"code": "A"}], "sublabels": {"a": 1}}', "list"),
        ('{"labels": [{"code": "A"}], "rules": ""}', "rules"),
    ],
)
def test_a_label_set_with_a_fault_makes_no_project_and_says_why(db, tmp_path, content, reason):
    path = tmp_path / "set.json"
    path.write_text(content)
    with pytest.raises(CommandError, match=reason):
        make(path)
    assert not Project.objects.exists()


@pytest.mark.parametrize(
    "options",
    [
        {"languages": "english language"},
        {"languages": ""},
        {"per-item": 0},
        {"per-item": 51},
        {"name": "n" * 201},
        {"name": "\x00"},
        {"labels": "missing.json"},
    ],
)
def test_a_wrong_option_makes_no_project(db, options):
    with pytest.raises(CommandError):
        make("sheep", **options)
    assert not Project.objects.exists()


@pytest.mark.parametrize("slug", ["", "a b", "-a", "é", "\u212a", "s" * 51, "a/b", "a\n"])
def test_a_short_name_that_no_address_can_hold_is_refused(db, slug):
    with pytest.raises(Refused):
        projects.create_project(None, slug, "sheep", ["en"])


def test_own_labels_come_in_their_order_with_colours_and_keys(db, tmp_path):
    path = tmp_path / "set.json"
    path.write_text(json.dumps(LABELS), encoding="utf-8-sig")
    make(path, languages="en, fr,en", **{"per-item": 2, "name": "New one"})
    made = Project.objects.get()
    assert (made.name, made.languages, made.per_item) == ("New one", ["en", "fr"], 2)
    assert [(label.code, label.colour) for label in made.labels.all()] == [
        ("X", "#a84300"),
        ("Y", "#005b8f"),
    ]


def test_only_coordinators_make_projects_and_become_coordinators_of_them(
    project, annotator, coordinator
):
    with pytest.raises(Forbidden):
        projects.create_project(annotator, "new", "sheep", ["en"])
    made = projects.create_project(coordinator, "new", "sheep", ["en"])
    held = Membership.objects.filter(participant__project=made)
    assert [(m.participant.user, m.role) for m in held] == [(coordinator, "coordinator")]


def test_one_refused_name_makes_no_account_at_all(project):
    with pytest.raises(CommandError, match="username"):
        run("add_member", "flock", "good", "b a d", "--role", "annotator")
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["", "a b", "\x00", "a" * 151, "a/b"])
def test_a_name_that_is_none_is_refused(project, name):
    with pytest.raises(Refused) as refused:
        people.add_member(None, project, name, "annotator", [])
    assert refused.value.problems[0].where == "username"


def test_names_that_differ_in_capitals_alone_are_refused_since_neither_could_log_in(
    project, page_as
):
    people.add_member(None, project, "Ewe", "annotator", [], GOOD)
    with pytest.raises(Refused):
        people.add_member(None, project, "ewe", "annotator", [], GOOD)
    reply = page_as(None).post("/accounts/login/", {"login": "ewe", "password": GOOD})
    assert reply.status_code == 302


def test_a_name_in_wide_letters_is_the_same_account(project):
    people.add_member(None, project, "ewe", "annotator", [], GOOD)
    _person, made = people.add_member(None, project, "ｅｗｅ", "writer", [])
    assert not made and Membership.objects.count() == 2


def test_the_password_of_new_accounts_comes_from_standard_input(project, typed):
    typed(f"{GOOD}\r\n")
    shown = run("add_member", "flock", "one", "two", "--role", "annotator", "--password-stdin")
    assert GOOD not in shown and "/welcome/" not in shown
    assert all(user.check_password(GOOD) for user in User.objects.all())
    assert User.objects.count() == 2


@pytest.mark.parametrize("text", ["", "\n", "short\n", "12345678\n"])
def test_no_password_or_a_weak_one_makes_no_account(project, typed, text):
    typed(text)
    with pytest.raises(CommandError, match="(?i)password"):
        run("add_member", "flock", "one", "--role", "annotator", "--password-stdin")
    assert not User.objects.exists()


def test_an_account_that_exists_gets_the_role_and_keeps_its_password(project, typed):
    user = factories.make_user("one")
    typed(f"{GOOD}\n")
    run("add_member", "flock", "one", "--role", "writer", "--password-stdin")
    user.refresh_from_db()
    assert user.check_password(factories.PASSWORD)
    assert "/welcome/" not in run("add_member", "flock", "one", "--role", "reviewer")
    assert {m.role for m in Membership.objects.all()} == {"writer", "reviewer"}


def test_the_link_of_a_new_account_names_no_port_that_the_command_cannot_know(project):
    shown = run("add_member", "flock", "one", "--role", "annotator")
    assert re.search(r"at /welcome/[\w-]+/ on the address of your site", shown)
    assert "8000" not in shown


def test_the_link_of_a_new_account_is_whole_where_the_site_has_an_address(project, settings):
    settings.PRODUCTION, settings.ORIGIN = True, "https://sheep.example"
    shown = run("add_member", "flock", "one", "--role", "annotator")
    assert "set a password at https://sheep.example/welcome/" in shown
    assert "your site" not in shown


def test_languages_add_up_and_none_means_all(project):
    project.languages = ["en", "fr"]
    project.save()
    for languages, held in (("en", ["en"]), ("fr", ["en", "fr"]), ("", [])):
        run("add_member", "flock", "one", "--role", "annotator", "--languages", languages)
        assert Membership.objects.get().languages == held
    with pytest.raises(CommandError, match="xx"):
        run("add_member", "flock", "one", "--role", "annotator", "--languages", "en,xx")


def test_a_token_opens_the_api_and_is_printed_alone(project, annotator, client):
    token = run("make_token", "annotator").strip()
    reply = client.get("/api/v1/projects/", headers={"authorization": f"Token {token}"})
    assert reply.status_code == 200
    assert ApiToken.objects.get().digest != token


@pytest.mark.parametrize(
    "words",
    [
        ["create_project", "flock", "--labels", "sheep", "--languages", "en"],
        ["add_member", "flock", "one", "--role", "annotator"],
        ["make_token", "one"],
        ["import_items", "flock", "items.jsonl"],
        ["export", "flock", "--format", "csv"],
        ["make_demo"],
    ],
    ids=lambda words: words[0],
)
def test_a_command_on_a_database_without_tables_says_what_to_run(tmp_path, words):
    environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "PUBLIC_URL")}
    environment |= {"SHEEPFOLD_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    words = [sys.executable, str(code.ROOT / "manage.py"), *words]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    said = "CommandError: The database has no tables yet: run `manage.py migrate`.\n"
    assert done.stderr == said
