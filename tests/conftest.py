"""A project with its people: a coordinator, two annotators and a stranger from another project."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db.backends.postgresql.operations import DatabaseOperations as PostgresOperations
from django.db.backends.sqlite3.base import DatabaseOperations
from django.test import Client
from hypothesis import HealthCheck, settings
from rest_framework.test import APIClient

from annotation.models import Project, User
from tests import factories

# A busy machine is slow, and that is no fault of the code under test.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test in tests/browser, or with a browser of Playwright's, runs in a real browser.

    A test that asks for a database is worth running on each; the others are the same on both.
    """
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & {"browser", "playwright"} or "browser" in item.path.parts:
            item.add_marker("browser")
        if fixtures & {"db", "transactional_db"} or item.get_closest_marker("django_db"):
            item.add_marker("database")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """With CI set, a browser test that is skipped for want of its browser has failed."""
    report = yield
    if report.skipped and os.environ.get("CI") and item.get_closest_marker("browser"):
        report.outcome, report.longrepr = "failed", f"skipped where CI is set: {report.longrepr}"
    return report


@pytest.fixture(scope="session", autouse=True)
def flush_past_the_log() -> Iterator[None]:
    """Emptying the tables between tests takes the triggers of the audit log off and on."""
    flush = DatabaseOperations.sql_flush

    def without(self: DatabaseOperations, *args: object, **options: object) -> list[str]:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
        taken_off = [f"DROP TRIGGER {name}" for name, _sql in triggers]
        return [*taken_off, *flush(self, *args, **options), *(sql for _name, sql in triggers)]

    truncate = PostgresOperations.sql_flush

    def switched(self: PostgresOperations, *args: object, **options: object) -> list[str]:
        statements = truncate(self, *args, **options)
        if not any("annotation_auditevent" in statement for statement in statements):
            return statements
        switch = "ALTER TABLE annotation_auditevent %s TRIGGER audit_no_truncate"
        return [switch % "DISABLE", *statements, switch % "ENABLE"]

    DatabaseOperations.sql_flush, PostgresOperations.sql_flush = without, switched
    yield
    DatabaseOperations.sql_flush, PostgresOperations.sql_flush = flush, truncate


@pytest.fixture
def project(db: None) -> Project:
    return factories.make_project()


@pytest.fixture
def coordinator(project: Project) -> User:
    return factories.join(project, "coordinator", "coordinator")


@pytest.fixture
def annotator(project: Project) -> User:
    return factories.join(project, "annotator", "annotator")


@pytest.fixture
def second(project: Project) -> User:
    return factories.join(project, "second", "annotator")


@pytest.fixture
def stranger(db: None) -> User:
    """Coordinates and annotates another project."""
    other = factories.make_project("elsewhere")
    factories.join(other, "stranger", "coordinator")
    return factories.join(other, "stranger", "annotator")


@pytest.fixture
def api_as(db: None):
    """``api_as(user)``: an API client with that user's session."""
    cache.clear()

    def client(user: User | None) -> APIClient:
        api = APIClient()
        if user is not None:
            api.force_login(user)
        return api

    return client


@pytest.fixture
def page_as(db: None):
    """``page_as(user)``: a page client logged in as that user."""

    def client(user: User | None) -> Client:
        page = Client()
        if user is not None:
            page.force_login(user)
        return page

    return client
