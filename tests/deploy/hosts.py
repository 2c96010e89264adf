"""A site on several machines, on loopback: each has a folder of its own and shares none."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import boto3
from botocore.client import BaseClient

from tests.servers import Nginx, Postgres, Program, Web, Worker, free_port, manage, wait_until
from tests.servers.programs import ROOT, answers, environment

PASSWORD = "wool-and-hay-77"
BUCKET = "flock-pictures"
SECRETS = {"AWS_ACCESS_KEY_ID": "shepherd", "AWS_SECRET_ACCESS_KEY": "only-on-loopback"}
FILL = f"""
import io, sys
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
call_command("create_project", "flock", "--labels", "sheep", "--languages", "en", "--per-item", "1")
for name, role in (("lead", "coordinator"), ("reader", "annotator")):
    sys.stdin = io.StringIO("{PASSWORD}\\n")
    call_command("add_member", "flock", name, "--role", role, "--password-stdin")
"""


class Store(Program):
    """A real S3 API over HTTP, in memory."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        super().__init__(words, {}, folder / "store.log")

    @property
    def settings(self) -> dict[str, str]:
        url = f"http://127.0.0.1:{self.port}"
        own = {"S3_BUCKET": BUCKET, "S3_ENDPOINT_URL": url, "S3_REGION": "us-east-1"}
        return own | {"S3_PREFIX": "flock"} | SECRETS

    def client(self) -> BaseClient:
        return boto3.client(
            "s3",
            endpoint_url=self.settings["S3_ENDPOINT_URL"],
            region_name="us-east-1",
            aws_access_key_id=SECRETS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=SECRETS["AWS_SECRET_ACCESS_KEY"],
        )

    def ready(self) -> None:
        url = f"http://127.0.0.1:{self.port}/"
        wait_until(lambda: answers(url) or not self.alive(), 30, url)
        self.client().create_bucket(Bucket=BUCKET)

    def names(self) -> set[str]:
        found = self.client().list_objects_v2(Bucket=BUCKET).get("Contents", [])
        return {entry["Key"] for entry in found}


@dataclass
class Site:
    url: str
    env: dict[str, str]
    postgres: Postgres
    store: Store
    webs: list[Web]
    folders: list[Path]


def sample(port: int, webs: list[int], store: int) -> str:
    """The configuration as it is shipped, with the test's addresses in it and no certificate."""
    text = (ROOT / "deploy/nginx-many.conf").read_text(encoding="utf-8")
    text = re.sub(r"^ *ssl_.*\n", "", text, flags=re.MULTILINE)
    snippet = str(ROOT / "deploy/nginx/proxy.conf")
    changes = {
        "listen 443 ssl http2": f"listen 127.0.0.1:{port}",
        "server_name host.example": "server_name 127.0.0.1",
        "web1.internal:8000": f"127.0.0.1:{webs[0]}",
        "web2.internal:8000": f"127.0.0.1:{webs[1]}",
        "store.internal:9000": f"127.0.0.1:{store}",
        "/etc/nginx/snippets/sheepfold-proxy.conf": snippet,
        "/var/log/nginx/sheepfold.log": "/dev/null",
    }
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextmanager
def many(folder: Path) -> Iterator[Site]:
    """PostgreSQL, a store, two web hosts, a worker's host, and nginx in front."""
    with ExitStack() as stack:
        store = stack.enter_context(Store(folder))
        postgres = stack.enter_context(Postgres())
        port = free_port()
        env = store.settings | {
            "DATABASE_URL": postgres.url,
            "SECRET_KEY": "the-same-on-every-host" * 3,
            "PUBLIC_URL": f"http://127.0.0.1:{port}/",
            "ACCEL_PREFIX": "/protected-store/",
            "CLIENT_IP_HEADER": "X-Real-IP",
        }
        folders = [folder / name for name in ("web1", "web2", "worker")]
        envs = [env | {"SHEEPFOLD_DATA": str(path)} for path in folders]
        static = subprocess.Popen(
            [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"],
            cwd=ROOT, env=environment(**envs[0]),
        )  # fmt: skip
        manage(envs[2], "shell", "-c", FILL)
        store.ready()
        assert static.wait() == 0
        shutil.copytree(folders[0] / "static", folders[1] / "static")
        stack.enter_context(Worker(envs[2], folder))
        webs = [Web(envs[n], folder, workers=1) for n in (0, 1)]
        for web in webs:
            stack.callback(web.kill)  # nobody waits for its answer any more
            Program.start(web)
        for web in webs:
            wait_until(lambda web=web: answers(web.url), 30, web.url)
        http = sample(port, [web.port for web in webs], store.port)
        stack.enter_context(Nginx(folder / "nginx", http))
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(url), what=url)
        yield Site(url, env, postgres, store, webs, folders)
