"""Invitations by link: dead ones, who may make them, joining as a new person or with an account."""

from __future__ import annotations

import io
import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.urls import get_script_prefix, set_script_prefix
from django.utils import timezone

from annotation.actions import invitations, people
from annotation.errors import Forbidden, Refused, Unknown
from annotation.models import Invitation, Membership, User
from tests import factories

GOOD = "hay-in-the-barn-9"
NEW = {"username": "newcomer", "password": GOOD, "again": GOOD}


@pytest.fixture
def secret(project):
    return invitations.make_invitations(None, project, "annotator", ["en"], 14)[0]


def roles(name):
    held = Membership.objects.filter(participant__user__username=name)
    return {(m.participant.project.slug, m.role, *m.languages) for m in held}


def test_nobody_but_a_coordinator_invites_or_revokes(project, annotator, stranger, secret):
    pk = Invitation.objects.get().pk
    for user, error in ((annotator, Forbidden), (stranger, Unknown)):
        with pytest.raises(error):
            invitations.make_invitations(user, project, "writer", [], 1)
        with pytest.raises(error):
            invitations.revoke_invitation(user, project, pk)
    other = stranger.participants.get().project
    with pytest.raises(Unknown):
        invitations.revoke_invitation(stranger, other, pk)
    assert Invitation.objects.get().state == "open"


@pytest.mark.parametrize(
    ("role", "languages", "days", "count"),
    [
        ("boss", [], 1, 1),
        ("writer", ["xx"], 1, 1),
        ("writer", [], 0, 1),
        ("writer", [], 366, 1),
        ("writer", [], 1, 0),
        ("writer", [], 1, 1001),
    ],
)
def test_what_cannot_be_invited_to_is_refused(project, role, languages, days, count):
    with pytest.raises(Refused):
        invitations.make_invitations(None, project, role, languages, days, count)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("made_up", ["x", "0" * 500, "%00", "é"])
def test_a_made_up_link_says_nothing_of_what_there_is(project, secret, page_as, made_up):
    page = page_as(None)
    for reply in (page.get(f"/join/{made_up}/"), page.post(f"/join/{made_up}/", NEW)):
        assert reply.status_code == 404 and "no such invitation" in reply.text
        assert "Flock" not in reply.text
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expires_at": timezone.now() - timedelta(days=1)}, "has run out"),
        ({"revoked_at": timezone.now()}, "taken back"),
        ({"used_at": timezone.now()}, "has been used"),
    ],
)
def test_a_dead_link_says_what_to_do_and_opens_nothing(project, secret, page_as, change, said):
    Invitation.objects.update(**change)
    page = page_as(None)
    for reply in (page.get(f"/join/{secret}/"), page.post(f"/join/{secret}/", NEW)):
        assert reply.status_code == 410 and said in reply.text and "sk who sent it" in reply.text
    assert not User.objects.exists()


def test_the_links_of_whoever_coordinates_no_longer_are_dead(project, coordinator, page_as):
    factories.join(project, "other", "coordinator")
    made = invitations.make_invitations(coordinator, project, "coordinator", [], 14)[0]
    people.remove_member(None, project.participants.get(user=coordinator))
    reply = page_as(coordinator).post(f"/join/{made}/")
    assert reply.status_code == 410 and "taken back" in reply.text
    assert roles("coordinator") == set()


@pytest.mark.parametrize(
    "sent",
    [
        {"password": "short", "again": "short"},
        {"password": "newcomer1", "again": "newcomer1"},
        {"again": "other"},
        {"username": "a b"},
        {"username": ""},
        {"username": "TAKEN"},
        {"password": f"{GOOD}\x00", "again": f"{GOOD}\x00"},
    ],
)
def test_a_weak_password_or_a_taken_name_leaves_the_link_unspent(project, secret, page_as, sent):
    factories.make_user("taken")
    reply = page_as(None).post(f"/join/{secret}/", NEW | sent)
    assert reply.status_code == 422 and 'role="alert"' in reply.text
    assert User.objects.count() == 1 and Invitation.objects.get().state == "open"


def test_a_new_person_gets_an_account_with_the_role_and_the_link_is_spent(secret, page_as):
    page = page_as(None)
    shown = page.get(f"/join/{secret}/")
    assert "invited to Flock" in shown.text and "Annotator" in shown.text
    assert page.post(f"/join/{secret}/", NEW)["Location"] == "/accounts/login/"
    assert roles("newcomer") == {("flock", "annotator", "en")}
    assert page.login(username="newcomer", password=GOOD)
    again = page.get(f"/join/{secret}/")
    assert again.status_code == 410 and "You used it yourself" in again.text
    other = page_as(None).post(f"/join/{secret}/", NEW | {"username": "later"})
    assert other.status_code == 410 and User.objects.count() == 1


