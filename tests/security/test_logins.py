"""Logging in: where it leads, what it tells, whose forms count, and which session it gives."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client, override_settings

from annotation.actions import people
from annotation.models import User
from tests import factories
from tests.factories import PASSWORD
from tests.security import routes

# Where an answer must never send anybody.
ELSEWHERE = [
    *("https://evil.example/", "//evil.example", "///evil.example", "https:evil.example"),
    *("https:///evil.example", "/\\evil.example", "\\\\evil.example", "http:\\\\evil.example"),
    *("https://testserver@evil.example/", "https://testserver.evil.example/", "/\t/evil.example"),
    *("javascript:alert(1)", "data:text/html,x", "ftp://testserver/", "\x00//evil.example"),
    *("https://evil.example%00@testserver/", "/\n/evil.example", " //evil.example"),
]
PUBLIC = "https://host.example"


@pytest.fixture(autouse=True)
def clean(db):
    cache.clear()
    yield
    cache.clear()


def log_in(browser: Client, name: str = "annotator", password: str = PASSWORD, **more):
    return browser.post("/accounts/login/", {"login": name, "password": password} | more)


def leads_out(reply) -> bool:
    """Whether a browser would leave the site for the address of the answer."""
    to = reply.get("Location", "/")
    return not to.startswith("/") or to.startswith(("//", "/\\")) or not to.isprintable()


def test_no_next_leads_out_of_the_site(annotator, page_as):
    """A link of the site's own that ends on a page that looks like its login."""
    wrong = []
    for address in ELSEWHERE:
        inside = page_as(annotator)
        replies = [
            log_in(page_as(None), next=address),
            page_as(None).get("/accounts/login/", {"next": address}),
            inside.get("/accounts/login/", {"next": address}),
            inside.post("/accounts/logout/", {"next": address}),
        ]
        wrong += [(address, r) for r in replies if r.status_code not in (200, 302) or leads_out(r)]
    assert wrong == []


def test_no_way_back_after_a_decision_leads_out_of_the_site(project, coordinator, page_as):
    path = f"/p/flock/items/{factories.make_item(project).pk}/retire/"
    browser = page_as(coordinator)
    for address in ELSEWHERE:
        reply = browser.post(path, {"back": address})
        assert reply.status_code == 302 and reply["Location"] == "/p/flock/items/", address


def test_no_form_of_the_site_redirects_to_what_it_was_sent(project, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    users = routes.crowd(project)
    named = routes.fill(project, users)
    browser = routes.clients(users)["insider"]
    evil = "https://evil.example/"
    sent = dict.fromkeys(("next", "back", "url", "return_to", "redirect", "continue"), evil)
    for route in routes.routes():
        path = routes.path_of(route.name).format(**named)
        joined = "&" if "?" in path else "?"
        for method in routes.taken_by(route.name) & {"GET", "POST"}:
            reply = routes.ask(browser, method, f"{path}{joined}next={evil}&back={evil}", sent)
            assert not reply.get("Location", "").startswith(("http", "//")), route.name


@override_settings(ALLOWED_HOSTS=["host.example"])
@pytest.mark.parametrize("host", ["evil.example", "host.example.evil.example", "host.example@evil"])
def test_a_request_under_another_name_gets_no_page(coordinator, page_as, host):
    assert page_as(coordinator).get("/", headers={"host": host}).status_code == 400


def test_a_password_link_names_the_public_address_whatever_the_request_said(
    project, coordinator, page_as, settings
):
    """A link of the attacker's host would send the secret there."""
    settings.PRODUCTION, settings.ORIGIN = True, PUBLIC
    settings.ALLOWED_HOSTS = ["*"]
    people.add_member(None, project, "newcomer", "annotator", [])
    person = project.participants.get(user__username="newcomer")
    reply = page_as(coordinator).post(
        f"/p/flock/members/{person.pk}/link/",
        headers={"host": "evil.example", "x-forwarded-host": "evil.example"},
    )
    assert f"{PUBLIC}/welcome/" in reply.text and "evil.example" not in reply.text


@override_settings(
    CSRF_TRUSTED_ORIGINS=[PUBLIC],
    ALLOWED_HOSTS=["host.example"],
    SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"),
)
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (PUBLIC, 302),
        ("http://host.example", 403),
        ("https://host.example:8443", 403),
        ("https://evil.example", 403),
        ("https://evil.host.example", 403),
        ("null", 403),
    ],
)
def test_behind_the_proxy_a_form_of_the_public_address_alone_is_taken(annotator, origin, status):
    browser = Client(enforce_csrf_checks=True)
    proxied = {"host": "host.example", "x-forwarded-proto": "https"}
    browser.get("/accounts/login/", headers=proxied)
    sent = {"login": "annotator", "password": PASSWORD}
    sent["csrfmiddlewaretoken"] = browser.cookies["csrftoken"].value
    reply = browser.post("/accounts/login/", sent, headers=proxied | {"origin": origin})
    assert reply.status_code == status
    if status == 403:
        assert origin in reply.text and "PUBLIC_URL" in reply.text


