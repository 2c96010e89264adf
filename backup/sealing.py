"""Encryption of an archive: AES-256-GCM over pieces, in the STREAM construction.

A sealed archive is ``MAGIC``, a salt of 32 bytes and a check of 16, then pieces of at most `PIECE`
bytes, each followed by its tag of 16. From the operator's key and the salt HKDF-SHA256 derives 48
bytes: the key of this archive alone, and the check that tells another key from a damaged archive.
The nonce of a piece is its number in 11 bytes and one byte that is 1 for the last: no piece can be
taken away, put elsewhere or left out at the end. The head is authenticated with every piece.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from backup.container import Sink, Source
from backup.errors import Damaged, Refused

MAGIC = b"sheepfold sealed backup 1\n"
PIECE = 1 << 20
KEY, SALT, CHECK, TAG = 32, 32, 16, 16


def read_key(path: Path) -> bytes:
    """The key in a file: 32 random bytes in base64, as ``openssl rand -base64 32`` prints them."""
    try:
        key = base64.b64decode(path.read_text(encoding="ascii").strip(), validate=True)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, binascii.Error):
        key = b""
    if len(key) != KEY:
        raise Refused(
            f"{path}: holds no key of {KEY} bytes in base64; "
            f"make one with `openssl rand -base64 {KEY}`."
        )
    return key


def _derived(key: bytes, salt: bytes) -> tuple[AESGCM, bytes]:
    found = HKDF(SHA256(), KEY + CHECK, salt, MAGIC).derive(key)
    return AESGCM(found[:KEY]), found[KEY:]


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


class Writer:
    """What is written comes out sealed; `close` seals the last piece."""

    def __init__(self, sink: Sink, key: bytes) -> None:
        salt = secrets.token_bytes(SALT)
        self.cipher, check = _derived(key, salt)
        self.head = MAGIC + salt + check
        self.sink, self.number, self.waiting = sink, 0, bytearray()
        sink.write(self.head)

    def write(self, content: bytes) -> None:
        self.waiting += content
        # a whole piece stays until more comes: it might be the last
        while len(self.waiting) > PIECE:
            self._seal(bytes(self.waiting[:PIECE]), last=False)
            del self.waiting[:PIECE]

    def close(self) -> None:
        self._seal(bytes(self.waiting), last=True)

    def _seal(self, piece: bytes, last: bool) -> None:
        self.sink.write(self.cipher.encrypt(_nonce(self.number, last), piece, self.head))
        self.number += 1


class Reader:
    """The plain bytes; nothing is given out that is not authentic."""

    def __init__(self, source: Source, key: bytes) -> None:
        self.head = source.read(len(MAGIC) + SALT + CHECK)
        if len(self.head) < len(MAGIC) + SALT + CHECK:
            raise Damaged("The archive is cut off.")
        self.cipher, check = _derived(key, self.head[len(MAGIC) : len(MAGIC) + SALT])
        if not hmac.compare_digest(check, self.head[-CHECK:]):
            raise Refused("The archive was made with another key.")
        self.source, self.number, self.plain = source, 0, bytearray()
        self.next = source.read(PIECE + TAG)
        self.ended = False

    def read(self, size: int) -> bytes:
        while len(self.plain) < size and not self.ended:
            self._open()
        content = bytes(self.plain[:size])
        del self.plain[:size]
        return content

    def _open(self) -> None:
        piece, self.next = self.next, self.source.read(PIECE + TAG)
        self.ended = not self.next
        try:
            self.plain += self.cipher.decrypt(_nonce(self.number, self.ended), piece, self.head)
        except InvalidTag:
            raise Damaged(
                f"The archive is cut off or was changed in its piece {self.number + 1}."
            ) from None
        self.number += 1
