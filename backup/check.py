"""An archive is read as a whole, and compared with its own manifest, before anything uses it."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from backup import container
from backup.container import HEADER, MANIFEST, MEDIA, PART, Member
from backup.errors import Damaged, Refused
from backup.make import FORMAT

LINE = 256 << 20  # bytes of one row


@dataclass(frozen=True)
class Archive:
    """An archive that was found to be whole; each iteration reads it from its beginning."""

    file: BinaryIO
    key: bytes | None
    header: dict[str, Any]
    manifest: dict[str, Any]

    def members(self) -> Iterator[Member]:
        return container.members(container.opened(self.file, self.key))


def lines(member: Member) -> Iterator[bytes]:
    """The lines of a part of a table, unpacked as they are read."""
    packed = gzip.GzipFile(fileobj=io.BufferedReader(_Raw(member)))
    try:
        while text := packed.readline(LINE):
            if not text.endswith(b"\n"):
                raise Damaged(f"{member.name}: a row is cut off or too long.")
            yield text
    except (OSError, EOFError, zlib.error):
        raise Damaged(f"{member.name} cannot be unpacked.") from None


class _Raw(io.RawIOBase):
    def __init__(self, member: Member) -> None:
        self.member = member

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self.member.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)


def checked(
    path: Path, file: BinaryIO, key: bytes | None, progress: Callable[[str], object]
) -> Archive:
    """The archive, if every row and file in it is as its manifest says."""
    members = container.members(container.opened(file, key))
    first = next(members, None)
    if first is None or first.name != HEADER:
        raise Damaged(f"{path} is no backup of a site.")
    header = _json(first)
    if header.get("format") != FORMAT:
        raise Refused(f"{path} is of format {header.get('format')}; this release reads {FORMAT}.")
    if not isinstance(header.get("migrations"), list) or not isinstance(header.get("tables"), dict):
        raise Damaged("The head of the archive cannot be read.")
    found = _Found()
    for member in members:
        progress(member.name)
        found.take(member)
    if found.manifest is None:
        raise Damaged("The archive has no end.")
    found.compare(header)
    return Archive(file, key, header, found.manifest)


def _json(member: Member) -> dict[str, Any]:
    try:
        found = json.loads(member.read())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Damaged(f"{member.name} in the archive cannot be read.")
    return found


class _Found:
    """What the archive really holds."""

    def __init__(self) -> None:
        self.digests: dict[str, Any] = defaultdict(hashlib.sha256)
        self.counts: dict[str, int] = defaultdict(int)
        self.parts: dict[str, int] = defaultdict(int)
        self.files: dict[str, dict[str, Any]] = {}
        self.manifest: dict[str, Any] | None = None

    def take(self, member: Member) -> None:
        if self.manifest is not None:
            raise Damaged("Something stands behind the archive's manifest.")
        if member.name == MANIFEST:
            self.manifest = _json(member)
        elif part := PART.fullmatch(member.name):
            self._part(member, part[1], int(part[2]))
        elif member.name.startswith(MEDIA):
            self._file(member)
        else:
            raise Damaged(f"{member.name} stands in the archive twice.")

    def _part(self, member: Member, table: str, number: int) -> None:
        if number != self.parts[table] or self.files:
            raise Damaged(f"{member.name} is not in its place.")
        self.parts[table] += 1
        for text in lines(member):
            self.digests[table].update(text)
            self.counts[table] += 1

    def _file(self, member: Member) -> None:
        name, digest = member.name.removeprefix(MEDIA), hashlib.sha256()
        if name in self.files:
            raise Damaged(f"{member.name} stands in the archive twice.")
        while piece := member.read(container.PIECE):
            digest.update(piece)
        self.files[name] = {"bytes": member.size, "sha256": digest.hexdigest()}

    def compare(self, header: dict[str, Any]) -> None:
        """`Damaged` where the manifest says anything else."""
        manifest = self.manifest or {}
        tables = manifest.get("tables")
        if not isinstance(tables, dict) or not isinstance(manifest.get("files"), dict):
            raise Damaged("The manifest of the archive cannot be read.")
        if set(tables) != set(header.get("tables", {})) or not self.counts.keys() <= tables.keys():
            raise Damaged("The archive holds other tables than it says.")
        for table, said in tables.items():
            digest = self.digests[table].hexdigest()
            if (said.get("rows"), said.get("sha256")) != (self.counts[table], digest):
                raise Damaged(f"The rows of {table} are not those that were backed up.")
        if manifest.get("files") != self.files:
            wanted = manifest["files"]
            name = min(n for n in {**wanted, **self.files} if wanted.get(n) != self.files.get(n))
            raise Damaged(f"The file {name} is not the one that was backed up.")
