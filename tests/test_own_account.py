"""One's own account: sessions, password, tokens, e-mail address."""

from __future__ import annotations

import json
import re

import pytest
from allauth.usersessions.models import UserSession
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_tasks_db.models import DBTaskResult

from annotation import tasks
from annotation.actions import people
from annotation.models import AuditEvent
from annotation.templatetags.browsers import in_words
from tests.factories import PASSWORD

GOOD = "hay-in-the-barn-9"
OLD, KIT = "Mozilla/5.0", "AppleWebKit/537.36 (KHTML, like Gecko)"
SAFARI = "Safari/537.36"


@pytest.fixture(autouse=True)
def no_limits_of_before(db):
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def log_in(page_as):
    """``log_in(name, agent)``: a browser in which the person typed the password."""

    def steps(name, agent="Sheepdog", password=PASSWORD):
        page = page_as(None)
        sent = {"login": name, "password": password}
        page.post("/accounts/login/", sent, headers={"user-agent": agent})
        return page

    return steps


def inside(page) -> bool:
    return page.get("/").status_code == 200


def works(client, token) -> bool:
    headers = {"authorization": f"Token {token}"}
    return client.get("/api/v1/projects/", headers=headers).status_code == 200


def test_the_sessions_and_tokens_of_others_are_not_found(annotator, second, log_in):
    log_in("second")
    token = people.make_token(second)
    page = log_in("annotator")
    theirs = UserSession.objects.get(user=second).pk
    for number in (theirs, "x", "9" * 400, ""):
        assert page.post("/accounts/sessions/", {"session": number}).status_code == 404
    assert page.post("/accounts/tokens/", {"token": second.tokens.get().pk}).status_code == 404
    assert UserSession.objects.filter(user=second).exists() and works(page, token)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (
            f"{OLD} (Windows NT 10.0; Win64; x64) {KIT} Chrome/140.0.0.0 {SAFARI}",
            "Chrome on Windows",
        ),
        (f"{OLD} (Windows NT 10.0) {KIT} Chrome/140.0 {SAFARI} Edg/140.0", "Edge on Windows"),
        (f"{OLD} (X11; Linux x86_64) {KIT} HeadlessChrome/140.0 {SAFARI}", "Chromium on Linux"),
        (f"{OLD} (Linux; Android 10; K) {KIT} Chrome/140.0 Mobile {SAFARI}", "Chrome on Android"),
        (f"{OLD} (iPhone; CPU iPhone OS 18_6 like Mac OS X) {KIT} {SAFARI}", "Safari on iPhone"),
        (f"{OLD} (Macintosh; Intel Mac OS X 10_15_7) {KIT} Version/26 {SAFARI}", "Safari on macOS"),
        (f"{OLD} (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Linux"),
        ("curl/8.5.0", ""),
        (f"{OLD} (X11; Linux x86_64)", ""),
        ("", ""),
    ],
)
def test_a_browser_is_told_in_words_where_it_says_what_it_is(agent, words):
    assert in_words(agent) == words


def test_a_person_sees_the_own_sessions_and_ends_one_or_all_others(annotator, log_in):
    here, there, third = (log_in("annotator", name) for name in ("Here", "There", "Third"))
    shown = here.get("/accounts/sessions/").text
    assert all(name in shown for name in ("Here", "There", "Third", "127.0.0.1"))
    assert shown.count("This browser") == 1
    ended = UserSession.objects.get(user_agent="There").pk
    here.post("/accounts/sessions/", {"session": ended})
    assert (inside(here), inside(there), inside(third)) == (True, False, True)
    assert "There" not in here.get("/accounts/sessions/").text
    here.post("/accounts/sessions/")
    assert (inside(here), inside(third)) == (True, False)
    kinds = AuditEvent.objects.filter(kind="session.ended").values_list("detail", flat=True)
    assert list(kinds) == [{"count": 1}, {"count": 1}]


@pytest.mark.parametrize("password", ["short", "password", "annotator1", "1234567890"])
def test_a_weak_new_password_changes_nothing(annotator, log_in, password):
    page = log_in("annotator")
    sent = {"oldpassword": PASSWORD, "password1": password, "password2": password}
    reply = page.post("/accounts/password/", sent)
    assert reply.status_code == 200 and 'role="alert"' in reply.text
    annotator.refresh_from_db()
    assert annotator.check_password(PASSWORD)


