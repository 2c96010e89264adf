"""A store of pictures that is away, refuses, fails, hangs or lost a picture: told, and mended."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from botocore.config import Config
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation import far_store
from annotation.actions import jobs
from annotation.models import Image, Item, Job, Project
from backup import make
from tests import factories
from tests.deploy import far
from tests.deploy.hosts import BUCKET
from tests.files import jsonl, load, picture, row, run
from tests.servers import free_port

pytestmark = pytest.mark.once

NO_BUCKET = b"<Error><Code>NoSuchBucket</Code><Message>gone: hay77</Message></Error>"
DENIED = b"<Error><Code>SignatureDoesNotMatch</Code><Message>hay77</Message></Error>"
ELSEWHERE = {"Location": "http://127.0.0.1:9/x"}  # nobody may follow it
# how the store answers -> what the operator reads
FAULTS = {
    "away": (None, b"", "does not answer"),
    "hangs": (0, b"", "does not answer"),
    "fails": (500, b"", "answers with an error (500): look at the store's own log"),
    "refuses": (403, DENIED, "refuses the site (403"),
    "redirects": (307, b"", "sends the site elsewhere (307"),
    "moved": (301, b"", "sends the site elsewhere (301"),
}


@pytest.fixture(params=FAULTS)
def fault(request, settings, monkeypatch, tmp_path):
    """The sentence that a site with such a store is to say."""
    short = Config(read_timeout=0.2, retries={"total_max_attempts": 1})
    monkeypatch.setattr(far_store, "LIMITS", short)
    monkeypatch.setattr(far_store, "PROBE", short)
    status, body, said = FAULTS[request.param]
    if status is None:
        host = f"127.0.0.1:{free_port()}"
        far.use(f"http://{host}", settings, monkeypatch, tmp_path)
        yield f"(bucket {BUCKET} at {host}) {said}"
        return
    with far.Answering(status, body, **ELSEWHERE) as server:
        far.use(server.url, settings, monkeypatch, tmp_path)
        yield f"(bucket {BUCKET} at {server.url.removeprefix('http://')}) {said}"


@pytest.fixture
def given(tmp_path) -> dict[str, Path]:
    """A file of one item with a picture, and the folder with it."""
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "a.png").write_bytes(picture((9, 5)))
    return {"items": jsonl(tmp_path / "i.jsonl", row(image_name="a.png")), "pictures": folder}


def image_of(project: Project, name: str = "b.png") -> Image:
    file = f"pictures/1/{name}"
    return Image.objects.create(project=project, name=name, file=file, width=1, height=1)


def test_commands_and_pages_say_it_and_the_rest_of_the_site_goes_on(
    fault, project, coordinator, annotator, page_as, api_as, given, client
):
    text = factories.make_item(project, "text")
    shown = factories.make_item(project, "shown", image=image_of(project), places=1)
    code, out, err = load(given["items"], "--images", given["pictures"])
    assert (code, out) == (1, "") and fault in err and "hay77" not in err, err
    assert err.count("\n") == 0 and "database was not changed" in err
    assert Item.objects.count() == 2 and Image.objects.count() == 1
    code, _, err = run("move_pictures", given["pictures"])
    assert code == 1 and fault in err and "run it again" in err

    page = page_as(coordinator).get(f"/pictures/{shown.pk}/")
    assert page.status_code == 503 and int(page["Retry-After"]) > 0
    assert "store of pictures" in page.text and "127.0.0.1" not in page.text
    ready = client.get("/readyz")
    assert ready.json()["parts"]["storage"] == {"ok": False, "reason": "StoreAway"}

    api = api_as(annotator)
    held = {}
    while place := api.post("/api/v1/projects/flock/claim/", {}, format="json").data:
        held[place["item"]["key"]] = place
        answer = {"spans": [], "comment": "", "no_hallucination": True, "submit": True}
        answer |= {"version": place["annotation"]["version"], "active_ms": 1}
        if place["item"]["key"] == shown.key:  # its picture cannot be loaded
            sent = api.post(
                f"/api/v1/assignments/{place['id']}/report/", {"reason": "x"}, format="json"
            )
        else:
            sent = api.put(f"/api/v1/assignments/{place['id']}/", answer, format="json")
        assert sent.status_code in (200, 204), sent.content
    assert held.keys() == {text.key, shown.key}


def test_a_store_that_hangs_is_asked_so_often_and_no_more(settings, monkeypatch, tmp_path):
    monkeypatch.setattr(far_store, "LIMITS", far_store.LIMITS.merge(Config(read_timeout=0.1)))
    with far.Answering(0) as store:
        far.use(store.url, settings, monkeypatch, tmp_path)
        with pytest.raises(far_store.StoreAway):
            default_storage.exists("a")
    assert store.asked == [f"HEAD /{BUCKET}/{tmp_path.name}/media/a"] * far_store.ATTEMPTS


def test_a_bucket_that_is_not_there_and_a_key_that_is_not_set_are_named(
    settings, monkeypatch, tmp_path, project, given
):
    with far.Answering(404, NO_BUCKET) as store:
        far.use(store.url, settings, monkeypatch, tmp_path)
        with pytest.raises(far_store.StoreAway, match="no such bucket: make it, or set S3_BUCKET"):
            default_storage.ready()
        code, _, err = load(given["items"], "--images", given["pictures"])
        assert code == 1 and "no such bucket" in err and "hay77" not in err
        code, _, err = run("make_demo")
        assert code == 1 and "no such bucket" in err and Project.objects.count() == 1
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.delenv(name)
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        far.use_again(settings)
        with pytest.raises(far_store.StoreAway, match="needs a key: set AWS_ACCESS_KEY_ID"):
            default_storage.url("a")


@pytest.fixture(scope="module")
def server():
    store = far.Moto()
    store.start()
    store.make_bucket()
    yield store
    store.stop()


@pytest.fixture
def store(server, settings, monkeypatch, tmp_path):
    """A store that works until it is stopped."""
    once = Config(retries={"total_max_attempts": 1})
    monkeypatch.setattr(far_store, "LIMITS", far_store.LIMITS.merge(once))
    far.use(server.url, settings, monkeypatch, tmp_path)
    if server.server is None:
        server.start()
    return server


def test_an_import_fails_with_a_sentence_and_runs_again_when_the_store_is_back(
    store, project, coordinator, page_as, given, monkeypatch, tmp_path
):
    monkeypatch.setattr(jobs, "_enqueue", lambda job: None)
    zipped = tmp_path / "p.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.write(given["pictures"] / "a.png", "a.png")
    files = [SimpleUploadedFile(p.name, p.read_bytes()) for p in (given["items"], zipped)]
    job = jobs.start_import(coordinator, project, *files, "", {})
    page = page_as(coordinator)
    store.stop()
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, Item.objects.count()) == ("failed", 0)
    assert "store of pictures" in job.message and "127.0.0.1" not in job.message
    address = f"/p/flock/jobs/{job.pk}/"
    assert job.message in page.get(address).text
    assert page.get("/p/flock/jobs/").status_code == 200
    assert page.post(f"{address}change/", {"do": "again"}).status_code == 503
    sent = {"file": SimpleUploadedFile("i.jsonl", json.dumps(row()).encode())}
    assert page.post("/p/flock/import/", sent).status_code == 503
    assert list(Job.objects.values_list("state")) == [("failed",)]
    store.start()
    assert page.post(f"{address}change/", {"do": "again"}).status_code == 302
    store.stop()
    assert page.post(f"{address}change/", {"do": "cancel"}).status_code == 302
    jobs.run(job.pk)  # somebody cancelled it: a worker leaves it alone
    store.start()
    assert page.post(f"{address}change/", {"do": "again"}).status_code == 302
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, Item.objects.count()) == ("done", 1), job.message


@pytest.mark.django_db(transaction=True)
def test_a_backup_and_a_restore_are_whole_or_not_at_all(store, project, tmp_path, monkeypatch):
    for name in ("a.png", "b.png"):
        default_storage.save(image_of(project, name).file.name, ContentFile(name.encode()))
    path = tmp_path / "it.tar"
    made = make.write(path, None, lambda what: None)
    assert len(made.files) == 2
    default_storage.delete("pictures/1/b.png")
    code, _, err = run("backup", "--out", tmp_path / "lost.tar")
    assert code == 1 and "pictures/1/b.png" in err and (tmp_path / "lost.tar").exists()
    store.stop()
    code, _, err = run("backup", "--out", tmp_path / "no.tar")
    assert code == 1 and f"bucket {BUCKET}" in err and "Nothing was kept" in err, err
    assert sorted(p.name for p in tmp_path.glob("*no.tar*")) == []
    store.start()
    default_storage.delete("pictures/1/a.png")
    Image.objects.all().delete()
    Project.objects.all().delete()
    real = default_storage.save

    def away_after_one(name: str, content: object) -> str:
        if name.endswith("b.png"):
            store.stop()
        return real(name, content)

    monkeypatch.setattr(default_storage._wrapped, "save", away_after_one)
    code, _, err = run("restore", path)
    assert code == 1 and f"bucket {BUCKET}" in err and "empty the store" in err, err
    assert "pictures/1/a.png" in err and not Project.objects.exists()
    code, _, err = run("restore", path)
    assert code == 1 and "does not answer" in err and "Nothing was kept" in err
