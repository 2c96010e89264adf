"""Limits of tries hold for the whole site, not for one of its processes."""

from __future__ import annotations

import multiprocessing

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from django.test import Client
from django.urls import resolve

from tests import factories
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


def attempt(password: str) -> str:
    sent = {"login": "reader", "password": password}
    return Client().post("/accounts/login/", sent).content.decode()


def wrongly(times: int) -> None:
    for _ in range(times):
        attempt("wrong")


def in_another_process(work, *arguments) -> None:
    """Run it in a process that has nothing of this one's but the database's address."""
    connections.close_all()
    process = multiprocessing.get_context("fork").Process(target=work, args=arguments)
    process.start()
    process.join(60)
    assert process.exitcode == 0


def test_wrong_passwords_in_two_processes_are_counted_together():
    factories.make_user("reader")
    cache.clear()
    in_another_process(wrongly, 3)
    in_another_process(wrongly, 2)
    assert "Too many failed login attempts" in attempt(PASSWORD)
    cache.clear()
    assert attempt(PASSWORD) == ""


def test_so_many_names_tried_free_none_that_is_closed():
    cache.clear()
    cache.set("closed", [1, 2, 3, 4, 5], 300)
    cache.set_many({f"name-{n}": [1] for n in range(1000)}, 300)
    assert cache.get("closed") == [1, 2, 3, 4, 5]
    cache.clear()


def test_no_limit_stands_on_claiming_and_saving():
    """Nothing keeps a count of them: a fast annotator is no attacker."""
    rates = settings.ACCOUNT_RATE_LIMITS
    assert set(rates) == {"login_failed"}
    for path in ("/api/v1/projects/flock/claim/", "/api/v1/assignments/1/"):
        view = resolve(path).func.view_class
        assert view.throttle_classes == []
