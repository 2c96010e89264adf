"""Programs of the site as processes: gunicorn, nginx, the worker, management commands."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
# What a caller's shell, or pytest's own settings, must not lend to the site under test.
OWN = (
    "SHEEPFOLD_DATA", "DATABASE_URL", "SECRET_KEY", "PUBLIC_URL", "DEBUG", "DJANGO_SETTINGS_MODULE",
    "TASKS_BACKEND", "CONN_MAX_AGE", "CLIENT_IP_HEADER", "ACCEL_PREFIX", "BIND", "LOG_FORMAT",
    "S3_BUCKET", "S3_ENDPOINT_URL", "S3_REGION", "S3_PREFIX",
)  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(true: Callable[[], object], seconds: float = 20, what: str = "") -> None:
    """Poll until it holds; AssertionError with ``what`` after so many seconds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds} s: {what or true}"
        time.sleep(0.03)


def environment(**values: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in OWN}
    return kept | {"DJANGO_SETTINGS_MODULE": "deploy.settings"} | values


def manage(
    env: dict[str, str], *words: str, check: bool = True, **options: object
) -> subprocess.CompletedProcess[str]:
    """``manage.py WORDS`` in that environment; an ending other than 0 raises with its output."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT, env=environment(**env), capture_output=True, text=True, check=False,
        **options,  # type: ignore[call-overload]
    )  # fmt: skip
    assert not check or done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done


class Program:
    """A process with its log in a file; started on entering, ended on leaving."""

    def __init__(self, command: Sequence[str], env: dict[str, str], log: Path) -> None:
        self.command, self.env, self.log = list(command), environment(**env), log
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self.process is not None, "it was not started"
        return self.process.pid

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.env, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self, sign: int = signal.SIGKILL) -> None:
        """Every process of it at once, as the machine's own trouble would."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, sign)
            self.process.wait()

    def stop(self, seconds: float = 30) -> None:
        if self.process is not None and self.alive():
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def answers(url: str) -> bool:
    """Whether anything speaks HTTP there, whatever it says."""
    try:
        urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 - our own loopback
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


class Web(Program):
    """gunicorn as deployed, on a port of its own; entering waits for an answer."""

    def __init__(self, env: dict[str, str], folder: Path, port: int = 0, workers: int = 2) -> None:
        self.port = port or free_port()
        command = [
            sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py",
            "--bind", f"127.0.0.1:{self.port}", "deploy.wsgi:application",
        ]  # fmt: skip
        super().__init__(
            command,
            {"WEB_WORKERS": str(workers)} | env,
            folder / f"web-{self.port}.log",
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        super().start()
        ready = self.url + "/api/v1/projects/"
        wait_until(lambda: answers(ready) or not self.alive(), 30, f"an answer of {ready}")
        assert self.alive(), self.log.read_text()[-4000:]


class Worker(Program):
    """The worker that runs imports and other long jobs."""

    def __init__(self, env: dict[str, str], folder: Path, *words: str) -> None:
        command = [sys.executable, "manage.py", "run_worker", "--interval", "0.2", *words]
        super().__init__(command, env, folder / "worker.log")


NGINX = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log warn;
events {{ worker_connections 2048; }}
http {{
    include /etc/nginx/mime.types;
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{http}
}}
"""


class Nginx(Program):
    """nginx as an ordinary user; ``http`` is what stands in its http block (upstream, server)."""

    def __init__(self, folder: Path, http: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.conf = folder / "nginx.conf"
        # Its workers would be nobody, to whom a test's folders are closed.
        user = "user root;" if os.getuid() == 0 else ""
        self.conf.write_text(NGINX.format(folder=folder, http=http, user=user))
        super().__init__(
            ["/usr/sbin/nginx", "-p", str(folder), "-c", str(self.conf)], {}, folder / "nginx.log"
        )
