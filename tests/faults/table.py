"""One line for each fault: what was acknowledged, what was not at first, and what became of it."""

from __future__ import annotations

from dataclasses import astuple, dataclass

HEAD = (
    "fault", "people", "saves acknowledged", "not at first", "sent again", "lost", "twice", "half",
    "s without an answer",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    fault: str
    people: int
    acknowledged: int
    unacknowledged: int
    again: int
    lost: int
    twice: int
    half: int
    silence: float


def render(found: list[Row]) -> str:
    """A table in Markdown."""
    lines = [HEAD, *((*astuple(row)[:-1], f"{row.silence:.1f}") for row in found)]
    cells = [[str(cell) for cell in line] for line in lines]
    widths = [max(len(line[at]) for line in cells) for at in range(len(HEAD))]
    ruler = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    text = [
        " | ".join(
            cell.ljust(width) if not at else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in (cells[0], ruler, *cells[1:])
    ]
    return "".join(f"| {line} |\n" for line in text)
