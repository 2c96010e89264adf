"""PgBouncer before a throw-away PostgreSQL, set up as docs/scaling.md says."""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
from pathlib import Path
from typing import Any

from tests.servers.programs import ROOT, Program, free_port

PROGRAM = "/usr/sbin/pgbouncer"


def documented() -> dict[str, str]:
    """The lines of the page's pgbouncer.ini, name -> value."""
    text = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")
    found = re.search(r"```ini\n\[databases\](.*?)```", text, re.DOTALL)
    assert found, "docs/scaling.md shows no pgbouncer.ini"
    lines = re.findall(r"^(\w+) = ([^;\n]+)", found[1], re.MULTILINE)
    return {name: value.strip() for name, value in lines}


def role_lines() -> list[str]:
    """The statements for the role that stand on the page."""
    text = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")
    return re.findall(r"^ALTER ROLE sheepfold (SET .+);", text, re.MULTILINE)


class PgBouncer(Program):
    """``with PgBouncer(database)`` for what Django calls the settings of a database."""

    def __init__(self, given: dict[str, Any], **changed: object) -> None:
        self.port = free_port()
        # Not pytest's own folder: its parents are closed to the pooler's user.
        self.folder = folder = Path(tempfile.mkdtemp(prefix="sheepfold-pool-", dir="/tmp"))
        ours = {
            "listen_addr": "127.0.0.1", "listen_port": self.port, "auth_type": "any",
            "unix_socket_dir": "", "pidfile": folder / "pgbouncer.pid",
        }  # fmt: skip
        page = {k: v for k, v in documented().items() if k not in ("sheepfold", "auth_file")}
        lines = [f"{name} = {value}" for name, value in (page | ours | changed).items()]
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\n* = host={given['HOST']} port={given['PORT']} user={given['USER']}\n"
            "[pgbouncer]\n" + "\n".join(lines) + "\n"
        )
        command = [PROGRAM, str(folder / "pgbouncer.ini")]
        if os.getuid() == 0:  # it refuses root
            shutil.chown(folder, "postgres")
            command = ["/usr/sbin/runuser", "-u", "postgres", "--", *command]
        super().__init__(command, {}, folder / "pgbouncer.log")

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        shutil.rmtree(self.folder)

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0
