"""The second factor: setting it up, logging in with it, and a site that demands it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import re
import struct
import time
import types

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.core.management import CommandError, call_command

from annotation.actions import people
from annotation.models import AuditEvent
from tests import factories
from tests.factories import PASSWORD

STEP = 30  # seconds that one code is shown for, RFC 6238


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """A clock that stands, for the app and the site: no step may end between code and check."""
    shown = types.SimpleNamespace(now=float(int(time.time())))
    monkeypatch.setattr(totp, "time", types.SimpleNamespace(time=lambda: shown.now))
    return shown


def code(key: str, steps: int = 0) -> str:
    """RFC 6238 over SHA-1: the six digits that an app shows for the key."""
    counter = struct.pack(">Q", int(totp.time.time()) // STEP + steps)
    hashed = hmac.new(base64.b32decode(key + "=" * (-len(key) % 8)), counter, hashlib.sha1)
    whole = hashed.digest()
    at = whole[-1] & 15
    return f"{(int.from_bytes(whole[at : at + 4]) & 0x7FFFFFFF) % 10**6:06}"


@pytest.fixture(autouse=True)
def no_limits_of_before(db):
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def demanded(settings):
    """The site demands a second factor of coordinators."""
    settings.MFA_REQUIRED_FOR = "coordinators"
    return settings


def log_in(page, name):
    return page.post("/accounts/login/", {"login": name, "password": PASSWORD})


def begin(page, name):
    """Log in and give the password again, which the page that sets it up asks for."""
    log_in(page, name)
    page.post("/accounts/again/", {"password": PASSWORD})
    return page.get("/accounts/2fa/app/").text


@pytest.fixture
def set_up(page_as, django_capture_on_commit_callbacks):
    """``set_up(name)``: (key, recovery codes) of an account that set up its second factor."""

    def steps(name):
        page = page_as(None)
        shown = begin(page, name)
        key = re.search(r'id="key"[^>]*value="(\w+)"', shown)[1]
        assert 'src="data:image/svg+xml;base64,' in shown
        with django_capture_on_commit_callbacks(execute=True):
            page.post("/accounts/2fa/app/", {"code": code(key, -1)})
        assert Authenticator.objects.filter(user__username=name, type="totp").exists()
        reply = page.get("/accounts/2fa/recovery/")
        return key, re.findall(r"<li>(\d{8})</li>", reply.text)

    return steps


@pytest.mark.parametrize("path", ["app/", "recovery/new/"])
def test_an_open_session_alone_changes_no_second_factor(annotator, page_as, path):
    reply = page_as(annotator).post(f"/accounts/2fa/{path}", {"code": "000000"})
    assert reply["Location"].startswith("/accounts/again/")
    assert not Authenticator.objects.exists()


def test_a_wrong_code_sets_nothing_up_and_lets_nobody_in(annotator, set_up, page_as):
    page = page_as(None)
    begin(page, "annotator")
    assert "Incorrect code" in page.post("/accounts/2fa/app/", {"code": "x"}).text
    assert not Authenticator.objects.exists()
    set_up("annotator")
    stolen = page_as(None)
    assert log_in(stolen, "annotator")["Location"] == "/accounts/2fa/code/"
    assert "Incorrect code" in stolen.post("/accounts/2fa/code/", {"code": "12"}).text
    assert stolen.get("/").status_code == 302


@pytest.mark.parametrize(("steps", "status"), [(-2, 200), (-1, 302), (1, 302), (2, 200)])
def test_a_telephone_whose_clock_is_half_a_minute_off_is_believed_and_no_other(
    annotator, set_up, page_as, clock, steps, status
):
    key, _codes = set_up("annotator")
    clock.now += 10 * STEP  # a code is taken once, and setting it up took one
    page = page_as(None)
    log_in(page, "annotator")
    assert page.post("/accounts/2fa/code/", {"code": code(key, steps)}).status_code == status


def test_a_code_of_the_app_or_a_recovery_code_opens_the_account_once(annotator, set_up, page_as):
    key, codes = set_up("annotator")
    assert len(codes) == 10
    for given, status in ((code(key), 302), (codes[0], 302), (codes[0], 200), (code(key), 200)):
        page = page_as(None)
        log_in(page, "annotator")
        assert page.post("/accounts/2fa/code/", {"code": given}).status_code == status
        assert page.get("/").status_code == (200 if status == 302 else 302)
    kinds = AuditEvent.objects.values_list("kind", "subject")
    assert list(kinds) == [("second_factor.added", annotator.pk)]


PROTECTED = ("app/remove/", "recovery/new/", "recovery/", "recovery/codes.txt", "app/")


@pytest.mark.parametrize("demanded_of", ["none", "coordinators"])
def test_the_password_alone_neither_removes_nor_shows_nor_renews_a_second_factor(
    settings, coordinator, set_up, page_as, demanded_of
):
    """A session that never gave a code: of before the factor, or of a stolen cookie."""
    settings.MFA_REQUIRED_FOR = demanded_of
    _key, codes = set_up("coordinator")
    before = list(Authenticator.objects.order_by("pk").values_list("type", "data"))
    page = page_as(coordinator)
    for path in PROTECTED:
        asked = page.post("/accounts/again/", {"password": PASSWORD})
        assert asked["Location"].startswith("/accounts/2fa/again/")
        for ask in (page.get, page.post):
            reply = ask(f"/accounts/2fa/{path}")
            if reply.status_code != 405:
                assert reply["Location"].startswith("/accounts/2fa/again/"), path
    shown = page.post("/accounts/2fa/again/", {"code": "000000"}).text
    assert "Incorrect code" in shown and "recovery codes" in shown
    assert "Use your password" not in shown
    after = list(Authenticator.objects.order_by("pk").values_list("type", "data"))
    assert [kind for kind, _ in after] == ["totp", "recovery_codes"]
    assert [data["seed"] for kind, data in after if kind != "totp"] == [before[1][1]["seed"]]
    page.post("/accounts/2fa/again/", {"code": codes[0]})
    page.post("/accounts/2fa/app/remove/")
    assert not Authenticator.objects.exists()


def test_a_password_given_before_there_was_a_factor_does_not_remove_it(annotator, page_as):
    page = page_as(None)
    begin(page, "annotator")
    Authenticator.objects.create(user=annotator, type="totp", data={"secret": "x"})
    reply = page.post("/accounts/2fa/app/remove/")
    assert reply["Location"].startswith("/accounts/2fa/again/")
    assert Authenticator.objects.exists()


def test_the_keeper_of_the_site_takes_a_lost_second_factor_away(annotator, set_up, page_as):
    set_up("annotator")
    out = io.StringIO()
    call_command("reset_second_factor", "annotator", stdout=out)
    assert log_in(page_as(None), "annotator")["Location"] == "/"
    assert AuditEvent.objects.filter(kind="second_factor.reset", subject=annotator).exists()
    for name in ("annotator", "nobody"):
        with pytest.raises(CommandError):
            call_command("reset_second_factor", name, stdout=out)


@pytest.mark.parametrize(
    "path",
    ["/", "/new/", "/p/flock/", "/p/flock/members/", "/p/flock/export/?format=sheep"],
)
def test_a_coordinator_without_one_is_sent_to_set_it_up(demanded, coordinator, page_as, path):
    page = page_as(coordinator)
    assert page.get(path)["Location"] == "/accounts/2fa/app/"
    assert page.post("/p/flock/members/", {})["Location"] == "/accounts/2fa/app/"
    assert not AuditEvent.objects.exists()


def test_the_api_refuses_a_session_without_one_and_takes_a_token(demanded, coordinator, api_as):
    path = "/api/v1/projects/flock/progress/"
    refused = api_as(coordinator).get(path)
    assert refused.status_code == 403 and "second factor" in refused.json()["errors"][0]["message"]
    headers = {"authorization": f"Token {people.make_token(coordinator)}"}
    assert api_as(None).get(path, headers=headers).status_code == 200


def test_whoever_also_annotates_may_go_on_annotating(demanded, project, coordinator, page_as):
    factories.join(project, "coordinator", "annotator")
    page = page_as(coordinator)
    assert page.get("/p/flock/label/").status_code == 200
    assert page.get("/p/flock/items/")["Location"] == "/accounts/2fa/app/"


def test_with_one_a_coordinator_coordinates_and_the_others_are_asked_for_nothing(
    demanded, coordinator, annotator, set_up, page_as
):
    _key, codes = set_up("coordinator")
    page = page_as(None)
    log_in(page, "coordinator")
    page.post("/accounts/2fa/code/", {"code": codes[0]})
    assert page.get("/p/flock/members/").status_code == 200
    assert page_as(annotator).get("/").status_code == 200
    assert page_as(annotator).get("/p/flock/members/").status_code == 403


def test_a_site_may_demand_it_of_everyone(settings, annotator, page_as, api_as, set_up):
    settings.MFA_REQUIRED_FOR = "everyone"
    page = page_as(annotator)
    assert page.get("/p/flock/label/")["Location"] == "/accounts/2fa/app/"
    assert page.get("/accounts/").status_code == 200
    assert api_as(annotator).get("/api/v1/projects/").status_code == 403
    _key, codes = set_up("annotator")
    again = page_as(None)
    log_in(again, "annotator")
    again.post("/accounts/2fa/code/", {"code": codes[0]})
    assert again.get("/p/flock/label/").status_code == 200


def test_setting_one_up_ends_every_other_session_and_keeps_this_one(
    demanded, coordinator, page_as, django_capture_on_commit_callbacks
):
    other, here = page_as(None), page_as(None)
    log_in(other, "coordinator")
    key = re.search(r'id="key"[^>]*value="(\w+)"', begin(here, "coordinator"))[1]
    with django_capture_on_commit_callbacks(execute=True):
        here.post("/accounts/2fa/app/", {"code": code(key)})
    assert other.get("/accounts/")["Location"].startswith("/accounts/login/")
    assert here.get("/p/flock/members/").status_code == 200


def test_a_session_that_never_gave_a_code_is_asked_for_one(
    demanded, coordinator, set_up, page_as, api_as
):
    """In no list of sessions, or logged in at the same moment: such a one may be left."""
    _key, codes = set_up("coordinator")
    page = page_as(coordinator)
    for path in ("/", "/p/flock/members/", "/p/flock/log/log.csv"):
        assert page.get(path)["Location"] == "/accounts/2fa/again/"
    refused = api_as(coordinator).get("/api/v1/projects/flock/progress/")
    assert refused.status_code == 403 and "give a code" in refused.json()["errors"][0]["message"]
    page.post("/accounts/2fa/again/", {"code": codes[0]})
    assert page.get("/p/flock/members/").status_code == 200
