"""nginx's sample files with a real gunicorn: root with TLS, a path with TLS, another port."""

from __future__ import annotations

import re
import socket
import ssl
import time
from http.client import HTTPConnection

import pytest

from tests.deploy import fill
from tests.deploy.conftest import Site

pytestmark = pytest.mark.servers

KINDS = ("root", "sub", "port")


@pytest.fixture(params=KINDS)
def site(request, sites) -> Site:
    return sites[request.param]


def test_a_form_from_another_origin_is_refused_and_the_page_names_the_origin(site):
    with site.visit() as visitor:
        page = visitor.log_in("everything", fill.PASSWORD, Origin="https://other.example:8443")
    assert page.status == 403
    assert "https://other.example:8443" in page.text and "PUBLIC_URL" in page.text


def test_an_unknown_host_is_refused_and_the_page_names_it_and_the_right_address(site):
    with site.visit() as visitor:
        page = visitor.get("/accounts/login/", Host="wrong.example:81")
    assert page.status == 400
    assert "wrong.example:81" in page.text and site.public_url in page.text


def test_pictures_go_through_the_gate_and_never_past_it(site):
    address = f"/pictures/{site.facts['shown']}/"
    with site.visit() as visitor:
        assert visitor.get(address).status == 302, "nobody is logged in"
    with site.member() as visitor:
        picture = visitor.get(address)
        assert picture.status == 200 and picture.body.startswith(b"\x89PNG")
        assert picture.headers["content-type"] == "image/png"
        assert picture.headers["x-content-type-options"] == "nosniff"
        assert picture.headers["cache-control"] == "private, max-age=3600"
        again = visitor.get(address, If_None_Match=picture.headers["etag"])
        assert again.status == 304
        part = visitor.get(address, Range="bytes=1-3")
        assert (part.status, part.body) == (206, b"PNG")
        assert visitor.get(address, Range="bytes=9000000-").status == 416
        for direct in ("/protected/field%20%C3%A9.png", "/protected/"):
            assert visitor.get(direct).status == 404


def pages_of(visitor, *paths: str) -> list[str]:
    """The texts of the pages, each behind at most one redirect, which stays below the address."""
    texts = []
    for path in paths:
        page = visitor.get(path)
        if page.status == 302:
            assert page.headers["location"].startswith(f"{visitor.prefix}/"), path
            page = visitor.get(page.headers["location"])
        assert page.status == 200, path
        texts.append(page.text)
    return texts


def modules_from(visitor, script: str) -> set[str]:
    """The script and all that it imports, each with its hash in the name and kept for ever."""
    seen, waiting = set(), [script]
    while waiting:
        name = waiting.pop()
        answer = visitor.get(name)
        assert answer.status == 200 and "javascript" in answer.headers["content-type"], name
        assert "immutable" in answer.headers["cache-control"], name
        seen.add(name)
        named = re.findall(r'(?:from|import)\s*"\./([^"]+)"', answer.text)
        beside = {f"{name.rpartition('/')[0]}/{other}" for other in named}
        waiting += beside - seen
    return seen


def test_every_link_redirect_cookie_and_script_stays_below_the_public_address(site):
    with site.visit() as visitor:
        prefix = visitor.prefix
        assert visitor.get("/").headers["location"].startswith(f"{prefix}/accounts/login/")
    with site.member() as visitor:
        entered = site.entered
        assert entered.headers["location"] == f"{prefix}/"
        assert {c.partition("=")[0] for c in entered.cookies} == {"csrftoken", "sessionid"}
        for cookie in entered.cookies:
            assert f"Path={prefix}/;" in cookie + ";"
            assert ("Secure" in cookie) == (site.certificate is not None)
        texts = pages_of(visitor, "/", "/accounts/password/", "/p/flock/", "/p/flock/label/")
        for text in texts:
            links = re.findall(r'(?:href|src|action)="(/[^"]*)"', text)
            assert links and not [link for link in links if not link.startswith(f"{prefix}/")]
            addresses = re.findall(r'"(/[a-z]+/[^"<>]*)"', text)  # those that scripts are given too
            assert not [a for a in addresses if not a.startswith(f"{prefix}/")]
        scripts = re.findall(r'<script[^>]*type="module"[^>]*src="([^"]+)"', texts[-1])
        # `collectstatic` joined the page's modules
        assert set().union(*(modules_from(visitor, script) for script in scripts)) == set(scripts)


def test_the_api_answers_and_an_export_begins_before_it_is_complete(site):
    token = {"Authorization": f"Token {site.facts['token']}"}
    with site.visit() as visitor:
        assert visitor.get("/api/v1/projects/").status == 401
        assert visitor.get("/api/v1/projects/flock/", **token).status == 200
        shares = []
        for _try in range(5):  # a busy machine may keep one waiting before its first byte
            begun = time.monotonic()
            reply = visitor.send("GET", "/api/v1/projects/flock/export/?format=jsonl", **token)
            reply.read(1)
            first = time.monotonic() - begun
            assert reply.read().count(b"\n") == 1502
            shares.append(first / (time.monotonic() - begun))
    assert min(shares) < 0.75, shares  # of an export that is gathered first, all but the last tenth


def test_probes_are_answered_under_any_name_and_are_never_cached(site):
    with site.visit() as visitor:
        alive = visitor.get("/healthz", Host="10.0.0.7")
        assert (alive.status, alive.headers["cache-control"]) == (200, "no-store")
        ready = visitor.get("/readyz", Host="10.0.0.7")
        assert ready.status == 503 and '"no worker has started"' in ready.text
        assert visitor.ask("POST", "/healthz").status == 405


def test_plain_http_leads_to_https_and_tls_is_new_enough(sites):
    site = sites["root"]
    connection = HTTPConnection("127.0.0.1", site.facts["ports"]["80"], timeout=20)
    connection.request("GET", "/p/flock/?q=1", headers={"Host": "host.example"})
    answer = connection.getresponse()
    connection.close()
    assert answer.status == 301
    assert answer.getheader("Location") == "https://host.example/p/flock/?q=1"
    context = ssl.create_default_context(cafile=str(site.certificate))
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", site.port), timeout=20) as plain,
        context.wrap_socket(plain, server_hostname="host.example") as secure,
    ):
        assert secure.selected_alpn_protocol() == "h2"
        assert secure.version() == "TLSv1.3"
    context = ssl.create_default_context(cafile=str(site.certificate))
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", site.port), timeout=20) as plain,
        pytest.raises(ssl.SSLError),
    ):
        context.wrap_socket(plain, server_hostname="host.example")
