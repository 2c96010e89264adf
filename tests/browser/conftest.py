"""Real Chromium against a live server; an error on a page's console fails its test."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError
from django.db.backends.base.operations import BaseDatabaseOperations
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from annotation.models import Project, User
from tests.browser.desk import Desk

# Playwright leaves a running loop in the test's thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
# The headless shell is the same engine without the windows around it: a third less work a test.
BUILDS = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
CHROMIUM = os.environ.get("CHROMIUM") or next((b for b in BUILDS if Path(b).exists()), BUILDS[-1])
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
# A refused or failed request is written to the console by the browser itself.
EXPECTED = ("Failed to load resource", "net::ERR_INTERNET_DISCONNECTED")
# What the policy stopped, said by the browser itself; a console that others fill may hide it.
VIOLATIONS = """addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});"""


@pytest.fixture(scope="session", autouse=True)
def patient_flush() -> Iterator[None]:
    """Emptying the tables waits for what a page asked before it was closed.

    PostgreSQL ends one of the two as a deadlock, and the tables would stay full.
    """
    flush = BaseDatabaseOperations.execute_sql_flush

    def again(self: BaseDatabaseOperations, statements: list[str]) -> None:
        for left in range(20, -1, -1):
            try:
                return flush(self, statements)
            except OperationalError:
                if not left:
                    raise
                time.sleep(0.2)

    BaseDatabaseOperations.execute_sql_flush = again  # type: ignore[method-assign]
    yield
    BaseDatabaseOperations.execute_sql_flush = flush  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"{CHROMIUM} is not there")
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return {
        **browser_context_args,
        "viewport": {"width": 1280, "height": 800},
        "reduced_motion": "reduce",
    }


@pytest.fixture
def log_in(live_server) -> Callable[[BrowserContext, User], None]:
    """``log_in(context, user)``: give a browser context that user's session."""

    def give(context: BrowserContext, user: User) -> None:
        client = Client()
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        value = client.cookies[name].value
        context.add_cookies([{"name": name, "value": value, "url": live_server.url}])

    return give


@pytest.fixture
def watched() -> Iterator[Callable[[Page], None]]:
    """``watched(page)``: at the end the page's console must be empty, and no policy broken."""
    faults: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(EXPECTED):
            faults.append(message.text)

    def watch(page: Page) -> None:
        page.add_init_script(VIOLATIONS)
        page.on("console", note)
        page.on("pageerror", lambda error: faults.append(str(error)))

    yield watch
    assert faults == []


@pytest.fixture
def coordinators_page(browser, browser_context_args, log_in, watched, coordinator):
    """A page of the coordinator's own browser."""
    context = browser.new_context(**browser_context_args)
    log_in(context, coordinator)
    page = context.new_page()
    watched(page)
    yield page
    context.close()


@pytest.fixture
def desk_for(live_server, browser: Browser, browser_context_args, log_in, watched, project):
    """``desk_for(user, **context options)``: the labelling page in that user's own browser."""
    contexts: list[BrowserContext] = []

    def build(user: User, path: str = "", **options) -> Desk:
        context = browser.new_context(**(browser_context_args | options))
        contexts.append(context)
        log_in(context, user)
        page = context.new_page()
        watched(page)
        desk = Desk(page, f"{live_server.url}/p/{project.slug}/label/")
        desk.open(path)
        return desk

    yield build
    for context in contexts:
        context.close()


@pytest.fixture
def desk(desk_for, annotator) -> Callable[..., Desk]:
    """``desk(**item fields)``: the page of the annotator with one item of those fields."""
    from tests import factories

    def build(project: Project, **fields) -> Desk:
        factories.make_item(project, **fields)
        return desk_for(annotator)

    return lambda project, **fields: build(project, **fields)
