"""The site as an operator sets it up: gunicorn on a unix socket, nginx with the sample files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.deploy import fill
from tests.deploy.visitor import Reply, Visitor
from tests.servers import Nginx, Program, free_port, wait_until
from tests.servers.programs import ROOT, environment

KEY = "a-key-of-fifty-letters-that-no-line-of-a-log-may-show"


@dataclass
class Site:
    """One public address: its settings, where nginx listens, and gunicorn's log."""

    public_url: str
    port: int
    log: Path
    certificate: Path | None
    facts: dict[str, Any]
    entered: Reply | None = None  # the answer to the one login of all tests: each costs a second

    def member(self) -> Visitor:
        """Logged in as who coordinates and annotates."""
        visitor = self.visit()
        if self.entered is None:
            self.entered = visitor.log_in("everything", fill.PASSWORD)
            self.facts["cookies"] = dict(visitor.cookies)
        visitor.cookies = dict(self.facts["cookies"])
        return visitor

    def visit(self) -> Visitor:
        return Visitor(self.public_url, self.port, self.certificate)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


def certificate(folder: Path) -> Path:
    """A self-made one for host.example, its key beside it."""
    path = folder / "host.example.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-days", "2", "-subj", "/CN=host.example", "-addext",
            "subjectAltName=DNS:host.example", "-keyout", str(path.with_suffix(".key")),
            "-out", str(path),
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    return path


def rendered(name: str, folder: Path, data: Path, tag: str, ports: dict[str, int]) -> str:
    """The sample of that name with this test's folders, ports and a name of its own."""
    text = (ROOT / "deploy" / "nginx" / name).read_text()
    for old, new in {
        "/run/sheepfold/web.sock": f"{folder}/{tag}.sock",
        "/var/lib/sheepfold/": f"{data}/",
        "/etc/nginx/snippets/sheepfold-proxy.conf": f"{ROOT}/deploy/nginx/proxy.conf",
        "/etc/ssl/certs/": f"{folder}/",
        "/etc/ssl/private/": f"{folder}/",
        "/var/log/nginx/sheepfold.log": f"{folder}/{tag}-nginx.log",
        "shared:sheepfold:": f"shared:{tag}:",
    }.items():
        text = text.replace(old, new)
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"listen (\d+)", lambda m: f"listen 127.0.0.1:{ports[m[1]]}", text)
    return re.sub(r"(upstream |http://|\$|log_format |\.log )sheepfold\b", rf"\g<1>{tag}", text)


def gunicorn(folder: Path, data: Path, tag: str, public_url: str) -> Program:
    settings = {
        "PUBLIC_URL": public_url, "SECRET_KEY": KEY, "SHEEPFOLD_DATA": str(data),
        "WEB_WORKERS": "1", "BIND": f"unix:{folder}/{tag}.sock",
        "CLIENT_IP_HEADER": "X-Real-IP", "ACCEL_PREFIX": "/protected/",
    }  # fmt: skip
    words = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py"]
    return Program([*words, "deploy.wsgi:application"], settings, folder / f"{tag}.log")


def filled(data: Path) -> dict[str, Any]:
    env = environment(
        SHEEPFOLD_DATA=str(data), PUBLIC_URL="https://host.example/", SECRET_KEY=KEY,
        LOG_FORMAT="line",
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "tests.deploy.fill"],
        cwd=ROOT, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Site]]:
    """``root`` and ``sub`` with TLS, ``port`` without: three public addresses of one site."""
    if not Path("/usr/sbin/nginx").exists():
        assert not os.environ.get("CI"), "nginx is not installed"
        pytest.skip("nginx is not installed")
    folder = tmp_path_factory.mktemp("served")
    data = folder / "data"
    facts, chain = filled(data), certificate(folder)
    tls, sub, plain = ({"443": free_port(), "80": free_port()} for _ in range(3))
    plain = {"8080": free_port()}
    kinds = {
        "root": ("root.conf", "https://host.example/", tls, chain),
        "sub": ("subpath.conf", "https://host.example/annotate/", sub, chain),
        "port": ("port.conf", f"http://127.0.0.1:{plain['8080']}/", plain, None),
    }
    with ExitStack() as stack:
        found, http = {}, ""
        for tag, (name, url, ports, chain_or_none) in kinds.items():
            program = stack.enter_context(gunicorn(folder, data, tag, url))
            port = next(iter(ports.values()))
            found[tag] = Site(url, port, program.log, chain_or_none, facts | {"ports": ports})
            http += rendered(name, folder, data, tag, ports)
        nginx = stack.enter_context(Nginx(folder / "nginx", http))
        for site in found.values():
            wait_until(
                lambda site=site: site.log.exists() and "Booting worker" in site.log.read_text(),
                30, f"gunicorn for {site.public_url}",
            )  # fmt: skip
        wait_until(lambda: (folder / "nginx" / "nginx.pid").exists(), 10, nginx.log.read_text())
        yield found
