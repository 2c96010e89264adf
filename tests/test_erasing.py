"""Erasing an account: the person's data go, the work stays under the pseudonym."""

from __future__ import annotations

import io
import json

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.actions import accounts, answers, invitations, people, places
from annotation.errors import Unknown
from annotation.models import Annotation, Assignment, AuditEvent, Revision, User
from annotation.records import Answer
from tests import factories
from tests.factories import PASSWORD
from tests.writing import making

NAME = "wolfgang-in-wool"


@pytest.fixture(autouse=True)
def no_limits_of_before(db):
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def erased(project, coordinator):
    """An account that has been everywhere: work, roles, tokens, links, mail, codes, the log."""
    for n in range(2):
        factories.make_item(project, f"item-{n}", places=1)
    user = factories.join(project, NAME, "annotator")
    for role in ("writer", "coordinator"):
        factories.join(project, NAME, role)
    done = places.claim(user, project.slug)
    answers.save(user, done.place_id, Answer(no_hallucination=True), 0, 0, True)
    held = places.claim(user, project.slug, after=done.place_id)
    answers.save(user, held.place_id, Answer(no_hallucination=True), 0, 0, False)
    making.submitted(user, making.make_brief(project))
    people.add_member(user, project, "friend", "annotator", [])
    people.new_password_link(None, project.participants.get(user=user))
    invitations.make_invitations(user, project, "writer", [], 3)
    people.make_token(user)
    Authenticator.objects.create(user=user, type="totp", data={"secret": "x"})
    accounts.change_email(user, f"{NAME}@sheep.example")
    return user


def holding(text: str) -> dict[str, int]:
    """Every column of every table in which the text stands, in any row."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            for column in connection.introspection.get_table_description(cursor, table):
                quoted = f'"{table}"', f'"{column.name}"'
                cursor.execute(
                    f"SELECT COUNT(*) FROM {quoted[0]} WHERE CAST({quoted[1]} AS TEXT) LIKE %s",  # noqa: S608
                    [f"%{text}%"],
                )
                if count := cursor.fetchone()[0]:
                    found[f"{table}.{column.name}"] = count
    return found


def test_a_wrong_password_erases_nothing_and_too_many_are_stopped(erased, page_as):
    page = page_as(erased)
    for _ in range(12):
        reply = page.post("/accounts/erase/", {"password": "wrong"})
        assert reply.status_code == 422
    assert "Too many tries" in page.post("/accounts/erase/", {"password": PASSWORD}).text
    assert User.objects.filter(pk=erased.pk).exists()


def test_the_only_coordinator_of_a_project_is_told_so_and_stays(coordinator, page_as):
    page = page_as(coordinator)
    assert "Nobody else coordinates Flock" in page.get("/accounts/erase/").text
    refused = page.post("/accounts/erase/", {"password": PASSWORD})
    assert refused.status_code == 422 and "name another coordinator" in refused.text
    with pytest.raises(CommandError, match="Flock"):
        call_command("erase_account", "coordinator")
    assert User.objects.filter(pk=coordinator.pk).exists()


def test_nobody_erases_another(erased, coordinator):
    with pytest.raises(Unknown):
        accounts.erase_account(coordinator, erased)
    assert User.objects.filter(pk=erased.pk).exists()


def test_no_table_holds_the_name_afterwards_and_the_work_stays(project, erased, page_as):
    pseudonym = project.participants.get(user=erased).pseudonym
    page, other = page_as(None), page_as(erased)
    page.force_login(erased)
    assert {"annotation_user.username", "annotation_user.email"} <= set(holding(NAME))
    assert "What stays" in page.get("/accounts/erase/").text
    assert page.post("/accounts/erase/", {"password": PASSWORD})["Location"] == "/accounts/login/"
    assert holding(NAME) == {}
    assert other.get("/").status_code == 302
    for rows in (Authenticator, UserSession):
        assert not rows.objects.filter(user_id=erased.pk).exists()
    person = project.participants.get(pseudonym=pseudonym)
    assert person.user is None and not person.memberships.exists()
    assert list(Annotation.objects.filter(annotator=person).values_list("state", flat=True)) == [
        "submitted", "set_aside",
    ]  # fmt: skip
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["open", "submitted"]
    assert Revision.objects.filter(annotation__annotator=person).count() == 3
    assert project.samples.get().writer == person


def test_the_log_names_the_pseudonym_in_place_of_the_erased(project, coordinator, erased, page_as):
    pseudonym = project.participants.get(user=erased).pseudonym
    call_command("erase_account", NAME, stdout=io.StringIO())
    shown = page_as(coordinator).get("/p/flock/log/").text
    assert pseudonym in shown and NAME not in shown and "Account erased" in shown
    out = io.StringIO()
    call_command("audit", stdout=out)
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    made = [row for row in rows if row["kind"] == "token.made"]
    assert [row["subject"] for row in made] == ["an erased account"]
    last = AuditEvent.objects.filter(kind="account.erased").get()
    assert last.subject_person.pseudonym == pseudonym and last.actor_id is None


def test_somebody_in_no_project_can_be_erased_too(db):
    factories.make_user(NAME)
    call_command("erase_account", NAME, stdout=io.StringIO())
    assert holding(NAME) == {} and AuditEvent.objects.get().kind == "account.erased"
