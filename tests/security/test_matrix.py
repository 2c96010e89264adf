"""Every route by every method against every kind of person; a route without a decision fails."""

from __future__ import annotations

import pytest
from django.urls import resolve

from tests import pages
from tests.security import routes
from tests.security.routes import API, METHODS, OK, PERSONS, TAKEN, ask, outcome

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def users(project):
    return routes.crowd(project)


@pytest.fixture
def named(project, users):
    return routes.fill(project, users)


def test_every_route_of_the_configuration_is_decided():
    found = [route.name for route in routes.routes()]
    undecided = [name for name in found if name not in API and name not in pages.TABLE]
    assert undecided == []
    assert sorted(found) == sorted({*API, *pages.TABLE})
    assert set(pages.TABLE) >= set(TAKEN)


def test_the_decided_path_of_a_route_is_its_own(named):
    for route in routes.routes():
        found = resolve(routes.path_of(route.name).partition("?")[0].format(**named))
        assert found.url_name == route.name


def test_a_route_takes_the_methods_that_are_decided_and_no_other(users, named):
    browsers = routes.clients(users)
    wrong = {}
    for route in routes.routes():
        asking = browsers[routes.asks(route.name)]
        path = routes.path_of(route.name).format(**named)
        taken = {m for m in METHODS if outcome(ask(asking, m, path)) != 405}
        if taken != routes.taken_by(route.name):
            wrong[route.name] = " ".join(m for m in METHODS if m in taken)
    assert wrong == {}


def test_each_person_gets_from_each_route_what_is_decided(users, named):
    browsers = routes.clients(users)
    assert set(browsers) == set(PERSONS)
    wrong = []
    for route in routes.routes():
        path = routes.path_of(route.name).format(**named)
        for method in sorted(routes.taken_by(route.name)):
            for person in PERSONS:
                got = outcome(ask(browsers[person], method, path))
                wanted = routes.expected(route.name, person)
                if got != wanted:
                    wrong.append(f"{method} {route.name} as {person}: {got}, not {wanted}")
    assert wrong == []


def test_nobody_without_a_role_is_answered_by_a_method_that_is_not_taken(users, named):
    browsers = routes.clients(users)
    for route in routes.routes():
        if route.name in routes.LED_ON:
            continue
        path = routes.path_of(route.name).format(**named)
        for method in set(METHODS) - routes.taken_by(route.name):
            for person in ("nobody", "stranger"):
                assert outcome(ask(browsers[person], method, path)) != OK, (method, route.name)
