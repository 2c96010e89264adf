"""Pictures and uploads in an S3-compatible store: what is saved comes back equal."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation import job_store
from annotation.actions import jobs
from annotation.models import Image, Item, Job
from backup import make
from tests.deploy.hosts import SECRETS, Store
from tests.files import jsonl, load, picture, row, run
from tests.servers.programs import ROOT, environment


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("store")) as server:
        server.ready()
        yield server


@pytest.fixture
def far(store, settings, monkeypatch, tmp_path):
    """This process's site keeps its files in the store; its own folders are empty."""
    from deploy.storage_files import file_storages

    for name, value in (store.settings | SECRETS | {"S3_PREFIX": tmp_path.name}).items():
        monkeypatch.setenv(name, value)
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path / "data", tmp_path / "media"
    settings.STORAGES = settings.STORAGES | file_storages()
    settings.PICTURES_IN_STORE = True
    settings.ACCEL_PREFIX = "/protected-store/"
    return store


@pytest.fixture
def given(tmp_path) -> Path:
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "a é.png").write_bytes(picture((9, 5)))
    return folder


def test_a_picture_in_the_store_comes_back_equal_and_is_written_once(far, project, given, tmp_path):
    path = jsonl(tmp_path / "i.jsonl", row(image_name="a é.png"))
    assert load(path, "--images", given)[0] == 0
    image = Image.objects.get()
    with image.file.open() as file:
        assert file.read() == picture((9, 5))
    assert default_storage.save(image.file.name, ContentFile(b"other")) != image.file.name
    assert load(path, "--images", given)[1] == "new 0, same 1, changed 0, refused 0\n"
    assert not (tmp_path / "media").exists()


def test_a_picture_is_shown_with_nginx_and_without_it(
    far, project, page_as, coordinator, given, tmp_path, settings
):
    load(jsonl(tmp_path / "i.jsonl", row(image_name="a é.png")), "--images", given)
    name, address = Image.objects.get().file.name, f"/pictures/{Item.objects.get().pk}/"
    told = page_as(coordinator).get(address)["X-Accel-Redirect"]
    path, _, query = told.partition("?")
    assert path == f"/protected-store/flock-pictures/{tmp_path.name}/media/{name}"
    assert "X-Amz-Expires=60" in query and "only-on-loopback" not in told
    settings.ACCEL_PREFIX = ""
    shown = page_as(coordinator).get(address, headers={"Range": "bytes=1-3"})
    assert shown.status_code == 200, "without nginx a picture comes whole"
    assert b"".join(shown.streaming_content) == picture((9, 5))
    default_storage.delete(name)
    assert page_as(coordinator).get(address).status_code == 404


@pytest.fixture
def waiting(far, project, coordinator, monkeypatch) -> Job:
    """An upload that no worker has begun; it is in the store alone."""
    monkeypatch.setattr(jobs, "_enqueue", lambda job: None)
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("a.png", picture())
    rows = "".join(json.dumps(row(str(n), image_name="a.png")) + "\n" for n in range(600))
    items = SimpleUploadedFile("items.jsonl", rows.encode())
    images = SimpleUploadedFile("pictures.zip", zipped.getvalue())
    return jobs.start_import(coordinator, project, items, images, "", {})


def test_an_upload_is_found_by_a_worker_elsewhere_and_leaves_nothing(waiting, settings, tmp_path):
    assert not (tmp_path / "data").exists()
    settings.DATA_DIR = tmp_path / "worker"
    jobs.run(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.state, Item.objects.count()) == ("done", 600)
    assert job_store.folders() == []


def test_a_cancel_and_signs_of_life_reach_the_other_machine(waiting, coordinator, monkeypatch):
    folder = waiting.parameters["folder"]
    monkeypatch.setattr(job_store, "FAR", 0)
    monkeypatch.setattr(job_store, "NEAR", 0)
    job_store.touch(folder, job_store.CANCEL)
    jobs.run(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.state, Item.objects.count()) == ("cancelled", 0)
    jobs.run_again(coordinator, waiting)
    assert not job_store.has(folder, job_store.CANCEL)
    jobs.Watch(waiting)("check", 1, 2)
    first = job_store.touched_at(folder, job_store.BEAT)
    assert first is not None and job_store.changed_at(folder) >= first
    assert storages["jobs"].exists(f"{folder}/items")


@pytest.mark.django_db(transaction=True)
def test_pictures_move_from_a_folder_into_the_store_and_into_a_backup(far, project, tmp_path):
    media, names = tmp_path / "old", ["pictures/1/a.png", "pictures/1/b.png"]
    for name in names:
        (media / name).parent.mkdir(parents=True, exist_ok=True)
        (media / name).write_bytes(name.encode() * 900_000)
        Image.objects.create(project=project, name=name, file=name, width=1, height=1, sha256="0")
    default_storage.save(names[0], ContentFile(names[0].encode() * 900_000))  # a run that broke off
    assert run("move_pictures", media)[:2] == (0, "1 copied, 1 there already\n")
    assert run("move_pictures", media)[:2] == (0, "0 copied, 2 there already\n")
    made = make.write(tmp_path / "it.tar", None, lambda what: None)
    assert list(made.files) == names and made.files[names[1]]["bytes"] == 16 * 900_000
    (media / names[0]).write_bytes(b"changed")
    code, _, err = run("move_pictures", media)
    assert code == 1 and "other content" in err
    default_storage.delete(names[1])
    (media / names[1]).unlink()
    (media / names[0]).unlink()
    code, _, err = run("move_pictures", media)
    assert code == 1 and names[1] in err and names[0] not in err


def test_a_missing_package_is_named_with_what_installs_it():
    code = (
        "import sys; sys.modules['boto3'] = None\n"
        "import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name: None if name == 'boto3' else real(name)\n"
        "import deploy.settings"
    )
    env = environment(S3_BUCKET="flock", DATABASE_URL="sqlite://:memory:")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert "pip install -r requirements-s3.txt" in done.stderr
