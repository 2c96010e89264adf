"""The locks: one version of everything, with hashes, and what the lists ask for."""

from __future__ import annotations

import re

import pytest

from tests.test_environment import ROOT

LISTS = ("requirements", "requirements-s3", "requirements-dev")
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;#]+)")


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(file: str) -> dict[str, str]:
    """Name -> version of what stands in a file, also by ``-r``."""
    found: dict[str, str] = {}
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            found |= pins(line[3:].strip())
        elif match := PIN.match(line):
            found[plain(match[1])] = match[2]
        else:  # a line that is neither would be installed at any version
            assert not line.strip() or line.startswith((" ", "#")), (file, line)
    return found


@pytest.mark.parametrize("name", LISTS)
def test_a_lock_holds_every_pin_of_its_list(name):
    listed, locked = pins(f"{name}.txt"), pins(f"{name}.lock")
    missing = {k: v for k, v in listed.items() if locked.get(k) != v}
    assert missing == {}, "make lock"


@pytest.mark.parametrize("name", [*LISTS, "requirements-uv"])
def test_every_entry_of_a_lock_has_hashes_and_no_address(name):
    text = (ROOT / f"{name}.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)
    assert [e.split()[0] for e in entries if "--hash=sha256:" not in e] == []
    assert "://" not in text and "index" not in text.lower()


def test_what_several_locks_hold_has_one_version():
    versions: dict[str, set[str]] = {}
    for name in LISTS:
        for package, version in pins(f"{name}.lock").items():
            versions.setdefault(package, set()).add(version)
    assert {k: v for k, v in versions.items() if len(v) > 1} == {}
