"""One-time links to set a password: dead ones, weak passwords, and whom a coordinator may renew."""

from __future__ import annotations

import re

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from annotation.actions import accounts, invitations, people
from annotation.errors import Forbidden, Refused, Unknown
from annotation.models import PasswordLink, User
from tests import factories

GOOD = "hay-in-the-barn-9"


def person(user, project):
    return project.participants.get(user=user)


@pytest.fixture
def newcomer(project):
    """A person who waits for a first password."""
    return people.add_member(None, project, "newcomer", "annotator", [])[0]


def test_an_annotator_or_a_stranger_gets_no_link(project, newcomer, annotator, stranger):
    with pytest.raises(Forbidden):
        people.new_password_link(annotator, newcomer)
    with pytest.raises(Unknown):
        people.new_password_link(stranger, newcomer)
    assert not PasswordLink.objects.exists()


def test_no_link_takes_an_account_with_a_password_of_another_project(
    project, coordinator, stranger
):
    factories.join(project, "stranger", "annotator")
    with pytest.raises(Refused):
        people.new_password_link(coordinator, person(stranger, project))


def test_no_link_takes_an_account_that_waits_in_another_project(project, coordinator, stranger):
    elsewhere = stranger.participants.get().project
    people.add_member(stranger, elsewhere, "waiting", "annotator", [])
    mine, made = people.add_member(coordinator, project, "waiting", "annotator", [])
    assert not made
    with pytest.raises(Refused):
        people.new_password_link(coordinator, mine)


def test_no_link_takes_a_superuser(project, coordinator):
    User.objects.create_superuser("keeper", password=None)
    mine, _ = people.add_member(coordinator, project, "keeper", "annotator", [])
    with pytest.raises(Refused):
        people.new_password_link(coordinator, mine)


def test_who_coordinates_all_projects_of_a_person_may_renew(project, coordinator, annotator):
    other = factories.make_project("other")
    factories.join(other, "annotator", "annotator")
    with pytest.raises(Refused):
        people.new_password_link(coordinator, person(annotator, project))
    factories.join(other, "coordinator", "coordinator")
    assert people.new_password_link(coordinator, person(annotator, project))


def test_a_project_that_the_person_has_left_does_not_count(project, coordinator, annotator):
    other = factories.make_project("other")
    factories.join(other, "annotator", "annotator")
    people.remove_member(None, person(annotator, other))
    assert people.new_password_link(coordinator, person(annotator, project))


def test_who_has_left_the_project_gets_no_link(project, coordinator, annotator):
    gone = person(annotator, project)
    people.remove_member(None, gone)
    with pytest.raises(Refused):
        people.new_password_link(coordinator, gone)


def joins(user, project):
    invited = invitations.make_invitations(None, factories.make_project("pb"), "coordinator", [], 1)
    invitations.accept_as(user, invited[0])


def joins_and_leaves_here(user, project):
    joins(user, project)
    people.remove_member(None, person(user, project))


def was_put_into_another_project(user, project):
    factories.join(factories.make_project("pb"), user.username, "annotator")  # the link stays


def has_a_new_password(user, project):
    user.set_password("another-fold-of-sheep-9")
    user.save()


def changes_the_password_on_its_page(user, project):
    page = Client()
    page.force_login(user)
    new = "another-fold-of-sheep-9"
    sent = {"oldpassword": factories.PASSWORD, "password1": new, "password2": new}
    assert page.post("/accounts/password/", sent).status_code == 302
    assert not PasswordLink.objects.exists()


def has_other_roles(user, project):
    people.change_roles(None, person(user, project), {"writer": []})


def gets_one_role_more(user, project):
    people.add_member(None, project, user.username, "writer", [])


def is_a_superuser(user, project):
    User.objects.filter(pk=user.pk).update(is_superuser=True)


def lost_the_maker(user, project):
    factories.join(project, "next", "coordinator")
    maker = project.participants.get(user__username="coordinator")
    people.change_roles(None, maker, {"writer": []})


def lost_the_makers_account(user, project):
    factories.join(project, "next", "coordinator")
    accounts.erase_account(None, User.objects.get(username="coordinator"))


@pytest.mark.parametrize(
    "happens",
    [
        joins, joins_and_leaves_here, was_put_into_another_project, has_a_new_password,
        changes_the_password_on_its_page, has_other_roles, gets_one_role_more, is_a_superuser,
        lost_the_maker, lost_the_makers_account,
    ],
)  # fmt: skip
def test_a_link_is_dead_when_what_made_it_right_is_gone(
    project, coordinator, annotator, page_as, happens
):
    secret = people.new_password_link(coordinator, person(annotator, project))
    happens(annotator, project)
    page, sent = page_as(None), {"password": GOOD, "again": GOOD}
    assert page.get(f"/welcome/{secret}/").status_code == 410
    assert page.post(f"/welcome/{secret}/", sent).status_code == 410
    with pytest.raises(Refused):
        people.use_password_link(secret, GOOD)
    assert not User.objects.get(pk=annotator.pk).check_password(GOOD)