def test_somebody_with_an_account_joins_with_it_once(secret, stranger, page_as):
    page = page_as(stranger)
    assert "logged in as <strong>stranger" in page.get(f"/join/{secret}/").text
    assert page.post(f"/join/{secret}/")["Location"] == "/"
    assert ("flock", "annotator", "en") in roles("stranger")
    assert User.objects.count() == 1
    assert Invitation.objects.get().used_by.user == stranger


def test_an_account_that_gains_nothing_leaves_the_link_to_others(secret, annotator, page_as):
    reply = page_as(annotator).post(f"/join/{secret}/")
    assert reply.status_code == 422 and "still unused" in reply.text
    assert Invitation.objects.get().state == "open"


def test_the_link_is_shown_once_kept_as_a_hash_listed_and_revoked(project, coordinator, page_as):
    page = page_as(coordinator)
    sent = {"role": "writer", "languages": ["en"], "days": "3"}
    shown = page.post("/p/flock/invitations/", sent, headers={"host": "localhost:81"}).text
    secret = re.search(r"http://localhost:81/join/([\w-]+)/", shown)[1]
    listed = page.get("/p/flock/members/").text
    assert secret not in listed and "open until" in listed
    made = Invitation.objects.get()
    assert secret not in made.digest and made.languages == ["en"]
    assert page.post(f"/p/flock/invitations/{made.pk}/revoke/").status_code == 302
    assert "revoked" in page.get("/p/flock/members/").text
    assert page.get(f"/join/{secret}/").status_code == 410
    again = page.post(f"/p/flock/invitations/{made.pk}/revoke/", follow=True)
    assert "revoked already" in again.text


@pytest.mark.parametrize("sent", [{"role": "boss", "days": "3"}, {"role": "writer", "days": "x"}])
def test_a_refused_invitation_is_said_on_the_members_page(project, coordinator, page_as, sent):
    reply = page_as(coordinator).post("/p/flock/invitations/", sent)
    assert reply.status_code == 422 and 'role="alert"' in reply.text


def test_the_members_page_takes_as_many_queries_for_many_invitations(
    project, coordinator, page_as, django_assert_max_num_queries
):
    invitations.make_invitations(coordinator, project, "writer", [], 3, 50)
    page = page_as(coordinator)
    with django_assert_max_num_queries(10):
        page.get("/p/flock/members/")


def test_the_command_prints_one_link_a_line_under_the_sites_address(project, settings):
    settings.PRODUCTION, settings.ORIGIN = True, "https://sheep.example"
    out = io.StringIO()
    words = ("invite", "flock", "--role", "writer", "--languages", "en", "--days", "2")
    before = get_script_prefix()
    set_script_prefix("/annotate/")
    try:
        call_command(*words, "--count", "3", stdout=out)
    finally:
        set_script_prefix(before)
    lines = out.getvalue().splitlines()
    assert len(set(lines)) == 3 == Invitation.objects.count()
    assert all(
        re.fullmatch(r"https://sheep\.example/annotate/join/[\w-]{43}/", line) for line in lines
    )
    for wrong in (("invite", "nowhere", "--role", "writer"), (*words, "--count", "0")):
        with pytest.raises(CommandError):
            call_command(*wrong, stdout=out)


def test_an_invitation_is_mailed_only_where_the_site_sends_mail(
    project, coordinator, page_as, settings
):
    page = page_as(coordinator)
    sent = {"role": "writer", "days": "3", "email": "reader@sheep.example"}
    assert "Send it to" not in page.get("/p/flock/members/").text
    assert page.post("/p/flock/invitations/", sent).status_code == 422
    assert not Invitation.objects.exists()
    settings.HAS_EMAIL = True
    wrong = page.post("/p/flock/invitations/", sent | {"email": "no address"})
    assert wrong.status_code == 422 and not Invitation.objects.exists()
    shown = page.post("/p/flock/invitations/", sent).text
    assert mail.outbox[0].to == ["reader@sheep.example"]
    assert re.search(r"/join/([\w-]+)/", shown)[0] in mail.outbox[0].body
