"""Files that mean harm: refused in words by pages and commands, nothing stored, memory bounded."""

from __future__ import annotations

import io
import random
import stat
import struct
import tracemalloc
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image as Pillow

from annotation.actions import picture_sources
from annotation.actions.picture_checks import checked
from annotation.actions.picture_sources import open_source
from annotation.formats import Fault
from annotation.models import Image, Item, Job
from tests.files import everything, jsonl, load, picture, row

PNG = picture()
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'
PAGE = b"<script>window.evil = 1</script>"


@pytest.fixture(autouse=True)
def media(settings, tmp_path_factory):
    settings.MEDIA_ROOT = tmp_path_factory.mktemp("media")
    return settings.MEDIA_ROOT


def huge(width: int, height: int) -> bytes:
    """A PNG of a few hundred bytes that says it has so many pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + crc

    data = chunk(b"IDAT", zlib.compress(bytes(100_000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + data + chunk(b"IEND", b"")


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes], kind: int = 8) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def link(to: str) -> bytes:
    info = zipfile.ZipInfo("bad.png")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return zipped((info, to.encode()))


def lying() -> bytes:
    """A zip whose member says it has 4 bytes and has 60 MB."""
    content = bytearray(zipped(("bad.png", bytes(60_000_000))))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = content.rfind(mark) + at
        content[place : place + 4] = struct.pack("<I", 4)
    return bytes(content)


def crowded(size: int) -> bytes:
    """The end of a zip that says so many bytes of names come before it."""
    return struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 9, 9, size, 0, 0)


BAD = {
    "an SVG under another name": (zipped(("bad.png", SVG)), "is no JPEG"),
    "a page under another name": (zipped(("bad.png", PAGE)), "is no JPEG"),
    "30,000 x 30,000 pixels": (zipped(("bad.png", huge(30_000, 30_000))), "pixels"),
    "8,000 x 8,000 pixels": (zipped(("bad.png", huge(8_000, 8_000))), "8000 x 8000 pixels"),
    "a member of 60 MB": (zipped(("bad.png", bytes(60_000_000))), "at most"),
    "a member that lies about its size": (lying(), "cannot be read"),
    "a link": (link("/etc/passwd"), "is a link in the zip"),
    "packed with LZMA": (zipped(("bad.png", PNG), kind=zipfile.ZIP_LZMA), "is packed in a way"),
    "a name that leads out": (zipped(("../bad.png", PNG)), "leads out of the zip"),
    "a name from the root": (zipped(("/bad.png", PNG)), "leads out of the zip"),
    "a name of a drive": (zipped(("c:/bad.png", PNG)), "leads out of the zip"),
    "a name that is a point": (zipped((".", PNG), ("bad.png", PNG)), "leads out of the zip"),
    "a list of 90 MB": (crowded(90_000_000), "names too many files"),
    "no zip": (b"PK\x03\x04 and nothing", "neither a folder nor a zip"),
}


@pytest.mark.parametrize("what", BAD)
def test_an_archive_that_means_harm_is_refused_by_command_and_page_and_nothing_is_kept(
    what, project, coordinator, page_as, tmp_path, media
):
    """HumanSignal/label-studio PR #2273; memory stays that of the largest picture allowed."""
    content, reason = BAD[what]
    (tmp_path / "p.zip").write_bytes(content)
    items = jsonl(tmp_path / "i.jsonl", row(image_name="bad.png"))
    before = everything()
    tracemalloc.start()
    code, _, err = load(items, "--images", tmp_path / "p.zip")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert code == 1 and reason in err and "Traceback" not in err
    assert peak < 80_000_000
    sent = {
        "file": SimpleUploadedFile("i.jsonl", items.read_bytes()),
        "images": SimpleUploadedFile("p.zip", content),
    }
    page = page_as(coordinator).post("/p/flock/import/", sent, follow=True)
    job = Job.objects.get()
    assert job.state == "failed"
    assert reason in page.text.replace("&#x27;", "'")
    assert everything() == before
    assert [path for path in media.rglob("*") if path.is_file()] == []


def test_what_hangs_on_a_picture_is_not_stored_and_a_page_in_it_is_never_served_as_one(
    project, coordinator, page_as, tmp_path
):
    """A polyglot: a picture for one reader, a page or an archive for another."""
    content = picture((8, 4), "GIF") + PAGE + zipped(("a", b"b"))
    (tmp_path / "p.zip").write_bytes(zipped(("page.html", content)))
    path = jsonl(tmp_path / "i.jsonl", row(image_name="page.html"))
    assert load(path, "--images", tmp_path / "p.zip")[0] == 0
    image = Image.objects.get()
    assert image.file.name.endswith(".gif")
    reply = page_as(coordinator).get(f"/pictures/{Item.objects.get().pk}/")
    served = reply.getvalue()
    assert PAGE not in served and b"PK\x03\x04" not in served
    assert (reply["Content-Type"], reply["X-Content-Type-Options"]) == ("image/gif", "nosniff")
    assert "sandbox" in reply["Content-Security-Policy"]


