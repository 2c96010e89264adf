"""Two web hosts, a worker's host, one PostgreSQL and a store of pictures, behind one nginx."""

from __future__ import annotations

import http.client
import json
import zipfile
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import browser_context_args, browser_type_launch_args  # noqa: F401
from tests.browser.desk import Desk
from tests.deploy.hosts import PASSWORD, Site, many
from tests.files import picture, row

pytestmark = pytest.mark.servers

WORDS = ("white", "sheep", "gate")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with many(tmp_path_factory.mktemp("many")) as made:
        yield made


def rows(site: Site, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(site.postgres.url) as connection:
        return connection.execute(query).fetchall()


def files(folder: Path) -> dict[str, Path]:
    """Three items with a picture each, as a coordinator uploads them."""
    folder.mkdir()
    items, zipped = folder / "items.jsonl", folder / "pictures.zip"
    text = "Three white sheep stand by a gate."
    lines = [row(f"item-{n}", response=text, image_name=f"{n}.png") for n in range(3)]
    items.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with zipfile.ZipFile(zipped, "w") as archive:
        for n in range(3):
            archive.writestr(f"{n}.png", picture((40 + n, 30)))
    return {"items": items, "pictures": zipped}


def log_in(browser: Browser, site: Site, name: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{site.url}/accounts/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page).not_to_have_url(f"{site.url}/accounts/login/")
    return page


def answer(desk: Desk, words: str, last: bool = False) -> None:
    """Look at the item's picture, mark the words, submit."""
    shown = desk.page.locator("#picture")
    expect(shown).to_have_js_property("naturalHeight", 30)
    before = shown.get_attribute("src")
    desk.mark(words, "a")
    desk.saved()
    desk.page.get_by_role("button", name="Submit").click()
    if last:
        expect(desk.page.locator("body")).to_contain_text("3 done, 0 to go")
    else:
        expect(shown).not_to_have_attribute("src", before)


def cookies(page: Page) -> str:
    return "; ".join(f"{c['name']}={c['value']}" for c in page.context.cookies())


def asked(url: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=20)
    connection.request("GET", path, headers=headers)
    reply = connection.getresponse()
    return reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read()


def test_the_whole_loop_runs_while_a_web_host_is_killed_and_replaced(
    site: Site, browser: Browser, tmp_path: Path
):
    lead = log_in(browser, site, "lead")
    given = files(tmp_path / "given")
    lead.goto(f"{site.url}/p/flock/import/")
    lead.set_input_files("#file", given["items"])
    lead.set_input_files("#images", given["pictures"])
    lead.get_by_role("button", name="Import", exact=True).click()
    expect(lead.locator("caption")).to_have_text("Rows", timeout=20_000)
    assert rows(site, "SELECT state FROM annotation_job") == [("done",)]
    # the worker has neither the web hosts' folders nor they its own: all went through the store
    assert not [path for folder in site.folders for path in folder.glob("*/pictures/**/*.png")]
    assert len({n for n in site.store.names() if n.startswith("flock/media/pictures/")}) == 3
    assert not [n for n in site.store.names() if n.startswith("flock/jobs/")]

    page = log_in(browser, site, "reader")
    desk = Desk(page, f"{site.url}/p/flock/label/")
    desk.open()
    answer(desk, WORDS[0])
    site.webs[0].kill()
    answer(desk, WORDS[1])
    site.webs[0].start()
    status, _, content = asked(site.webs[0].url, "/", Cookie=cookies(page))
    assert status == 200 and b"reader" in content  # the replacement takes everybody's session
    answer(desk, WORDS[2], last=True)
    assert rows(site, "SELECT count(*), min(state), max(state) FROM annotation_annotation") == [
        (3, "submitted", "submitted")
    ]
    marks = "SELECT s.start, s.end FROM annotation_span s JOIN annotation_annotation a"
    found = rows(site, f"{marks} ON a.id = s.annotation_id ORDER BY a.submitted_at")
    assert found == [(6, 11), (12, 17), (29, 33)]


def test_a_picture_in_the_store_comes_through_nginx_and_not_without_the_site(
    site: Site, browser: Browser
):
    """Runs after the loop, which brought the pictures."""
    page = log_in(browser, site, "lead")
    item = rows(site, "SELECT min(id) FROM annotation_item")[0][0]
    status, headers, content = asked(site.url, f"/pictures/{item}/", Cookie=cookies(page))
    assert (status, content) == (200, picture((40, 30)))
    assert headers["content-type"] == "image/png"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"].startswith("private")
    assert not {"location", "set-cookie", "x-amz-request-id"} & headers.keys()
    ours = {"Cookie": cookies(page)}
    status, _, content = asked(site.url, f"/pictures/{item}/", Range="bytes=1-3", **ours)
    assert (status, content) == (206, b"PNG")
    assert asked(site.url, f"/pictures/{item}/", Range="bytes=9000-", **ours)[0] == 416
    status, _, content = asked(site.url, f"/pictures/{item}/")
    assert status == 302 and b"PNG" not in content
    key = min(n for n in site.store.names() if "pictures" in n)
    signed = site.store.client().generate_presigned_url(
        "get_object", Params={"Bucket": "flock-pictures", "Key": key}
    )
    place = signed.partition(str(site.store.port))[2]
    for path in (
        f"/protected-store{place}",
        f"/protected-store/{signed}",
        "/protected-store//host.example/a.png",
        "/protected-store/@host.example/a.png",
        "/no-store",
    ):
        status, headers, content = asked(site.url, path, Cookie=cookies(page))
        assert status == 404 and "location" not in headers and b"PNG" not in content
    said = {"X-Accel-Redirect": f"/protected-store{place}", "X-Forwarded-Host": "host.example"}
    status, _, content = asked(site.url, "/accounts/login/", **said)
    assert status == 200 and b"<html" in content


def test_a_picture_that_the_store_has_lost_is_not_found_without_the_stores_words(
    site: Site, browser: Browser
):
    page = log_in(browser, site, "lead")
    item = rows(site, "SELECT max(id) FROM annotation_item")[0][0]
    name = rows(site, "SELECT file FROM annotation_image ORDER BY id DESC LIMIT 1")[0][0]
    site.store.client().delete_object(Bucket="flock-pictures", Key=f"flock/media/{name}")
    status, _, content = asked(site.url, f"/pictures/{item}/", Cookie=cookies(page))
    assert status == 404 and b"NoSuchKey" not in content and name.encode() not in content
    site.store.kill()
    status, headers, content = asked(site.url, f"/pictures/{item}/", Cookie=cookies(page))
    assert status == 503 and int(headers["retry-after"]) > 0 and b"8000" not in content
    assert headers["cache-control"].endswith("no-store")
    assert asked(site.url, "/p/flock/items/", Cookie=cookies(page))[0] == 200
