"""A browser that is killed, not closed, has still kept what was marked."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, BrowserType

from tests import factories
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.desk import Desk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


def kill(profile: Path) -> None:
    """Kill the browser that runs on the profile, which is the test's own."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            if f"--user-data-dir={profile}".encode() in command and b"--type=" not in command:
                os.kill(int(entry.name), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            continue


def start(browser_type: BrowserType, profile: Path) -> BrowserContext:
    return browser_type.launch_persistent_context(
        str(profile), executable_path=CHROMIUM, args=ARGUMENTS
    )


def test_what_was_marked_offline_outlives_a_kill(
    browser_type, tmp_path, live_server, log_in, project, annotator
):
    factories.make_item(project)
    context = start(browser_type, tmp_path)
    log_in(context, annotator)
    desk = Desk(context.new_page(), f"{live_server.url}/p/{project.slug}/label/")
    desk.open()
    context.set_offline(True)
    desk.mark("white", "a")
    desk.page.wait_for_timeout(300)
    kill(tmp_path)
    (tmp_path / "SingletonLock").unlink(missing_ok=True)
    context = start(browser_type, tmp_path)
    log_in(context, annotator)
    desk.page = context.new_page()
    desk.open()
    assert desk.highlighted("0") == ["white"]
    assert desk.spans(annotator) == [(4, 9, "A")]
    context.close()
