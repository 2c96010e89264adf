"""A site is backed up and restored on another machine: every row and every file is the same."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from backup.rows import LEFT_OUT
from tests.deploy import filled
from tests.servers import Postgres, manage

pytestmark = pytest.mark.servers

KEY = "a2V5IG9mIHRoaXJ0eS10d28gYnl0ZXMsIG5vIG1vcmU="


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> dict[str, Any]:
    """A filled site on SQLite, with an archive of each kind."""
    folder = tmp_path_factory.mktemp("first")
    env = {"SHEEPFOLD_DATA": str(folder / "data")}
    empty = filled.fill(env)
    assert empty == [], "every table must hold a row, or nothing shows that it is kept"
    key = folder / "key"
    key.write_text(KEY + "\n")
    manage(env, "backup", "--out", str(folder / "plain.tar"))
    said = manage(env, "backup", "--out", str(folder / "kept"), "--key-file", str(key)).stdout
    state = filled.state(env)
    return {"env": env, "folder": folder, "key": key, "said": said, "state": state}


@pytest.fixture(scope="module")
def postgres():
    with Postgres() as server:
        yield server


def sealed(site: dict[str, Any]) -> Path:
    return next((site["folder"] / "kept").glob("sheepfold-*.sealed"))


def tables(state: dict[str, Any], *others: str) -> dict[str, Any]:
    passed = LEFT_OUT | set(others)
    return {name: said for name, said in state["tables"].items() if name not in passed}


def manifest(path: Path) -> dict[str, Any]:
    with tarfile.open(path) as archive:
        return json.load(archive.extractfile("manifest.json"))


def same(site: dict[str, Any], restored: dict[str, Any]) -> None:
    assert tables(restored) == tables(site["state"])
    assert restored["files"] == site["state"]["files"] and restored["files"]
    assert restored["export"] == site["state"]["export"]
    users = site["state"]["tables"]["annotation_user"][0]
    assert restored["new"] == users + 2  # the id of an account that is gone is not given again


def test_an_encrypted_archive_restores_every_row_and_file_on_sqlite(site, tmp_path):
    env = {"SHEEPFOLD_DATA": str(tmp_path / "data")}
    assert b"demo" not in sealed(site).read_bytes()
    without = manage(env, "restore", str(sealed(site)), check=False)
    assert without.returncode == 1 and "name its key" in without.stderr
    same(site, filled.restore(env, str(sealed(site)), str(site["key"])))
    again = manage(env, "restore", str(sealed(site)), "--key-file", str(site["key"]), check=False)
    assert again.returncode == 1 and "holds rows. Nothing was changed." in again.stderr


def test_an_archive_moves_from_sqlite_to_postgresql_and_from_there_to_another(
    site, postgres, tmp_path
):
    first = {"SHEEPFOLD_DATA": str(tmp_path / "first"), "DATABASE_URL": postgres.url}
    plain, moved = site["folder"] / "plain.tar", tmp_path / "moved.tar"
    restored = filled.restore(first, str(plain))
    same(site, restored)
    manage(first, "shell", "-v0", "-c", "from annotation.models import User\n"
           "User.objects.get(username='new').delete()")  # fmt: skip
    manage(first, "backup", "--out", str(moved))
    second = {
        "SHEEPFOLD_DATA": str(tmp_path / "second"),
        "DATABASE_URL": postgres.create("second"),
    }
    again = filled.restore(second, str(moved))
    noted = ("annotation_auditevent",)  # the export that was read above stands there since
    assert tables(again, *noted) == tables(restored, *noted)
    assert again["export"] == restored["export"]
    assert again["new"] == restored["new"] + 1
    ours, theirs = manifest(plain), manifest(moved)
    assert ours["files"] == theirs["files"]
    for table, said in tables(ours, *noted).items():
        assert theirs["tables"][table]["sha256"] == said["sha256"], table


def test_no_table_and_no_file_is_forgotten(site):
    """Also one that is added later: it is in the archive, or it is named as left out."""
    held = manifest(site["folder"] / "plain.tar")
    assert held["tables"].keys() | LEFT_OUT == site["state"]["tables"].keys()
    assert held["files"].keys() == site["state"]["files"].keys()
    assert held["missing"] == []
    assert min(said["rows"] for said in held["tables"].values()) > 0
    assert "sealed" in site["said"]


def test_a_picture_that_is_not_there_is_named_and_the_rest_is_kept(site, tmp_path):
    env = {"SHEEPFOLD_DATA": str(tmp_path / "data")}
    plain, stray = site["folder"] / "plain.tar", tmp_path / "data/media/notes/stray.png"
    stray.parent.mkdir(parents=True)
    stray.touch()
    refused = manage(env, "restore", str(plain), check=False)
    assert refused.returncode == 1 and "it holds notes/stray.png" in refused.stderr
    stray.unlink()
    manage(env, "restore", str(plain))
    gone = next((tmp_path / "data/media").glob("pictures/*/*"))
    gone.unlink()
    kept = tmp_path / "kept"
    kept.mkdir()
    for day in (1, 2, 3):
        (kept / f"sheepfold-2026010{day}T000000Z.tar").write_bytes(b"old")
    done = manage(env, "backup", "--out", str(kept), "--keep", "2", check=False)
    assert done.returncode == 1 and gone.name in done.stderr
    assert len(list(kept.iterdir())) == 4  # a backup that is not whole replaces none
    gone.write_bytes(b"back")
    manage(env, "backup", "--out", str(kept), "--keep", "2")
    assert len([path for path in kept.iterdir() if path.stat().st_size > 3]) == 2
    assert len(list(kept.iterdir())) == 2
