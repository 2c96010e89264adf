"""The disk is full: an upload is refused with a clear word, and half a file never stays."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image

from tests.faults.coordinator import Coordinator, rows_of, said
from tests.faults.ledger import rows
from tests.faults.team import Site
from tests.servers import Web, Worker, wait_until

MEGABYTES = 8
COUNT = "SELECT (SELECT count(*) FROM annotation_item), (SELECT count(*) FROM annotation_image)"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)]
    if os.getuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system of its own may be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def noise(number: int) -> bytes:
    """A JPEG of about 900 kB that does not compress."""
    picture = Image.frombytes("RGB", (800, 800), os.urandom(800 * 800 * 3))
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=97)
    return file.getvalue()


def zipped(count: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for n in range(count):
            archive.writestr(f"{n}.jpg", noise(n))
    return file.getvalue()


def files(folder: Path) -> list[str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return [str(path.relative_to(folder)) for path in found if path.name != "secret_key"]


def test_an_upload_and_an_import_on_a_full_disk_are_refused_and_leave_nothing(
    site: Site, small: Path, tmp_path: Path
):
    env = site.env | {"SHEEPFOLD_DATA": str(small)}
    before = rows(site.database, COUNT)
    with Web(env, tmp_path, workers=1) as web, Worker(env, tmp_path) as worker:
        coordinator = Coordinator(web.port, site.made["session"], site.made["slug"])
        reply = coordinator.send(rows_of(12, "large"), zipped(12))
        assert reply.status == 422 and "disk is full" in said(reply.body)
        assert not files(small / "jobs")
        # The upload finds room, its pictures do not.
        six = rows_of(6, "pictured", image_name="{}.jpg")
        job = coordinator.started(six, zipped(6))
        wait_until(lambda: coordinator.job(job)["ended"], 30, "the job's end")
        now = coordinator.job(job)
        assert now["state"] == "failed" and "disk is full" in now["message"]
        assert not files(small / "media")
        assert rows(site.database, COUNT) == before
        # With room again the same job runs through.
        subprocess.run(["mount", "-o", "remount,size=64m", str(small)], check=True)
        coordinator.again(job)
        wait_until(lambda: coordinator.job(job)["ended"], 30, "the job's end")
        assert coordinator.job(job)["state"] == "done"
        [[(items, images)]], [[(items_before, images_before)]] = (
            rows(site.database, COUNT),
            before,
        )
        assert (items - items_before, images - images_before) == (6, 6)
        assert worker.alive()


def test_saves_on_a_full_disk_with_sqlite_wait_and_are_kept(
    tmp_path: Path, small: Path, request: pytest.FixtureRequest
):
    if not request.getfixturevalue("long"):
        pytest.skip("in the long form")
    site = _sqlite(tmp_path, small, request)
    ballast = small / "ballast"
    with site.web, site.at_work("SQLite on a full disk") as team:
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        wait_until(lambda: all(503 in one.statuses for one in team), 30, "everybody waits")
        ballast.unlink()


def _sqlite(tmp_path: Path, data: Path, request: pytest.FixtureRequest) -> Site:
    from tests.faults.conftest import on_sqlite

    subprocess.run(["mount", "-o", "remount,size=64m", str(data)], check=True)
    shutil.rmtree(data / "jobs", ignore_errors=True)
    return on_sqlite(data, tmp_path, 12)