def test_a_link_of_the_command_line_works_whoever_coordinates(project, stranger):
    factories.join(project, "stranger", "annotator")
    secret = people.new_password_link(None, person(stranger, project))
    people.use_password_link(secret, GOOD)
    assert User.objects.get(pk=stranger.pk).check_password(GOOD)


@pytest.mark.parametrize("secret", ["x", "../", "0" * 500, "%00", "é"])
def test_a_made_up_link_is_dead(db, page_as, secret):
    assert page_as(None).get(f"/welcome/{secret}/").status_code in (404, 410)


def test_a_link_that_ran_out_sets_nothing(newcomer, page_as):
    secret = people.new_password_link(None, newcomer)
    PasswordLink.objects.update(expires_at=timezone.now())
    sent = {"password": GOOD, "again": GOOD}
    assert page_as(None).post(f"/welcome/{secret}/", sent).status_code == 410
    assert not User.objects.get(username="newcomer").has_usable_password()


@pytest.mark.parametrize("password", ["12345678", "password", "newcomer1", "short"])
def test_a_weak_password_is_refused_and_the_link_stays(newcomer, password):
    secret = people.new_password_link(None, newcomer)
    with pytest.raises(Refused) as refused:
        people.use_password_link(secret, password)
    assert {problem.where for problem in refused.value.problems} == {"password"}
    assert people.link_for(secret)


def test_of_two_who_use_one_link_at_once_the_second_is_refused(newcomer, monkeypatch):
    secret = people.new_password_link(None, newcomer)
    seen = people.link_for(secret)
    people.use_password_link(secret, GOOD)
    monkeypatch.setattr(people, "link_for", lambda _secret: seen)  # read before it was spent
    with pytest.raises(Refused):
        people.use_password_link(secret, "straw-on-the-roof-3")
    assert User.objects.get(username="newcomer").check_password(GOOD)


def test_a_new_password_ends_the_sessions_of_the_old_one(project, annotator, page_as):
    page = page_as(annotator)
    assert page.get("/").status_code == 200
    secret = people.new_password_link(None, person(annotator, project))
    assert page.get("/").status_code == 200
    people.use_password_link(secret, GOOD)
    assert page.get("/").status_code == 302


def test_the_link_on_the_page_leads_to_the_host_that_was_asked(project, coordinator, page_as):
    page = page_as(coordinator)
    sent = {"username": "fresh", "role": "annotator"}
    shown = page.post("/p/flock/members/", sent, headers={"host": "localhost:8123"}).text
    assert "http://localhost:8123/welcome/" in shown
    assert "/welcome/" not in page.get("/p/flock/members/").text


def test_a_site_with_an_address_gives_links_under_it(db):
    with override_settings(PRODUCTION=True, ORIGIN="https://sheep.example"):
        from annotation.addresses import welcome_address

        assert welcome_address("s", "http://evil.example") == "https://sheep.example/welcome/s/"


def works(client, token) -> bool:
    headers = {"authorization": f"Token {token}"}
    return client.get("/api/v1/projects/", headers=headers).status_code == 200


def test_a_new_password_leaves_tokens_alone_and_the_page_of_the_link_says_so(
    project, coordinator, annotator, page_as, client
):
    token = people.make_token(annotator)
    address = f"/p/flock/members/{person(annotator, project).pk}/link/"
    shown = page_as(coordinator).post(address).text
    assert "1 token still works" in shown
    people.use_password_link(re.search(r"/welcome/([\w-]+)/", shown)[1], GOOD)
    assert works(client, token)


def test_revoked_tokens_open_nothing_and_those_of_others_still_do(
    project, coordinator, annotator, second, page_as, client
):
    token, kept = people.make_token(annotator), people.make_token(second)
    people.make_token(annotator)
    page = page_as(coordinator)
    address = f"/p/flock/members/{person(annotator, project).pk}/tokens/"
    assert "Revoke 2 tokens" in page.get("/p/flock/members/").text
    assert "2 tokens stop working" in page.get(address).text and works(client, token)
    assert "2 tokens are revoked" in page.post(address, follow=True).text
    assert not works(client, token) and works(client, kept)
    assert "Revoke 2" not in page.get("/p/flock/members/").text


def test_tokens_that_serve_other_coordinators_projects_are_not_revoked_here(
    project, coordinator, stranger, page_as, client
):
    factories.join(project, "stranger", "annotator")
    token = people.make_token(stranger)
    address = f"/p/flock/members/{person(stranger, project).pk}/tokens/"
    reply = page_as(coordinator).post(address)
    assert reply.status_code == 422 and "other coordinators" in reply.text
    assert works(client, token)


def test_nobody_but_a_coordinator_revokes_tokens(project, annotator, second, stranger):
    people.make_token(annotator)
    with pytest.raises(Forbidden):
        people.revoke_tokens(second, person(annotator, project))
    with pytest.raises(Unknown):
        people.revoke_tokens(stranger, person(annotator, project))
    assert annotator.tokens.exists()
