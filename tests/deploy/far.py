"""Stores of pictures that fail: a real S3 API that can be stopped, and one that answers wrongly."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

import boto3
from moto.server import ThreadedMotoServer

from tests.deploy.hosts import BUCKET, SECRETS
from tests.servers import free_port


def use_again(settings: Any) -> None:
    """Read the variables of the environment anew."""
    from deploy.storage_files import file_storages

    settings.STORAGES = settings.STORAGES | file_storages()


def use(url: str, settings: Any, monkeypatch: Any, tmp_path: Path) -> None:
    """This process's site keeps its files in the store at that address, without nginx."""
    wanted = SECRETS | {
        "S3_BUCKET": BUCKET, "S3_ENDPOINT_URL": url, "S3_REGION": "us-east-1",
        "S3_PREFIX": tmp_path.name,
    }  # fmt: skip
    for name, value in wanted.items():
        monkeypatch.setenv(name, value)
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path / "data", tmp_path / "media"
    use_again(settings)
    settings.PICTURES_IN_STORE, settings.ACCEL_PREFIX = True, ""


class Moto:
    """A store that can be stopped and started; what was in it stays."""

    def __init__(self) -> None:
        self.port = free_port()
        self.server: ThreadedMotoServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.server = ThreadedMotoServer("127.0.0.1", self.port, verbose=False)
        self.server.start()

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()
        self.server = None

    def make_bucket(self) -> None:
        boto3.client(
            "s3",
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id=SECRETS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=SECRETS["AWS_SECRET_ACCESS_KEY"],
        ).create_bucket(Bucket=BUCKET)


class Answering:
    """``with Answering(500) as store:`` the same answer to everything; 0: none for a while."""

    def __init__(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.status, self.body = status, body
        self.asked: list[str] = []
        self.over = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                outer.asked.append(f"{self.command} {self.path}")
                if not outer.status:
                    outer.over.wait(30)
                    return
                # what is sent is read first, as a store does: the line would break otherwise
                left = int(self.headers.get("Content-Length") or 0)
                self.rfile.read(left)
                self.send_response(outer.status)
                for name, value in headers.items():
                    self.send_header(name, value)
                content = b"" if self.command == "HEAD" else outer.body
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_HEAD = do_PUT = do_DELETE = do_POST = answer  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Answering:
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
