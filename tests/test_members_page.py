"""The members page and making a project: what a coordinator does there, and what is refused."""

from __future__ import annotations

import re

import pytest

from annotation.actions import places
from annotation.models import Assignment, Membership, PasswordLink, Project, User
from tests import factories


def person(user, project):
    return project.participants.get(user=user)


def roles(user, project):
    found = Membership.objects.filter(participant__user=user, participant__project=project)
    return {m.role: m.languages for m in found}


@pytest.fixture
def desk(project, coordinator, page_as):
    project.languages = ["en", "fr"]
    project.save()
    return page_as(coordinator)


@pytest.mark.parametrize(
    "sent",
    [
        {"username": "a b", "role": "annotator"},
        {"username": "", "role": "annotator"},
        {"username": "new", "role": "boss"},
        {"username": "new"},
        {"username": "new", "role": "annotator", "languages": ["xx"]},
        {"username": "\x00", "role": "annotator"},
    ],
)
def test_what_cannot_be_added_is_said_on_the_page_and_typed_words_stay(desk, sent):
    reply = desk.post("/p/flock/members/", sent)
    assert reply.status_code == 422 and 'role="alert"' in reply.text
    assert User.objects.count() == 1
    if sent["username"] == "new":
        assert 'value="new"' in reply.text


def test_the_link_of_a_new_account_is_shown_once_and_kept_as_a_hash(desk):
    shown = desk.post("/p/flock/members/", {"username": "new", "role": "annotator"}).text
    secret = re.search(r"/welcome/([\w-]+)/", shown)[1]
    assert secret not in desk.get("/p/flock/members/").text
    assert PasswordLink.objects.get().digest not in (secret, "")


def test_an_account_that_exists_is_added_without_a_link(desk, project):
    user = factories.make_user("known")
    sent = {"username": "known", "role": "writer", "languages": ["fr"]}
    assert desk.post("/p/flock/members/", sent).status_code == 302
    assert roles(user, project) == {"writer": ["fr"]}
    assert not PasswordLink.objects.exists()


def test_a_link_that_may_not_be_made_is_refused_on_the_page(desk, project, stranger):
    factories.join(project, "stranger", "annotator")
    reply = desk.post(f"/p/flock/members/{person(stranger, project).pk}/link/")
    assert reply.status_code == 422 and "/welcome/" not in reply.text
    assert "other coordinators" in reply.text


def test_roles_and_languages_become_what_the_form_says(desk, project, annotator):
    sent = {
        "roles": ["writer", "reviewer"],
        "languages-writer": ["fr"],
        "languages-annotator": "en",
    }
    assert desk.post(f"/p/flock/members/{person(annotator, project).pk}/", sent).status_code == 302
    assert roles(annotator, project) == {"writer": ["fr"], "reviewer": []}


@pytest.mark.parametrize(
    "sent", [{}, {"roles": "boss"}, {"roles": "writer", "languages-writer": "xx"}]
)
def test_roles_that_cannot_be_change_nothing(desk, project, annotator, sent):
    reply = desk.post(f"/p/flock/members/{person(annotator, project).pk}/", sent)
    assert reply.status_code == 422
    assert roles(annotator, project) == {"annotator": []}


@pytest.mark.parametrize("path", ["", "remove/"])
def test_the_only_coordinator_can_neither_step_down_nor_leave(desk, project, coordinator, path):
    me = person(coordinator, project)
    reply = desk.post(f"/p/flock/members/{me.pk}/{path}", {"roles": "annotator"})
    assert reply.status_code == 422 and "name another one first" in reply.text
    assert roles(coordinator, project) == {"coordinator": []}


def test_who_stops_annotating_gives_back_the_places(desk, project, annotator):
    factories.make_item(project, places=1)
    places.claim(annotator, project.slug)
    desk.post(f"/p/flock/members/{person(annotator, project).pk}/", {"roles": "writer"})
    assert Assignment.objects.get().state == "open"


def test_removing_says_how_much_it_touches_and_only_then_removes(desk, project, annotator):
    factories.make_item(project, places=1)
    places.claim(annotator, project.slug)
    address = f"/p/flock/members/{person(annotator, project).pk}/remove/"
    shown = desk.get(address).text
    assert "0 submitted answers stay" in shown and "1 claimed place opens" in shown
    assert roles(annotator, project)
    assert desk.post(address).status_code == 302
    assert not roles(annotator, project) and Assignment.objects.get().state == "open"
    assert "annotator</strong>" not in desk.get("/p/flock/members/").text


def test_the_list_takes_as_many_queries_for_many_people_as_for_one(
    desk, project, django_assert_max_num_queries
):
    for n in range(30):
        factories.join(project, f"person-{n}", "annotator")
    with django_assert_max_num_queries(8):
        desk.get("/p/flock/members/")


@pytest.mark.parametrize(
    "change",
    [
        {"slug": "flock"},
        {"slug": "a b"},
        {"languages": ""},
        {"languages": "en fr!"},
        {"labels": "/etc/passwd"},
        {"labels": ""},
        {"per_item": "0"},
        {"per_item": "x"},
        {"per_item": "9" * 400},
        {"name": "n" * 201},
        {"name": "\x00"},
    ],
)
def test_a_project_that_cannot_be_is_refused_on_the_page(desk, change):
    sent = {"slug": "new", "name": "New", "languages": "en", "labels": "sheep", "per_item": "3"}
    reply = desk.post("/new/", sent | change)
    assert reply.status_code == 422 and 'role="alert"' in reply.text
    assert Project.objects.count() == 1


def test_who_makes_a_project_lands_in_it_as_its_coordinator(desk, coordinator):
    sent = {"slug": "new", "name": "New", "languages": "en, fr", "labels": "sheep", "per_item": "2"}
    assert desk.post("/new/", sent)["Location"] == "/p/new/"
    made = Project.objects.get(slug="new")
    assert (made.languages, made.per_item) == (["en", "fr"], 2)
    assert roles(coordinator, made) == {"coordinator": []}
    assert desk.get("/p/new/").status_code == 200
