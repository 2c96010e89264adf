"""The order of offers: every item a random number, every person a starting point, from one seed."""

from __future__ import annotations

import hashlib

RANGE = 2**62


def _draw(kind: str, seed: int, name: str) -> int:
    digest = hashlib.blake2b(f"{kind}\0{seed}\0{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % RANGE


def item_number(seed: int, key: str) -> int:
    """The item's place in the project's random order, in ``[0, RANGE)``."""
    return _draw("item", seed, key)


def starting_point(seed: int, pseudonym: str) -> int:
    """Where a person's walk through that order starts, in ``[0, RANGE)``."""
    return _draw("person", seed, pseudonym)
