"""What every answer says to browsers and proxies, and what the site is in production."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys

import pytest
from django.core.cache import cache
from django.test import override_settings

from annotation.middleware_headers import HEADERS, PERMISSIONS, PRIVATE
from tests.factories import PASSWORD
from tests.security import routes
from tests.test_environment import ROOT, started

SITE = {"PUBLIC_URL": "https://host.example/annotate/", "SECRET_KEY": secrets.token_urlsafe(60)}
POLICY = {
    *("default-src 'none'", "script-src 'self'", "style-src 'self'", "object-src 'none'"),
    *("base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"),
}
LINKS = ("password_link", "join", "account_reset_password_from_key")


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def users(project):
    return routes.crowd(project)


@pytest.fixture
def named(project, users):
    return routes.fill(project, users)


def test_every_answer_carries_every_header_and_nobody_keeps_what_is_peoples(users, named):
    browsers = routes.clients(users)
    wrong = []
    for route in routes.routes():
        path = routes.path_of(route.name).format(**named)
        for person in ("nobody", "insider"):
            reply = routes.ask(browsers[person], sorted(routes.taken_by(route.name))[0], path)
            policy = reply.headers.get("Content-Security-Policy", "")
            if not (set(policy.split("; ")) >= POLICY or "sandbox" in policy):
                wrong.append(f"{route.name}: {policy}")
            asked = HEADERS | {
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
                # no request may name an address that is a secret as the place it comes from
                "Referrer-Policy": "strict-origin" if route.name in LINKS else "same-origin",
                "Cross-Origin-Opener-Policy": "same-origin",
            }
            if reply.headers.get("Content-Type", "").startswith("text/html"):
                asked["Permissions-Policy"] = PERMISSIONS
            wrong += [
                f"{route.name}: {name}" for name, value in asked.items() if reply.get(name) != value
            ]
            kept = reply["Cache-Control"]
            if "no-store" not in kept and not (kept.startswith("private") and person != "nobody"):
                wrong.append(f"{route.name} as {person}: {kept}")
    assert wrong == []


def test_the_policy_lets_nothing_inline_and_nothing_of_elsewhere_run(client, db):
    policy = client.get("/accounts/login/")["Content-Security-Policy"]
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    assert client.get("/no/such/page/")["Content-Security-Policy"] == policy


def test_a_static_file_is_kept_and_marked_like_the_rest(client, db):
    reply = client.get("/static/css/base.css")
    assert reply.status_code == 200 and "no-store" not in reply["Cache-Control"]
    assert reply["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in reply
    assert "Permissions-Policy" not in reply  # asked of documents alone
    assert client.get("/static/favicon.svg")["Permissions-Policy"] == PERMISSIONS


def test_a_view_that_says_how_long_its_answer_is_kept_is_left_its_word(users, named, page_as):
    reply = page_as(users["annotator"]).get(f"/pictures/{named['item']}/")
    assert reply["Cache-Control"] == "private, max-age=3600"
    assert page_as(users["annotator"]).get("/")["Cache-Control"] == PRIVATE


def manage(data, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG")}
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=kept | {"SHEEPFOLD_DATA": str(data)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_check_of_a_deployment_has_nothing_to_say(tmp_path):
    answer = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **SITE)
    assert answer.returncode == 0, answer.stderr
    assert "no issues" in answer.stdout


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        (SITE, "31536000"),
        (SITE | {"HSTS_SECONDS": "0"}, "0"),
        (SITE | {"PUBLIC_URL": "http://host.example:8000/"}, "0"),
    ],
)
def test_browsers_are_told_to_stay_with_https_where_the_site_has_it(tmp_path, environment, seconds):
    assert started(tmp_path, "SECURE_HSTS_SECONDS", **environment).stdout.strip() == seconds


def test_cookies_in_production_are_for_https_and_the_sites_own_path(tmp_path):
    ask = "SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SESSION_COOKIE_HTTPONLY, "
    ask += "s.SESSION_COOKIE_PATH, s.CSRF_COOKIE_PATH, s.SESSION_COOKIE_SAMESITE"
    said = started(tmp_path, ask, **SITE).stdout.strip()
    assert said == "True True True /annotate/ /annotate/ Lax"


def test_a_login_gives_cookies_that_scripts_and_other_sites_do_not_get(users, page_as):
    cache.clear()
    with override_settings(SESSION_COOKIE_SECURE=True, CSRF_COOKIE_SECURE=True):
        browser = page_as(None)
        browser.get("/accounts/login/")
        browser.post("/accounts/login/", {"login": "annotator", "password": PASSWORD})
    session, csrf = (browser.cookies[name] for name in ("sessionid", "csrftoken"))
    assert session["httponly"] and session["secure"] and session["samesite"] == "Lax"
    assert csrf["secure"] and csrf["samesite"] == "Lax"
    assert not session["domain"] and not csrf["domain"]
