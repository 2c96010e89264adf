"""An archive that is damaged, forged, of another key or for a site that holds data is refused."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotation.models import Image
from backup import container, make, sealing, state
from backup.check import checked
from backup.errors import Damaged, Refused
from tests import factories
from tests.files import run

KEY, OTHER = b"k" * 32, b"o" * 32


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def archives(transactional_db, tmp_path) -> dict[str, Path]:
    """A small site as a plain and as an encrypted archive."""
    project = factories.make_project()
    factories.make_item(project, response="a\r\nb \U0001f411")
    name = default_storage.save("pictures/1/a.png", ContentFile(b"picture" * 400_000))
    Image.objects.create(project=project, name="a", file=name, width=1, height=1, sha256="0")
    made = {"plain": tmp_path / "plain.tar", "sealed": tmp_path / "it.sealed"}
    make.write(made["plain"], None, lambda what: None)
    make.write(made["sealed"], KEY, lambda what: None)
    return made


def check(path: Path, key: bytes | None = None) -> None:
    with path.open("rb") as file:
        checked(path, file, key, lambda what: None)


def test_a_changed_cut_or_wrongly_opened_archive_is_refused(archives, tmp_path):
    check(archives["plain"])
    check(archives["sealed"], KEY)
    with pytest.raises(Refused, match="another key"):
        check(archives["sealed"], OTHER)
    with pytest.raises(Refused, match="name its key"):
        check(archives["sealed"])
    with pytest.raises(Refused, match="not encrypted"):
        check(archives["plain"], KEY)
    broken = tmp_path / "broken"
    for kind, key in (("plain", None), ("sealed", KEY)):
        whole = archives[kind].read_bytes()
        head = len(sealing.MAGIC) + sealing.SALT + sealing.CHECK
        pieces = range(head, len(whole), sealing.PIECE + sealing.TAG)
        cuts = {0, 1, 600, len(whole) // 2, len(whole) - 1, len(whole) - 1024, *pieces}
        for length in cuts:
            broken.write_bytes(whole[:length])
            with pytest.raises(Refused):
                check(broken, key)
        for at in range(0, len(whole), len(whole) // 40):
            # of the plain one only what is said and held counts: bytes between members do not
            changed = whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]
            broken.write_bytes(changed)
            with pytest.raises(Refused):
                check(broken, key)
        broken.write_bytes(whole + b"more")
        with pytest.raises(Refused):
            check(broken, key)


def test_pieces_of_an_encrypted_archive_cannot_change_places(archives, tmp_path):
    whole = archives["sealed"].read_bytes()
    head, step = len(sealing.MAGIC) + sealing.SALT + sealing.CHECK, sealing.PIECE + sealing.TAG
    first, second = whole[head : head + step], whole[head + step : head + 2 * step]
    assert len(second) == step
    broken = tmp_path / "broken"
    broken.write_bytes(whole[:head] + second + first + whole[head + 2 * step :])
    with pytest.raises(Damaged, match="piece 1"):
        check(broken, KEY)


def forged(path: Path, name: str, **changes: object) -> Path:
    """A plain archive with a member more, as an attacker would add it."""
    info = tarfile.TarInfo(name)
    info.size = 3
    for field, value in changes.items():
        setattr(info, field, value)
    sink = io.BytesIO()
    container.Writer(sink).add(container.HEADER, b'{"format": 1, "migrations": [], "tables": {}}')
    sink.write(info.tobuf(tarfile.GNU_FORMAT) + b"bad".ljust(512, b"\0"))
    path.write_bytes(sink.getvalue())
    return path


@pytest.mark.parametrize(
    ("name", "changes", "why"),
    [
        ("../evil", {}, "no place"),
        ("media/../../evil", {}, "no place"),
        ("media//etc/passwd", {}, "no place"),
        ("/etc/passwd", {}, "no place"),
        ("media/a\\b", {}, "no place"),
        ("tables/../evil/000000.jsonl.gz", {}, "no place"),
        ("media/link", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, "not a plain file"),
        ("media/link", {"type": tarfile.LNKTYPE, "linkname": "header.json"}, "not a plain file"),
        ("media/dev", {"type": tarfile.CHRTYPE}, "not a plain file"),
        ("media/" + "x" * 300, {}, "not a plain file"),  # a name in an extension of the format
        ("manifest.json", {"size": 1 << 40}, "claims"),
        ("tables/annotation_item/000000.jsonl.gz", {"size": 1 << 50}, "claims"),
        ("media/huge", {"size": 1 << 50}, "claims"),
        ("media/large", {"size": 1 << 32}, "cut off"),
        ("header.json", {}, "twice"),
        ("tables/annotation_item/000007.jsonl.gz", {}, "not in its place"),
        ("tables/annotation_item/000000.jsonl.gz", {}, "cannot be unpacked"),
    ],
)
def test_a_forged_member_is_refused_before_anything_is_written(tmp_path, name, changes, why):
    with pytest.raises(Damaged, match=why):
        check(forged(tmp_path / "forged", name, **changes))
    assert not (tmp_path / "media").exists()


def test_a_site_that_holds_rows_is_not_restored_over(archives):
    code, _, err = run("restore", archives["plain"])
    assert code == 1 and err.startswith("The database is not empty: annotation_assignment holds")
    assert "Nothing was changed" in err


def test_a_disk_that_is_full_leaves_the_old_archive_and_no_half_one(archives, tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    (full / "site.tar").write_bytes(b"the old one")
    # What is written beside the old one goes to a device that has no room.
    (full / f".site.tar.{os.getpid()}.part").symlink_to("/dev/full")
    code, _, err = run("backup", "--out", full / "site.tar")
    assert code == 1 and err == "the disk is full. Nothing was kept."
    assert [path.name for path in full.iterdir()] == ["site.tar"]
    assert (full / "site.tar").read_bytes() == b"the old one"


def test_a_folder_that_is_not_there_is_named_and_not_a_file_of_ours(tmp_path):
    code, _, err = run("backup", "--out", tmp_path / "bk" / "site.tar")
    assert (code, err) == (1, f"The folder {tmp_path / 'bk'} does not exist: make it first.")


@pytest.mark.parametrize("text", ["", "short", "a" * 44, "é", "k" * 500])
def test_a_file_that_holds_no_key_is_refused(tmp_path, text):
    (tmp_path / "key").write_text(text)
    with pytest.raises(Refused, match="openssl rand -base64 32"):
        sealing.read_key(tmp_path / "key")


def test_keep_is_for_folders_and_from_one_on(tmp_path):
    for words in (["--keep", "0"], ["--keep", "3", "--out", tmp_path / "one.tar"]):
        code, _, err = run("backup", *words)
        assert code == 1 and "--keep" in err


@pytest.mark.django_db
def test_an_archive_of_another_release_is_refused_where_it_would_not_fit():
    nodes = set(state.applied())
    with pytest.raises(Refused, match="newer release"):
        state.migrate_to(nodes | {("annotation", "9999_from_tomorrow")})
    older = {node for node in nodes if node[0] != "annotation" or node[1] == "0001_initial"}
    with pytest.raises(Refused, match="older release, without agreement.*without tables"):
        state.migrate_to(older - {node for node in nodes if node[0] in ("agreement", "writing")})
