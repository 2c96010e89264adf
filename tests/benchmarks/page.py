"""What the labelling page costs in Chromium, served as in production; JSON on standard output."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from playwright.sync_api import Browser, Playwright, sync_playwright  # noqa: E402

from tests.benchmarks import fill, measure, site  # noqa: E402

ROUNDS = 7
READY = "() => document.querySelector('#response')?.textContent.length > 0"


def cookie(name: str) -> str:
    browser = Client()
    browser.force_login(get_user_model().objects.get(username=name))
    return browser.cookies[settings.SESSION_COOKIE_NAME].value


def launch(playwright: Playwright) -> Browser:
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    return playwright.chromium.launch(executable_path=chromium, args=arguments)


def visit(
    browser: Browser, port: int, session: str, path: str = "/p/page/label/", wanted: str = READY
) -> dict[str, float]:
    """Bytes on the wire, requests and ms until the page is ready; an empty cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    address = f"http://127.0.0.1:{port}"
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}])
    page = context.new_page()
    watcher = context.new_cdp_session(page)
    watcher.send("Network.enable")
    sizes: list[float] = []
    watcher.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{address}{path}", wait_until="commit")
    page.wait_for_function(wanted, polling=5)
    ready = page.evaluate("performance.now()")
    page.wait_for_load_state("networkidle")
    context.close()
    return {"ready": ready, "bytes": sum(sizes), "requests": len(sizes)}


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    fill.project("page", 1)
    with tempfile.TemporaryDirectory() as folder:
        measure.import_items("page", 50, Path(folder))
    session = cookie("page-0")
    port = int(os.environ["PUBLIC_URL"].rstrip("/").rpartition(":")[2])
    with site.served(port), sync_playwright() as playwright:
        browser = launch(playwright)
        seen: list[dict[str, Any]] = [visit(browser, port, session) for _ in range(ROUNDS)]
        browser.close()
    middle = sorted(seen, key=lambda one: one["ready"])[ROUNDS // 2]
    sys.stdout.write(json.dumps({"page": middle}) + "\n")


if __name__ == "__main__":
    main()
