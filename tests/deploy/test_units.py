"""The units of systemd, the settings file and what stands in the documents: all of it is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.code import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted(
    path for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer", ".socket")
)


def systemd_analyze(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    if program is None:
        assert not os.environ.get("CI"), "systemd-analyze is not installed"
        pytest.skip("systemd-analyze is not installed")
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)


def test_the_units_are_the_web_server_and_the_worker():
    assert {"sheepfold-web.service", "sheepfold-worker.service"} <= {path.name for path in UNITS}


def test_systemd_finds_no_fault_in_a_unit(tmp_path):
    """With programs that are there in place of those that an installation puts in place."""
    copies = []
    for unit in UNITS:
        text = re.sub(r"^(Exec\w+=[-+!@]*)/opt/\S+", r"\1/bin/true", unit.read_text(), flags=re.M)
        copies.append(tmp_path / unit.name)
        copies[-1].write_text(text)
    done = systemd_analyze("verify", "--man=no", *map(str, copies))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_a_fault_in_a_unit_would_be_found(tmp_path):
    broken = tmp_path / "broken.service"
    broken.write_text("[Service]\nExecStart=/bin/true\nProtectSystm=strict\n")
    assert "ProtectSystm" in systemd_analyze("verify", "--man=no", str(broken)).stderr


@pytest.mark.parametrize("unit", ["sheepfold-web.service", "sheepfold-worker.service"])
def test_a_unit_is_little_exposed(unit):
    words = ("security", "--offline=true", "--threshold=20", str(DEPLOY / unit))
    done = systemd_analyze(*words)
    assert done.returncode == 0, done.stdout[-200:]


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_what_the_repository_holds(unit: Path):
    for words in re.findall(r"^ExecStart=(.+)$", unit.read_text(), re.M):
        named = [w for w in words.split()[1:] if re.search(r"\.(py|sh)$", w)]
        named += [
            w.removeprefix("/opt/sheepfold/") for w in words.split()[:1] if "/.venv/" not in w
        ]
        missing = [w for w in named if w.startswith("deploy/") and not (ROOT / w).exists()]
        assert not missing
