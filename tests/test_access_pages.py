"""Every person against every page: allowed, 403, 404, or led to the login."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver

from annotation.models import User
from tests import pages
from tests.factories import PASSWORD
from tests.pages import FOREIGN, LOGIN, OK, PEOPLE, TABLE


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def users(project):
    return pages.crowd(project)


@pytest.fixture
def named(project, users):
    return pages.fill(project, users)


def outcome(reply) -> object:
    """What of `TABLE` an answer is."""
    if reply.status_code == 302 and reply["Location"].startswith("/accounts/login/?next="):
        return LOGIN
    return OK if reply.status_code < 400 or reply.status_code == 422 else reply.status_code


def test_every_page_stands_in_the_table():
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    assert {name for name in names if not name.startswith("api_")} == set(TABLE)


@pytest.mark.parametrize("person", PEOPLE)
def test_each_person_gets_what_the_table_says(person, users, named, page_as):
    browser = page_as(users[person])
    got = {}
    # Reading pages come first: the others change what there is.
    for name, page in sorted(TABLE.items(), key=lambda row: row[1].method):
        got[name] = outcome(getattr(browser, page.method)(page.path.format(**named)))
    assert got == {name: page.who[PEOPLE.index(person)] for name, page in TABLE.items()}


@pytest.mark.parametrize("person", PEOPLE)
def test_who_may_not_see_a_page_may_not_send_to_it_either(person, users, named, page_as):
    browser = page_as(users[person])
    for name, page in TABLE.items():
        wanted = page.who[PEOPLE.index(person)]
        if wanted != OK:
            got = outcome(browser.post(page.path.format(**named), {"confirm": "1"}))
            assert got in (wanted, 405), name


def test_ids_of_a_project_are_unknown_under_the_address_of_another(users, named, page_as):
    browser = page_as(users["stranger"])
    for name, page in TABLE.items():
        if "{slug}" in page.path and page.path.count("{") > 1:
            path = page.path.format(**(named | {"slug": "elsewhere"}))
            assert outcome(getattr(browser, page.method)(path)) == FOREIGN, name


def sent_too_late(page_as, page: str | None):
    headers = {"referer": page} if page else {}
    return page_as(None).post("/p/flock/labels/1/up/?x=1", {}, headers=headers)


@pytest.mark.parametrize(
    "elsewhere", [None, "", "https://sheep.example/p/flock/", "//x", "javascript:alert(1)"]
)
def test_a_login_after_an_ended_session_leads_to_no_page_of_elsewhere(project, page_as, elsewhere):
    login = sent_too_late(page_as, elsewhere)["Location"]
    assert login == "/accounts/login/?next=/p/flock/labels/1/up/%3Fx%3D1"


def test_what_was_sent_after_the_session_ended_is_said_and_leads_back_to_its_page(project, page_as):
    page = page_as(None)
    sent = "http://testserver/p/flock/labels/?q=a&b=ü"
    reply = page.post("/p/flock/labels/1/up/", {}, headers={"referer": sent})
    assert reply["Location"] == "/accounts/login/?next=/p/flock/labels/%3Fq%3Da%26b%3D%C3%BC"
    assert "what you sent has not been done" in page.get(reply["Location"]).text
    assert "has not been done" not in page.get("/p/flock/labels/", follow=True).text


@pytest.mark.parametrize("path", ["invitations/", "labels/1/up/", "items/1/retire/"])
def test_an_address_that_only_takes_a_form_says_so_and_leads_back(page_as, coordinator, path):
    """A login leads to it by GET where a form was sent without a session."""
    answer = page_as(coordinator).get(f"/p/flock/{path}")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    page = answer.content.decode()
    assert 'href="/p/flock/"' in page and "press it again" in page


def test_ids_that_do_not_exist_are_not_found(users, named, page_as):
    browser = page_as(users["coordinator"])
    missing = dict.fromkeys(named, 999999) | {"slug": named["slug"]}
    for name, page in TABLE.items():
        if page.path.count("{") > 1 and name != "label_one":
            path = page.path.format(**missing)
            assert outcome(getattr(browser, page.method)(path)) == FOREIGN, name


def test_a_refusal_is_a_page_in_the_frame_with_a_way_home(users, page_as):
    refused = page_as(users["annotator"]).get("/p/flock/members/")
    missing = page_as(users["annotator"]).get("/no/such/page/")
    for reply, status in ((refused, 403), (missing, 404)):
        assert reply.status_code == status
        assert "<h1>" in reply.text and 'href="/"' in reply.text


def test_a_form_of_another_origin_is_refused_and_its_origin_named(users):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(users["coordinator"])
    reply = browser.post("/p/flock/members/", {}, headers={"origin": "https://sheep.example:8443"})
    assert reply.status_code == 403
    assert "https://sheep.example:8443" in reply.text and "PUBLIC_URL" in reply.text


@pytest.mark.parametrize("path", ["/accounts/signup/", "/accounts/password/forgotten/"])
def test_nobody_makes_an_account_or_asks_for_mail(db, page_as, path):
    sent = {"username": "new", "password1": "hay-in-the-barn-9", "password2": "hay-in-the-barn-9"}
    reply = page_as(None).post(path, sent)
    assert reply.status_code in (200, 405) and not User.objects.exists()
    assert "oordinator" in page_as(None).get(path).text


def test_the_sixth_wrong_password_closes_the_account_for_a_while(users, page_as):
    cache.clear()
    browser = page_as(None)
    for _ in range(5):
        wrong = browser.post("/accounts/login/", {"login": "annotator", "password": "wrong"})
        assert wrong.status_code == 200 and "not correct" in wrong.text
    reply = browser.post("/accounts/login/", {"login": "annotator", "password": PASSWORD})
    assert reply.status_code == 200 and "Too many failed login attempts" in reply.text
    cache.clear()


def test_whoever_tries_too_often_is_told_so_in_the_frame(users, page_as):
    cache.clear()
    browser = page_as(None)
    sent = ({"login": f"name-{n}", "password": "wrong"} for n in range(40))
    last = [browser.post("/accounts/login/", row) for row in sent][-1]
    cache.clear()
    assert last.status_code == 429
    assert "Wait a minute" in last.text and 'class="brand"' in last.text


def test_logging_in_ends_on_the_page_that_was_asked(users, page_as):
    sent = {"login": "annotator", "password": PASSWORD, "next": "/p/flock/guidelines/"}
    assert page_as(None).post("/accounts/login/", sent)["Location"] == "/p/flock/guidelines/"
    sent["next"] = "https://evil.example/"
    assert page_as(None).post("/accounts/login/", sent)["Location"] == "/"
