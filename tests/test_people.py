"""Accounts, roles, one-time links, tokens and leaving a project."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.actions import answers, people, places
from annotation.errors import Forbidden, Refused, Unknown
from annotation.models import ApiToken, Assignment, Membership, PasswordLink, User
from annotation.records import Answer
from tests import factories

GOOD = "hay-in-the-barn-9"


def person(user, project):
    return project.participants.get(user=user)


def test_nobody_but_a_coordinator_adds_people(project, annotator, stranger):
    with pytest.raises(Forbidden):
        people.add_member(annotator, project, "new", "annotator", [])
    with pytest.raises(Unknown):
        people.add_member(stranger, project, "new", "annotator", [])
    assert not User.objects.filter(username="new").exists()


@pytest.mark.parametrize(
    ("name", "role", "languages"),
    [
        ("new", "boss", []),
        ("new", "annotator", ["xx"]),
        ("a b", "annotator", []),
        ("", "writer", []),
    ],
)
def test_a_wrong_name_role_or_language_makes_no_account(
    project, coordinator, name, role, languages
):
    with pytest.raises(Refused):
        people.add_member(coordinator, project, name, role, languages)
    assert User.objects.count() == 1


def test_adding_twice_changes_nothing_and_never_a_password(project):
    people.add_member(None, project, "new", "annotator", [], GOOD)
    before = User.objects.get().password
    people.add_member(None, project, "new", "annotator", [], "another-pass-99")
    assert User.objects.get().password == before
    assert Membership.objects.count() == 1


def test_a_link_sets_a_password_once(project, page_as):
    member, _ = people.add_member(None, project, "new", "annotator", [])
    secret = people.new_password_link(None, member)
    page = page_as(None)
    assert page.get(f"/welcome/{secret}/").status_code == 200
    sent = {"password": GOOD, "again": GOOD}
    assert page.post(f"/welcome/{secret}/", sent).status_code == 302
    assert page.get(f"/welcome/{secret}/").status_code == 410
    assert page.post(f"/welcome/{secret}/", sent).status_code == 410
    assert page.login(username="new", password=GOOD)


@pytest.mark.parametrize(("password", "again"), [("short", "short"), (GOOD, "other"), ("", "")])
def test_a_bad_password_does_not_spend_the_link(project, page_as, password, again):
    member, _ = people.add_member(None, project, "new", "annotator", [])
    secret = people.new_password_link(None, member)
    answer = page_as(None).post(f"/welcome/{secret}/", {"password": password, "again": again})
    assert answer.status_code == 422
    assert people.link_for(secret) is not None


def test_a_renewed_link_ends_the_one_before(project):
    member, _ = people.add_member(None, project, "new", "annotator", [])
    first = people.new_password_link(None, member)
    people.new_password_link(None, member)
    assert people.link_for(first) is None


def test_links_and_tokens_are_kept_as_hashes(project):
    member, _ = people.add_member(None, project, "new", "annotator", [])
    secret, token = people.new_password_link(None, member), people.make_token(member.user)
    assert PasswordLink.objects.get().digest != secret
    assert ApiToken.objects.get().digest != token


def test_the_last_coordinator_stays(project, coordinator):
    me = person(coordinator, project)
    with pytest.raises(Refused):
        people.remove_member(coordinator, me)
    with pytest.raises(Refused):
        people.change_roles(coordinator, me, {"annotator": []})


def test_who_leaves_keeps_the_answers_and_frees_the_places(project, coordinator, annotator):
    for n in range(2):
        factories.make_item(project, f"item-{n}", places=1)
    done = places.claim(annotator, project.slug)
    answers.save(annotator, done.place_id, Answer(no_hallucination=True), 0, 0, True)
    places.claim(annotator, project.slug)
    people.remove_member(coordinator, person(annotator, project))
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["open", "submitted"]
    with pytest.raises(Unknown):
        places.claim(annotator, project.slug)


def test_commands_make_members_and_tokens_and_say_what_is_wrong(project):
    out = io.StringIO()
    call_command("add_member", project.slug, "one", "two", "--role", "annotator", stdout=out)
    assert out.getvalue().count("/welcome/") == 2
    out = io.StringIO()
    call_command("make_token", "one", "two", stdout=out)
    assert len(out.getvalue().split()) == 2
    with pytest.raises(CommandError, match="no project nowhere"):
        call_command("add_member", "nowhere", "x", "--role", "annotator")
    with pytest.raises(CommandError, match="no account three"):
        call_command("make_token", "one", "three")
    assert ApiToken.objects.count() == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("flock", "--labels", "sheep", "--languages", "en"),
        ("a b", "--labels", "sheep", "--languages", "en"),
        ("new", "--labels", "goats", "--languages", "en"),
        ("new", "--labels", "sheep", "--languages", ","),
        ("new", "--labels", "sheep", "--languages", "en", "--per-item", "0"),
    ],
)
def test_a_project_that_cannot_be_is_refused(project, arguments):
    with pytest.raises(CommandError):
        call_command("create_project", *arguments)


def test_a_project_comes_with_the_five_labels_and_guidelines(db):
    from annotation.models import Project

    call_command("create_project", "new", "--labels", "sheep", "--languages", "en,fr")
    made = Project.objects.get()
    assert [label.code for label in made.labels.all()] == list("ABCDE")
    assert [label.code for label in made.labels.filter(comment_required=True)] == ["E"]
    assert [label.code for label in made.labels.filter(writable=False)] == ["E"]
    assert made.languages == ["en", "fr"] and "as few characters" in made.guidelines
