"""Make .venv and install what one requirements file locks; does nothing where that is done already.

Each file is taken only with the hash that stands in the lock (``make lock`` writes the locks).

python3 scripts/install.py requirements.txt|requirements-dev.txt
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"


def run(*command: str | Path, quiet: bool = False) -> bool:
    """Whether the command ended well; ``quiet`` hides what it says."""
    output = subprocess.DEVNULL if quiet else None
    environment = os.environ | {
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NO_PROGRESS": "1",
    }
    words = [str(word) for word in command]
    return subprocess.run(words, stdout=output, stderr=output, env=environment).returncode == 0


def fingerprint(requirements: str) -> str:
    """Of what the lock holds, and of Python."""
    digest = hashlib.sha256(sys.version.encode())
    digest.update(lock_of(requirements).read_bytes())
    return digest.hexdigest()


def lock_of(requirements: str) -> Path:
    return (ROOT / requirements).with_suffix(".lock")


def install(requirements: str) -> bool:
    """With uv, which is ten times faster; with pip where that fails."""
    uv, lock = VENV / "bin" / "uv", lock_of(requirements)
    hashed = ("install", "-q", "--require-hashes", "-r")
    pip = (PYTHON, "-m", "pip", *hashed)
    if uv.exists() or run(*pip, lock_of("requirements-uv.txt"), quiet=True):
        command = (uv, "pip", *hashed, lock, "--python", PYTHON)
        if run(*command, quiet=True):
            return True
    return run(*pip, lock)


def main(requirements: str) -> int:
    stamp, wanted = VENV / f".installed-{requirements}", fingerprint(requirements)
    if stamp.exists() and stamp.read_text() == wanted and PYTHON.exists():
        return 0
    if not PYTHON.exists() and not run(sys.executable, "-m", "venv", VENV):
        sys.stderr.write("No venv could be made: install it, as in: apt-get install python3-venv\n")
        return 1
    sys.stdout.write(f"Installing {requirements} into .venv ...\n")
    sys.stdout.flush()
    if not install(requirements):
        sys.stderr.write(f"{requirements} is not installed: is the package index reachable?\n")
        return 1
    stamp.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
