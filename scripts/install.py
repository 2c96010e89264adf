"""Make .venv and install one requirements file into it; does nothing where that is done already.

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
    """Of the pinned versions, also those that the file takes over with ``-r``, and of Python."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("requirements.txt", requirements):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def install(requirements: str) -> bool:
    """With uv, which is ten times faster; with pip where that fails."""
    uv = VENV / "bin" / "uv"
    if uv.exists() or run(PYTHON, "-m", "pip", "install", "-q", "uv==0.13.9", quiet=True):
        command = (uv, "pip", "install", "-q", "--python", PYTHON, "-r", ROOT / requirements)
        if run(*command, quiet=True):
            return True
    return run(PYTHON, "-m", "pip", "install", "-q", "-r", ROOT / requirements)


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