def test_a_new_password_ends_the_other_sessions_and_says_that_tokens_work_on(
    annotator, log_in, client
):
    token = people.make_token(annotator)
    here, there = log_in("annotator", "Here"), log_in("annotator", "There")
    assert "1 token works on" in here.get("/accounts/password/").text
    sent = {"oldpassword": PASSWORD, "password1": GOOD, "password2": GOOD}
    here.post("/accounts/password/", sent)
    assert (inside(here), inside(there)) == (True, False)
    shown = here.get("/accounts/sessions/").text
    assert "Here" not in shown or "There" not in shown
    assert works(client, token)
    assert AuditEvent.objects.filter(kind="password.changed", subject=annotator).count() == 1
    here.post("/accounts/tokens/")
    assert not works(client, token)
    assert "Your account has no token" in here.get("/accounts/tokens/").text


def test_a_password_set_by_a_link_ends_every_session(project, annotator, log_in):
    page = log_in("annotator")
    secret = people.new_password_link(None, project.participants.get(user=annotator))
    people.use_password_link(secret, GOOD)
    assert not inside(page) and not UserSession.objects.filter(user=annotator).exists()


def test_without_mail_no_page_offers_any(annotator, log_in, page_as):
    page = log_in("annotator")
    assert "mail" not in page.get("/accounts/").text
    assert page.get("/accounts/email/").status_code == 404
    assert "mail" not in page_as(None).get("/accounts/login/").text
    assert page_as(None).post("/accounts/password/forgotten/", {"email": "a@b.example"})
    assert mail.outbox == []


@pytest.fixture
def mailing(settings):
    settings.HAS_EMAIL = True
    return settings


@pytest.mark.parametrize(
    "sent",
    [
        {"email": "reader@sheep.example", "password": "wrong"},
        {"email": "no address", "password": PASSWORD},
    ],
)
def test_an_address_needs_the_password_and_to_be_one(mailing, annotator, log_in, sent):
    assert log_in("annotator").post("/accounts/email/", sent).status_code == 422
    annotator.refresh_from_db()
    assert annotator.email == ""


def test_asking_for_mail_tells_nobody_whether_there_is_an_account(
    mailing, annotator, log_in, page_as
):
    sent = {"email": "reader@sheep.example", "password": PASSWORD}
    assert log_in("annotator").post("/accounts/email/", sent)["Location"] == "/accounts/"
    said = []
    for address in ("reader@sheep.example", "nobody@sheep.example"):
        reply = page_as(None).post("/accounts/password/forgotten/", {"email": address}, follow=True)
        said.append((reply.status_code, reply.redirect_chain, reply.text))
    assert said[0] == said[1] and "on its way" in said[0][2]
    assert [letter.to for letter in mail.outbox] == [["reader@sheep.example"]]


def shape(statement: str) -> tuple[str, ...]:
    """What a statement does to which table, whatever the values."""
    return re.match(r"\s*(\w+)", statement)[1], *re.findall(
        r'(?:FROM|INTO|UPDATE) "(\w+)"', statement
    )


def test_asking_for_mail_is_the_same_work_whether_there_is_an_account(mailing, annotator, page_as):
    """The mail itself is the worker's: a clock on the page would tell of it."""
    mailing.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
    annotator.email = "reader@sheep.example"
    annotator.save()
    work = []
    for address in ("reader@sheep.example", "nobody@sheep.example", "READER@sheep.example"):
        cache.clear()
        with CaptureQueriesContext(connection) as asked:
            page_as(None).post("/accounts/password/forgotten/", {"email": address})
        work.append([shape(query["sql"]) for query in asked])
    assert work[0] == work[1] == work[2] and mail.outbox == []
    queued = [row.args_kwargs for row in DBTaskResult.objects.order_by("enqueued_at")]
    assert "@" not in json.dumps(queued)
    for one in queued:
        tasks.send_password_links.call(*one["args"], **one["kwargs"])
    assert [letter.to for letter in mail.outbox] == [["reader@sheep.example"]] * 2


def test_an_account_that_is_erased_or_closed_meanwhile_gets_no_mail(mailing, annotator, second):
    for user in (annotator, second):
        user.email = f"{user.username}@sheep.example"
        user.is_active = user != second
        user.save()
    numbers = [annotator.pk, second.pk]
    annotator.delete()
    tasks.send_password_links.call(accounts=numbers, origin="http://testserver")
    assert mail.outbox == []


def test_the_mailed_link_sets_a_password_once(mailing, annotator, page_as):
    annotator.email = "reader@sheep.example"
    annotator.save()
    page_as(None).post("/accounts/password/forgotten/", {"email": annotator.email})
    path = re.search(r"http://testserver(/accounts/password/new/\S+)", mail.outbox[0].body)[1]
    page = page_as(None)
    form = page.get(path)["Location"]
    sent = {"password1": GOOD, "password2": GOOD}
    assert "common" in page.post(form, {"password1": "password", "password2": "password"}).text
    assert page.post(form, sent)["Location"] == "/accounts/password/new/done/"
    assert "does not work any more" in page_as(None).get(path).text
    assert page_as(None).login(username="annotator", password=GOOD)
