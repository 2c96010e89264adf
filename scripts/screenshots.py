"""Take the README's pictures from the demo's real pages, on a demo made for this alone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PORT = 8765
# file name -> start of the account's name, page
SHOTS = {
    "annotator": ("annotator", "label/"),
    "coordinator": ("coordinator", ""),
    "agreement": ("coordinator", "agreement/"),
}


def log_in(browser: Browser, address: str, name: str, password: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{address}accounts/login/")
    page.fill("input[name=login]", name)
    page.fill("input[name=password]", password)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: "login" not in url)
    return page


def take(browser: Browser, output: str) -> None:
    """``output`` is what the demo said: the accounts with their passwords, and the address."""
    found = re.search(r"http://127\.0\.0\.1:\d+/", output)
    assert found, output  # noqa: S101
    address = found.group()
    PICTURES.mkdir(parents=True, exist_ok=True)
    for shot, (start, path) in SHOTS.items():
        account = re.search(rf"({start}[\w-]*)\W+(?:password\W+)?(\S+)", output)
        assert account, f"no account {start} in: {output}"  # noqa: S101
        page = log_in(browser, address, account[1], account[2])
        href = page.locator('a[href*="/p/"]').first.get_attribute("href") or ""
        slug = re.search(r"/p/([\w-]+)/", href)
        assert slug, f"no project on the home page: {href}"  # noqa: S101
        page.goto(f"{address}p/{slug[1]}/{path}")
        page.wait_for_load_state("networkidle")
        page.screenshot(path=PICTURES / f"{shot}.png")
        sys.stdout.write(f"docs/pictures/{shot}.png\n")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        demo = subprocess.Popen(
            [sys.executable, "scripts/demo.py", "--port", str(PORT)],
            cwd=ROOT,
            env=os.environ | {"SHEEPFOLD_DATA": folder},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert demo.stdout is not None  # noqa: S101
        output = ""
        try:
            for line in demo.stdout:
                output += line
                if "Ctrl+C" in line:
                    break
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
                )
                take(browser, output)
                browser.close()
        finally:
            demo.send_signal(signal.SIGINT)
            demo.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
