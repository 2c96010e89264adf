"""A folder or a zip of pictures: names lead nowhere else, sizes are known before reading."""

from __future__ import annotations

import stat
import struct
import unicodedata
import zipfile
import zlib
from contextlib import closing
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Protocol

from django.utils.translation import gettext as _

from annotation.formats import Fault

FIELD = "image_name"
KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# A zip's list of names is read whole: so many bytes of it are some 200,000 names.
LIST_MAX = 20_000_000
NEAR_MAX = 50_000
# Layout of a zip's end: signature, and where in it the size of the list of names stands.
END, END_BYTES, END_SIZE_AT = b"PK\x05\x06", 22, 12
END64, END64_BYTES, END64_SIZE_AT, LOCATOR_BYTES = b"PK\x06\x06", 56, 40, 20
COMMENT_MAX = 65_535


class PictureSource(Protocol):
    """Where the pictures of an import come from."""

    def read(self, name: str, limit: int) -> bytes | None:
        """The picture's bytes, None where there is no such file; `Fault` where it may not be."""

    def near(self, name: str) -> str | None:
        """A file that may be meant: of the same name in another folder or other letter case."""

    def close(self) -> None: ...


def open_source(path: Path, name: str = "") -> PictureSource:
    """The folder or zip at ``path``; `Fault` where it is neither or the zip is not safe.

    ``name`` is what the person knows it by, where that is another one.
    """
    name = name or path.name
    if path.is_dir():
        return Folder(path)
    if not path.is_file():
        raise Fault("images", _("there is no folder or zip at %s") % path)
    if _size_of_list(path) > LIST_MAX:
        raise Fault("images", _("%s names too many files: make several zips of it") % name)
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error):
        text = _("%s is neither a folder nor a zip: give the pictures as one zip")
        raise Fault("images", text % name) from None
    return Archive(archive)


def _size_of_list(path: Path) -> int:
    """How many bytes a zip's list of names says it has; 0 where there is no zip."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - COMMENT_MAX - END_BYTES - LOCATOR_BYTES - END64_BYTES))
        tail = file.read()
    at = tail.rfind(END)
    if at < 0 or len(tail) - at < END_BYTES:
        return 0
    said = int.from_bytes(tail[at + END_SIZE_AT : at + END_SIZE_AT + 4], "little")
    large = tail[max(0, at - LOCATOR_BYTES - END64_BYTES) : at - LOCATOR_BYTES]
    if large.startswith(END64):  # a zip of more than 65,535 files says it here
        said = int.from_bytes(large[END64_SIZE_AT : END64_SIZE_AT + 8], "little")
    return said


def checked_size(size: int, limit: int) -> None:
    if size > limit:
        raise Fault(
            FIELD,
            _("the picture has %(size)d bytes: at most %(limit)d are taken")
            % {"size": size, "limit": limit},
        )


def _last_part(name: str) -> str:
    return unicodedata.normalize("NFC", PurePosixPath(name).name).casefold()


class Folder:
    def __init__(self, path: Path) -> None:
        self.root = path.resolve()
        self._near: dict[str, str] | None = None

    def read(self, name: str, limit: int) -> bytes | None:
        try:
            path = (self.root / name).resolve()
        except (OSError, RuntimeError, ValueError):  # links in a ring, a name that is too long
            raise Fault(FIELD, _("%r is no name of a file") % name) from None
        if not path.is_relative_to(self.root):
            raise Fault(FIELD, _("%r leads out of the folder of pictures") % name)
        if not path.is_file():
            return None
        checked_size(path.stat().st_size, limit)
        return path.read_bytes()

    def near(self, name: str) -> str | None:
        if self._near is None:
            # A folder may hold anything else besides: a part of it is looked at, once.
            there = islice((path for path in self.root.rglob("*") if path.is_file()), NEAR_MAX)
            names = (path.relative_to(self.root).as_posix() for path in there)
            self._near = {_last_part(known): known for known in names}
        return self._near.get(_last_part(name))

    def close(self) -> None:
        pass


class Archive:
    """A zip whose members are read one by one and never unpacked to disk.

    A zip of one folder is taken as the folder. Names match in any Unicode form: macOS stores
    accents decomposed.
    """

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self._near: dict[str, str] | None = None
        members = [
            member
            for member in archive.infolist()
            if not member.is_dir() and not member.filename.startswith("__MACOSX/")
        ]
        for member in members:
            parts = PurePosixPath(member.filename.replace("\\", "/")).parts
            if not parts or ".." in parts or parts[0].startswith("/") or ":" in parts[0]:
                archive.close()
                raise Fault("images", _("the zip's %r leads out of the zip") % member.filename)
        tops = {member.filename.partition("/")[0] for member in members}
        nested = all("/" in member.filename for member in members)
        self.members: dict[str, zipfile.ZipInfo] = {}
        for member in members:
            name = unicodedata.normalize("NFC", member.filename)
            self.members[name] = member
            if nested and len(tops) == 1:
                self.members.setdefault(name.partition("/")[2], member)

    def near(self, name: str) -> str | None:
        if self._near is None:
            self._near = {_last_part(known): known for known in self.members}
        return self._near.get(_last_part(name))

    def read(self, name: str, limit: int) -> bytes | None:
        member = self.members.get(unicodedata.normalize("NFC", name))
        if member is None:
            return None
        checked_size(member.file_size, limit)
        if member.flag_bits & 1:
            raise Fault(FIELD, _("is encrypted in the zip: make the zip without a password"))
        if stat.S_ISLNK(member.external_attr >> 16):
            raise Fault(FIELD, _("is a link in the zip: put the picture itself into it"))
        if member.compress_type not in KINDS:  # others take memory as the file says
            raise Fault(FIELD, _("is packed in a way that is not read: make a plain zip"))
        try:
            with closing(self.archive.open(member)) as file:
                content = file.read(limit + 1)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError) as error:
            raise Fault(FIELD, _("cannot be read from the zip: %s") % error) from None
        except zlib.error:
            raise Fault(FIELD, _("is damaged in the zip")) from None
        checked_size(len(content), limit)
        return content

    def close(self) -> None:
        self.archive.close()
