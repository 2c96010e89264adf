"""The archive as a tar file of plain members, written and read as a stream.

Only the header of a plain file is understood: a reader of links, extensions and devices would have
to defend itself against each of them.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO, Protocol

from backup.errors import Damaged, Refused

BLOCK = 512
PIECE = 1 << 20
HEADER, MANIFEST = "header.json", "manifest.json"
TABLES, MEDIA = "tables/", "media/"
PART = re.compile(r"tables/(\w{1,63})/(\d{6})\.jsonl\.gz")
SMALL, LARGE = 64 << 20, 1 << 30  # bytes of a file of ours, of a part of a table
PICTURE = 8 << 30  # what a plain header can say


class Sink(Protocol):
    def write(self, content: bytes, /) -> object: ...


class Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


def safe(name: str) -> bool:
    """Whether a file's name stays below the folder it is put in."""
    parts = PurePosixPath(name).parts
    plain = "/".join(parts) == name and not name.startswith("/")
    return bool(parts) and plain and ".." not in parts and not re.search(r"[\\:\x00-\x1f]", name)


class Writer:
    """Members one after the other, each with its size said before."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink

    def add(self, name: str, content: bytes) -> None:
        self.stream(name, len(content), io.BytesIO(content))

    def stream(self, name: str, size: int, source: Source) -> None:
        """A member of ``size`` bytes; a source that gives fewer or more is refused."""
        info = tarfile.TarInfo(name)
        info.size = size
        try:
            self.sink.write(info.tobuf(tarfile.USTAR_FORMAT, "utf-8", "strict"))
        except ValueError as error:
            raise Refused(f"{name}: {error}") from None
        left = size
        while left and (piece := source.read(min(left, PIECE))):
            self.sink.write(piece)
            left -= len(piece)
        if left or source.read(1):
            raise Refused(f"{name}: its size changed while it was read.")
        self.sink.write(b"\0" * (-size % BLOCK))

    def close(self) -> None:
        self.sink.write(b"\0" * (2 * BLOCK))


class Member:
    """A member's name and size, and its bytes, which can be read once."""

    def __init__(self, name: str, size: int, source: Source) -> None:
        self.name, self.size, self.left = name, size, size
        self.source = source

    def read(self, size: int = -1) -> bytes:
        wanted = self.left if size < 0 else min(size, self.left)
        content = exactly(self.source, wanted)
        self.left -= wanted
        return content

    def skip(self) -> None:
        while self.left:
            self.read(PIECE)


def exactly(source: Source, size: int) -> bytes:
    content = source.read(size)
    while len(content) < size:
        more = source.read(size - len(content))
        if not more:
            raise Damaged("The archive is cut off.")
        content += more
    return content


def members(source: Source) -> Iterator[Member]:
    """Every member in order; `Damaged` for anything that a backup does not write."""
    while (block := exactly(source, BLOCK)) != b"\0" * BLOCK:
        try:
            info = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
        except (tarfile.HeaderError, UnicodeDecodeError):
            raise Damaged("This is no backup of a site, or it is damaged.") from None
        if info.type != tarfile.REGTYPE:
            raise Damaged(f"{info.name!r} in the archive is not a plain file.")
        if info.size > _limit(info.name):
            raise Damaged(f"{info.name!r} in the archive claims {info.size} bytes.")
        member = Member(info.name, info.size, source)
        yield member
        member.skip()
        if exactly(source, -info.size % BLOCK).strip(b"\0"):
            raise Damaged(f"Something hides behind {info.name!r} in the archive.")
    if exactly(source, BLOCK).strip(b"\0") or source.read(1):
        raise Damaged("Something hides behind the end of the archive.")


def _limit(name: str) -> int:
    if name in (HEADER, MANIFEST):
        return SMALL
    if PART.fullmatch(name):
        return LARGE
    if name.startswith(MEDIA) and safe(name):
        return PICTURE
    raise Damaged(f"{name!r} has no place in an archive.")


def opened(file: BinaryIO, key: bytes | None) -> Source:
    """The archive's plain bytes, from the file's beginning; a sealed one needs its key."""
    from backup import sealing

    file.seek(0)
    sealed = file.read(len(sealing.MAGIC)) == sealing.MAGIC
    file.seek(0)
    if sealed and key is None:
        raise Refused("The archive is encrypted: name its key with --key-file.")
    if key is not None and not sealed:
        raise Refused("The archive is not encrypted: leave --key-file out.")
    return sealing.Reader(file, key) if key is not None else file
