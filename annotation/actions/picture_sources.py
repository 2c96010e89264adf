"""A folder or a zip of pictures: names lead nowhere else, sizes are known before reading."""

from __future__ import annotations

import unicodedata
import zipfile
import zlib
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Protocol

from django.utils.translation import gettext as _

from annotation.formats import Fault

FIELD = "image_name"


class PictureSource(Protocol):
    """Where the pictures of an import come from."""

    def read(self, name: str, limit: int) -> bytes | None:
        """The picture's bytes, None where there is no such file; `Fault` where it may not be."""

    def close(self) -> None: ...


def open_source(path: Path) -> PictureSource:
    """The folder or zip at ``path``; `Fault` where it is neither or the zip is not safe."""
    if path.is_dir():
        return Folder(path)
    if not path.is_file():
        raise Fault("images", _("there is no folder or zip at %s") % path)
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError):
        raise Fault("images", _("%s is neither a folder nor a zip") % path.name) from None
    return Archive(archive)


def checked_size(size: int, limit: int) -> None:
    if size > limit:
        raise Fault(
            FIELD,
            _("the picture has %(size)d bytes: at most %(limit)d are taken")
            % {"size": size, "limit": limit},
        )


class Folder:
    def __init__(self, path: Path) -> None:
        self.root = path.resolve()

    def read(self, name: str, limit: int) -> bytes | None:
        path = (self.root / name).resolve()
        if not path.is_relative_to(self.root):
            raise Fault(FIELD, _("%r leads out of the folder of pictures") % name)
        if not path.is_file():
            return None
        checked_size(path.stat().st_size, limit)
        return path.read_bytes()

    def close(self) -> None:
        pass


class Archive:
    """A zip whose members are read one by one and never unpacked to disk.

    A zip of one folder is taken as the folder. Names match in any Unicode form: macOS stores
    accents decomposed.
    """

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        members = [
            member
            for member in archive.infolist()
            if not member.is_dir() and not member.filename.startswith("__MACOSX/")
        ]
        for member in members:
            parts = PurePosixPath(member.filename.replace("\\", "/")).parts
            if ".." in parts or parts[0].startswith("/") or ":" in parts[0]:
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

    def read(self, name: str, limit: int) -> bytes | None:
        member = self.members.get(unicodedata.normalize("NFC", name))
        if member is None:
            return None
        checked_size(member.file_size, limit)
        if member.flag_bits & 1:
            raise Fault(FIELD, _("is encrypted in the zip: make the zip without a password"))
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