def test_every_form_asks_for_its_token_and_the_api_for_the_sessions(project, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    users = routes.crowd(project)
    named = routes.fill(project, users)
    users = {name: users[name] for name in ("insider", "annotator", "writer")}
    for route in routes.routes():
        for method in routes.taken_by(route.name) - {"GET"}:
            if route.name in routes.LED_ON:
                continue
            browser = Client(enforce_csrf_checks=True)
            browser.force_login(users[routes.asks(route.name)])
            path = routes.path_of(route.name).format(**named)
            assert routes.ask(browser, method, path).status_code == 403, (method, route.name)


def test_a_session_from_before_the_login_is_not_the_one_after_it(annotator):
    browser = Client()
    browser.cookies["sessionid"] = "chosen-by-somebody-else"
    browser.get("/accounts/login/")
    before = browser.cookies["csrftoken"].value
    log_in(browser)
    first = browser.cookies["sessionid"].value
    assert first != "chosen-by-somebody-else"
    assert browser.cookies["csrftoken"].value != before
    browser.post("/accounts/logout/")
    again = Client()
    again.cookies["sessionid"] = first
    assert again.get("/").status_code == 302
    log_in(browser)
    assert browser.cookies["sessionid"].value != first


def test_a_new_password_ends_the_other_sessions(annotator):
    stolen, own = Client(), Client()
    for browser in (stolen, own):
        log_in(browser)
    annotator.set_password("another-fold-of-sheep-9")
    annotator.save()
    assert stolen.get("/").status_code == 302


class Counting(MD5PasswordHasher):
    """Counts what is hashed, since a clock on a busy machine tells nothing."""

    hashed = 0

    def encode(self, password, salt):
        type(self).hashed += 1
        return super().encode(password, salt)


def closed_account() -> None:
    User.objects.create_user("closed", password=PASSWORD, is_active=False)


@override_settings(PASSWORD_HASHERS=["tests.security.test_logins.Counting"])
def test_a_login_takes_as_long_and_says_the_same_whether_there_is_such_a_user(annotator, page_as):
    closed_account()
    waiting = User.objects.create_user("waiting")
    assert not waiting.has_usable_password()
    said, took = {}, {}
    for name in ("annotator", "nobody-of-that-name", "closed", "waiting", "ANNOTATOR", "annοtator"):
        cache.clear()
        Counting.hashed = 0
        reply = log_in(page_as(None), name, "wrong-password-11")
        took[name] = Counting.hashed
        text = reply.text.replace(name, "")
        said[name] = (
            reply.status_code,
            text[text.index("<main") :].split("csrfmiddlewaretoken")[0],
        )
    assert len(set(said.values())) == 1
    assert set(took.values()) == {1}


def test_a_name_that_is_locked_out_is_told_the_same_whether_it_exists(annotator, page_as):
    said = {}
    for name in ("annotator", "nobody-of-that-name"):
        cache.clear()
        replies = [log_in(page_as(None), name, "wrong-password-11") for _ in range(6)]
        said[name] = [(r.status_code, "Too many failed" in r.text) for r in replies]
    assert said["annotator"] == said["nobody-of-that-name"]
    assert said["annotator"][-1] == (200, True)


def test_a_lock_by_name_is_not_lifted_by_capitals_or_blanks(annotator, page_as):
    for name in ("annotator", "Annotator", "ANNOTATOR", "annotatoR", " annotator "):
        log_in(page_as(None), name, "wrong-password-11")
    reply = log_in(page_as(None))
    assert reply.status_code == 200 and "Too many failed" in reply.text


@pytest.mark.parametrize("path", ["/welcome/{}/", "/join/{}/"])
def test_a_link_with_a_wrong_secret_says_nothing_and_takes_any_length(db, page_as, path):
    for secret in ("x", "x" * 5000, "%00", "é", "'; drop table"):
        reply = page_as(None).get(path.format(secret))
        assert reply.status_code in (404, 410)
