"""nginx's own error log, which quotes requests that failed on the way, quotes no one-time link."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.conftest import certificate, rendered
from tests.deploy.hosts import sample
from tests.deploy.visitor import Visitor
from tests.servers import Nginx, free_port, wait_until
from tests.servers.programs import ROOT

pytestmark = pytest.mark.servers

SECRET, PLAIN = "hay-In-The-77-rick", "an-ordinary-page"
LINKS = (f"/welcome/{SECRET}/", f"/join/{SECRET}/", f"/accounts/password/new/1-{SECRET}/")
# the sample -> what stands before its addresses
SAMPLES = {"root": "/", "sub": "/annotate/", "port": "/", "docker": "/", "many": "/"}


def docker(port: int, tag: str) -> str:
    """The container's file; its names are another sample's too, and nginx takes each once."""
    text = (ROOT / "deploy/docker/nginx.conf").read_text(encoding="utf-8")
    text = text.replace("server web:8000", f"server 127.0.0.1:{free_port()}")
    text = text.replace("/etc/nginx/snippets/sheepfold-proxy", f"{ROOT}/deploy/nginx/proxy")
    text = text.replace("/dev/stdout", "/dev/null").replace("8080", f"127.0.0.1:{port}")
    return re.sub(r"(upstream |http://|\$|log_format |null )sheepfold\b", rf"\g<1>{tag}", text)


@pytest.fixture(scope="module")
def down(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, int]]]:
    """Every sample behind one nginx, and nobody behind any of them; the folder of its logs."""
    if not Path("/usr/sbin/nginx").exists():
        assert not os.environ.get("CI"), "nginx is not installed"
        pytest.skip("nginx is not installed")
    folder = tmp_path_factory.mktemp("down")
    certificate(folder)
    ports = {name: free_port() for name in SAMPLES}
    files = {"root": "root.conf", "sub": "subpath.conf", "port": "port.conf"}
    http = ""
    for tag, name in files.items():
        given = {"443": ports[tag], "8080": ports[tag], "80": free_port()}
        http += rendered(name, folder, folder, tag, given)
    http += docker(ports["docker"], "docker")
    http += sample(ports["many"], [free_port(), free_port()], free_port())
    with Nginx(folder / "nginx", http) as nginx:
        pid = folder / "nginx" / "nginx.pid"
        wait_until(lambda: pid.exists() or not nginx.alive(), 10, "nginx")
        assert nginx.alive(), nginx.log.read_text()
        yield folder, ports


def test_a_site_that_is_down_leaves_no_secret_in_a_log_of_nginx(down):
    folder, ports = down
    for tag, prefix in SAMPLES.items():
        chain = folder / "host.example.pem" if tag in ("root", "sub") else None
        with Visitor(f"https://host.example{prefix}", ports[tag], chain) as visitor:
            assert visitor.get(f"/{tag}-{PLAIN}/").status == 502
            for link in LINKS:
                for address in (link, f"/{link}"):
                    assert visitor.get(address).status == 502, (tag, address)
    logs = {path: path.read_text() for path in folder.rglob("*.log")}
    errors = logs[folder / "nginx" / "nginx-error.log"]
    assert not [tag for tag in SAMPLES if f"{tag}-{PLAIN}" not in errors], "it logs the rest"
    assert not [path for path, text in logs.items() if SECRET in text]
    assert "welcome/***" in logs[folder / "root-nginx.log"]