def test_no_damaged_picture_and_no_damaged_archive_gets_out_as_an_error(tmp_path):
    chance = random.Random(1)
    pictures = [picture((40, 30), kind) for kind in ("JPEG", "PNG", "WEBP", "GIF")]
    archives = [zipped(("a.png", PNG), ("d/b.png", PNG), kind=kind) for kind in (0, 8, 12, 14)]
    for _ in range(400):
        for content in (bytearray(chance.choice(pictures)), bytearray(chance.choice(archives))):
            for _ in range(chance.randint(1, 5)):
                content[-1 - chance.randrange(min(len(content), 200))] = chance.randrange(256)
            (tmp_path / "x").write_bytes(content)
            with suppress(Fault):
                checked(bytes(content), 1_000_000)
            with suppress(Fault):
                source = open_source(tmp_path / "x")
                source.read("a.png", 10_000)
                source.close()


def test_an_archive_of_more_names_than_one_list_holds_is_counted_where_they_stand(
    tmp_path, monkeypatch
):
    path = tmp_path / "many.zip"
    # Beyond 65,535 names the size stands in another place; here beyond 10.
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 10)
    path.write_bytes(zipped(*((f"{n}.png", b"") for n in range(100))))
    assert b"PK\x06\x06" in path.read_bytes()
    open_source(path).close()
    monkeypatch.setattr(picture_sources, "LIST_MAX", 100 * 46)
    with pytest.raises(Fault, match="names too many files"):
        open_source(path)


LINES = {
    "nested": b'{"key": "a", "metadata": ' + b'{"a":' * 50_000,
    "a number of 5,000 digits": b'{"key": "a", "language": "en", "metadata": {"n": ' + b"9" * 5000,
    "an infinity": b'{"key":"a","language":"en","response":"r","metadata":{"n":1e999}}',
    "NUL": b'{"key":"a\\u0000","language":"en","response":"r"}',
    "half a character": b'{"key":"a","language":"en","response":"\\ud800"}',
    "UTF-16": '{"key": "a"}'.encode("utf-16"),
    "a picture": PNG,
    "a zip": zipped(("a", b"b")),
    "a name that leads out": b'{"key":"a","language":"en","response":"r","image_name":"../../x"}',
}


@pytest.mark.parametrize("what", LINES)
@pytest.mark.parametrize("name", ["i.jsonl", "i.csv", "briefs.jsonl"])
def test_a_file_of_rows_that_means_harm_is_refused_in_words(
    what, name, project, coordinator, page_as, tmp_path
):
    file = SimpleUploadedFile(name, LINES[what])
    before, browser = everything(), page_as(coordinator)
    if name == "briefs.jsonl":
        reply = browser.post("/p/flock/briefs/", {"do": "import", "file": file})
        assert reply.status_code == 422
    else:
        pictures = SimpleUploadedFile("p.zip", zipped(("a.png", PNG)))
        browser.post("/p/flock/import/", {"file": file, "images": pictures})
        job = Job.objects.get()
        assert job.state == "failed" and "log says why" not in job.message
    assert everything() == before


def test_a_form_is_small_whatever_files_may_be(settings):
    """Anybody may send a form to the login page, and forms are read into memory."""
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE <= 10_000_000 < settings.MAX_UPLOAD_BYTES


def test_a_pictures_folder_gives_nothing_that_is_no_file(project, tmp_path):
    import os

    folder = tmp_path / "pictures"
    folder.mkdir()
    os.mkfifo(folder / "pipe.png")
    (folder / "loop.png").symlink_to(folder / "loop.png")
    (folder / "zero.png").symlink_to("/dev/zero")
    for name in ("pipe.png", "loop.png", "zero.png", "."):
        code, _, err = load(jsonl(tmp_path / "i.jsonl", row(image_name=name)), "--images", folder)
        assert code == 1 and "image_name: " in err, (name, err)
    assert isinstance(folder, Path) and not Item.objects.exists()


def test_a_picture_of_the_most_pixels_allowed_is_taken(settings):
    settings.MAX_IMAGE_PIXELS = 1_000_000
    buffer = io.BytesIO()
    Pillow.new("L", (1000, 1000)).save(buffer, "PNG")
    assert checked(buffer.getvalue(), settings.MAX_IMAGE_PIXELS).width == 1000
    with pytest.raises(Fault):
        checked(buffer.getvalue(), settings.MAX_IMAGE_PIXELS - 1)
