"""Follow docs/operators/install.md word for word in a fresh Debian, as root: make try-install

Its commands run in a new chroot made by debootstrap. systemd is not the first process there, so
 `systemctl` is a stand-in that starts what the units name, as their user, with their settings.
The network is the machine's own: the ports 80, 443 and 5432 must be free.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs" / "operators" / "install.md"
SUITE = os.environ.get("SUITE", "bookworm")
MIRROR = os.environ.get("MIRROR", "http://deb.debian.org/debian")
# What a command of the guide could have needed and the guide forgot to install must not be there.
INCLUDE = "systemd"


def say(text: str) -> None:
    sys.stdout.write(f"== {text}\n")
    sys.stdout.flush()


def commands(guide: str) -> str:
    """The fenced blocks of shell, in their order."""
    return "\n".join(re.findall(r"^```sh\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL))


def run(*words: str | Path, **options: object) -> None:
    subprocess.run([str(word) for word in words], check=True, **options)  # type: ignore[call-overload]


def prepare(chroot: Path) -> None:
    """Debian, the code as a tarball in root's home, the stand-in, and the way to the network."""
    run("debootstrap", "--variant=minbase", f"--include={INCLUDE}", SUITE, chroot, MIRROR)
    sources = chroot / "etc/apt/sources.list"
    sources.write_text(f"deb {MIRROR} {SUITE} main\n")
    shutil.copy("/etc/resolv.conf", chroot / "etc/resolv.conf")
    (chroot / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    stand_in = chroot / "usr/local/bin/systemctl"
    shutil.copy(ROOT / "scripts" / "systemctl_stand_in.py", stand_in)
    for file in (chroot / "usr/sbin/policy-rc.d", stand_in):
        file.chmod(0o755)
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout
    present = b"\0".join(n for n in listed.split(b"\0") if n and (ROOT / n.decode()).is_file())
    home = chroot / "root"
    run(
        "tar", "--create", "--gzip", "--null", "--files-from=-", "--transform=s,^,sheepfold/,",
        f"--file={home / 'sheepfold.tar.gz'}", cwd=ROOT, input=present,
    )  # fmt: skip
    (home / "check.sh").write_text(CHECK)
    (home / "guide.sh").write_text("set -eux\n" + commands(GUIDE.read_text()))


def environment(chroot: Path) -> dict[str, str]:
    """A bare one, with the settings of pip that this machine needs for its package index."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    kept.pop("PIP_FIND_LINKS", None)
    if "PIP_CERT" in kept:
        shutil.copy(kept["PIP_CERT"], chroot / "tmp/ca.crt")
        kept["PIP_CERT"] = "/tmp/ca.crt"  # noqa: S108 - inside the chroot
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    bare = {"PATH": path, "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    return bare | kept


CHECK = r"""
set -eu
cd
bash guide.sh
set -x
curl -fsS --cacert /etc/ssl/certs/host.example.pem --resolve host.example:443:127.0.0.1 \
    -o /dev/null -w '%{http_code} %{content_type}\n' https://host.example/accounts/login/
sheepfold check --deploy
tail -n 5 /var/log/sheepfold-web.log /var/log/sheepfold-worker.log
test "$(stat -c %a /var/lib/sheepfold)" = 750
"""
INSIDE = """
set -e
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
exec chroot "$1" bash -c "cd; exec bash check.sh"
"""


def main() -> int:
    if os.getuid() != 0 or not shutil.which("debootstrap"):
        say("This needs root and debootstrap (apt-get install debootstrap).")
        return 2
    chroot = Path(tempfile.mkdtemp(prefix="sheepfold-debian-"))
    chroot.chmod(0o755)
    try:
        begun = time.monotonic()
        prepare(chroot)
        made = time.monotonic()
        say(f"A fresh Debian {SUITE} is there after {made - begun:.0f} s; now the guide.")
        # A name space of its own: with its first process all that the guide started ends.
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", INSIDE]
        done = subprocess.run([*words, "-", chroot], env=environment(chroot), check=False)
        say(f"The guide ended with {done.returncode} after {time.monotonic() - made:.0f} s.")
        return done.returncode
    finally:
        shutil.rmtree(chroot, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
