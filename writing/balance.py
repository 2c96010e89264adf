"""Balance over the intended labels: targets, deficits, and what to write next. Pure."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """One label of a balance: how many samples there are and how many there are to be."""

    label: str
    count: int
    target_share: float
    target: int

    @property
    def deficit(self) -> int:
        return self.target - self.count

    @property
    def full(self) -> bool:
        return self.count >= self.target > 0


def target_shares(labels: Sequence[str], given: Mapping[str, float]) -> dict[str, float]:
    """Each writable label's share; those that are not given divide the rest evenly.

    Examples
    --------
    >>> target_shares("ABCD", {})
    {'A': 0.25, 'B': 0.25, 'C': 0.25, 'D': 0.25}
    >>> target_shares("ABC", {"A": 0.5})
    {'A': 0.5, 'B': 0.25, 'C': 0.25}
    """
    known = {label: max(0.0, float(given[label])) for label in labels if label in given}
    rest = max(0.0, 1 - sum(known.values()))
    others = [label for label in labels if label not in known]
    return {label: known.get(label, rest / len(others) if others else 0.0) for label in labels}


def targets(shares: Mapping[str, float], planned: int) -> dict[str, int]:
    """How many samples of each label make ``planned`` in all, by the largest remainder.

    Examples
    --------
    >>> targets({"A": 0.25, "B": 0.25, "C": 0.25, "D": 0.25}, 10)
    {'A': 3, 'B': 3, 'C': 2, 'D': 2}
    """
    total = sum(shares.values())
    exact = {label: planned * share / total if total else 0.0 for label, share in shares.items()}
    found = {label: math.floor(value + 1e-9) for label, value in exact.items()}
    missing = (planned if total else 0) - sum(found.values())
    order = sorted(exact, key=lambda label: found[label] - exact[label])
    for label in order[:missing]:
        found[label] += 1
    return found


def balance(counts: Mapping[str, int], shares: Mapping[str, float], planned: int) -> list[Share]:
    """The writable labels with their counts and targets, in the order of ``shares``."""
    wanted = targets(shares, planned)
    return [
        Share(label, counts.get(label, 0), share, wanted[label]) for label, share in shares.items()
    ]


def suggestion(found: Sequence[Share], seed: int, step: int) -> str | None:
    """The label with the largest deficit; ties by an order that the seed and the step decide.

    ``step`` is how many samples there are already, so that the same label does not win each tie.
    None where no label is wanted at all.
    """
    open_ = [share for share in found if share.target_share > 0]
    if not open_:
        return None
    most = max(share.deficit for share in open_)
    tied = [share.label for share in open_ if share.deficit == most]

    def draw(label: str) -> bytes:
        return hashlib.blake2b(f"{seed}\0{step}\0{label}".encode(), digest_size=8).digest()

    return min(tied, key=draw)
