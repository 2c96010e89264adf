"""A throw-away PostgreSQL that a test may stop, restart and starve."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from tests.servers.programs import free_port


def _bin() -> Path:
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4])
    )
    program = found[-1] if found else shutil.which("initdb")
    if not program:
        raise FileNotFoundError("No PostgreSQL server found: apt-get install postgresql")
    return Path(program).parent


def _as_server(*command: str | Path) -> None:
    """Run it as a user that initdb accepts: root is refused."""
    words = [str(word) for word in command]
    if os.getuid() == 0:
        words = ["runuser", "-u", "postgres", "--", *words]
    done = subprocess.run(words, cwd="/", capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stdout}{done.stderr}")


class Postgres:
    """``with Postgres() as server:`` a server of its own on a free port of 127.0.0.1.

    ``durable`` waits for the disk as a real one does; ``options`` are its settings, such as
    ``{"max_connections": 20}``.
    """

    def __init__(self, durable: bool = False, options: dict[str, object] | None = None) -> None:
        self.port = free_port()
        quick = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        self.options = ({} if durable else quick) | (options or {})
        # Not pytest's own folder: its parents are closed to the server's user.
        self.folder = Path(tempfile.mkdtemp(prefix="sheepfold-pg-", dir="/tmp"))

    @property
    def url(self) -> str:
        return self.url_of("app")

    def url_of(self, database: str) -> str:
        return f"postgres://app@127.0.0.1:{self.port}/{database}"

    def create(self, database: str) -> str:
        """Make an empty database; its URL."""
        _as_server(
            _bin() / "createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "app", database
        )
        return self.url_of(database)

    def start(self) -> None:
        given = {"listen_addresses": "127.0.0.1", "unix_socket_directories": self.folder}
        words = [f"-c {name}={value}" for name, value in (given | self.options).items()]
        _as_server(
            _bin() / "pg_ctl", "-D", self.folder / "data", "-w", "-s", "-l", self.folder / "log",
            "-o", f"-p {self.port} {' '.join(words)}", "start",
        )  # fmt: skip

    def stop(self, mode: str = "fast") -> None:
        """``fast`` ends the sessions; ``immediate`` is a crash."""
        _as_server(_bin() / "pg_ctl", "-D", self.folder / "data", "-w", "-s", "-m", mode, "stop")

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode)
        self.start()

    def __enter__(self) -> Postgres:
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        try:
            _as_server(
                _bin() / "initdb", "-D", self.folder / "data", "-U", "app", "-A", "trust",
                "-E", "UTF8", "--locale=C.UTF-8", "--no-sync",
            )  # fmt: skip
            self.start()
            self.create("app")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(RuntimeError):  # it may be stopped already
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)
