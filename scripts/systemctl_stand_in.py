#!/usr/bin/python3
"""`systemctl` where systemd is not the first process: starts what a unit names, as it says.

Made for `make try-install`; it knows enable, start, restart and daemon-reload.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import shlex
import subprocess
import sys
from pathlib import Path

UNITS = Path("/etc/systemd/system")


def unit_of(text: str) -> dict[str, str]:
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


def settings(path: str) -> dict[str, str]:
    """An EnvironmentFile, as systemd reads it."""
    lines = [s for s in Path(path).read_text().splitlines() if s and not s.startswith("#")]
    return {
        name: "".join(shlex.split(value)) for name, _, value in (s.partition("=") for s in lines)
    }


def start(name: str) -> None:
    unit = unit_of((UNITS / f"{name}.service").read_text())
    user, group = pwd.getpwnam(unit["User"]), grp.getgrnam(unit["Group"])
    for kind, parent in (("State", "/var/lib"), ("Runtime", "/run")):
        if f"{kind}Directory" in unit:
            folder = Path(parent, unit[f"{kind}Directory"])
            folder.mkdir(exist_ok=True)
            os.chown(folder, user.pw_uid, group.gr_gid)
            folder.chmod(int(unit[f"{kind}DirectoryMode"], 8))
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"
    env = {"PATH": path, "HOME": user.pw_dir, "USER": user.pw_name, "LANG": "C.UTF-8"}
    with Path(f"/var/log/{name}.log").open("ab") as log:
        subprocess.Popen(
            shlex.split(unit["ExecStart"]),
            cwd=unit["WorkingDirectory"],
            env=env | settings(unit["EnvironmentFile"]),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            user=user.pw_uid,
            group=group.gr_gid,
            extra_groups=[],
            umask=int(unit["UMask"], 8),
        )


def begin(name: str) -> None:
    if name == "postgresql":
        version = sorted(os.listdir("/etc/postgresql"))[-1]
        subprocess.run(["/usr/bin/pg_ctlcluster", version, "main", "start"], check=True)
    elif name == "nginx":
        subprocess.run(["/usr/sbin/nginx"], check=True)
    else:
        start(name)


def main(words: list[str]) -> None:
    verb, names = words[0], [word for word in words[1:] if not word.startswith("--")]
    if verb in ("start", "restart") or "--now" in words:
        for name in names:
            begin(name)


if __name__ == "__main__":
    main(sys.argv[1:])
