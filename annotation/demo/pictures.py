"""The demo's pictures: things to count, signs to read, things left of, above and beside others.

What `annotation/demo/items.jsonl` says of them depends on every number and colour here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from annotation.demo import streets, views
from annotation.demo.canvas import Canvas

PICTURES: dict[str, Callable[[], Canvas]] = {
    "meadow.png": views.meadow,
    "harbour.png": views.harbour,
    "balloons.png": views.balloons,
    "snow.png": views.snow,
    "aquarium.png": views.aquarium,
    "park.png": views.park,
    "market.png": streets.market,
    "bus.png": streets.bus,
    "bakery.png": streets.bakery,
    "station.png": streets.station,
    "table.png": streets.table,
    "shelf.png": streets.shelf,
}


@cache
def _png(name: str) -> bytes:
    return PICTURES[name]().png()


class Drawn:
    """The pictures as an import takes them: each is drawn when it is asked for first."""

    def read(self, name: str, limit: int) -> bytes | None:
        return _png(name) if name in PICTURES else None

    def near(self, name: str) -> None:
        return None

    def close(self) -> None:
        """Nothing is open."""
