"""Things that stand in several pictures; each is placed by the middle of its foot."""

from __future__ import annotations

import math

from annotation.demo.canvas import Canvas

CREAM, INK, WOOD = "#fffaf0", "#33363b", "#8a6242"


def cloud(c: Canvas, x: float, y: float, size: float = 1, fill: str = "#ffffff") -> None:
    for dx, dy, r in ((-46, 4, 26), (-12, -12, 36), (30, -4, 30), (56, 8, 20)):
        c.disc(x + dx * size, y + dy * size, r * size, fill)
    c.box(x - 68 * size, y + 4 * size, 142 * size, 26 * size, fill, 13 * size)


def sheep(c: Canvas, x: float, y: float, wool: str, face: str) -> None:
    """A sheep that looks to the right."""
    for dx in (-30, -14, 16, 32):
        c.line([(x + dx, y - 30), (x + dx, y)], 8, face)
    for i in range(10):
        angle = math.tau * i / 10
        c.disc(x + 42 * math.cos(angle), y - 52 + 24 * math.sin(angle), 19, wool)
    c.oval(x, y - 52, 44, 28, wool)
    c.oval(x + 44, y - 78, 12, 6, face)
    c.oval(x + 62, y - 66, 18, 22, face)
    c.disc(x + 52, y - 88, 13, wool)
    c.disc(x + 68, y - 70, 3.5, "#ffffff")
    c.disc(x + 69, y - 70, 2, "#1b1f24")


def round_tree(c: Canvas, x: float, y: float, size: float, leaf: str) -> None:
    c.box(x - 9 * size, y - 90 * size, 18 * size, 90 * size, WOOD, 4)
    for dx, dy, r in ((-34, -110, 42), (34, -110, 42), (0, -150, 52), (0, -104, 40)):
        c.disc(x + dx * size, y + dy * size, r * size, leaf)


def pine(c: Canvas, x: float, y: float, size: float, leaf: str) -> None:
    c.box(x - 9 * size, y - 34 * size, 18 * size, 34 * size, WOOD)
    for i, half in enumerate((64, 52, 38)):
        foot = y - (30 + i * 52) * size
        points = [(x - half * size, foot), (x + half * size, foot), (x, foot - 92 * size)]
        c.shape(points, leaf)


def person(c: Canvas, x: float, y: float, coat: str, skin: str, hair: str) -> None:
    c.box(x - 20, y - 52, 16, 52, "#40485c", 5)
    c.box(x + 4, y - 52, 16, 52, "#40485c", 5)
    c.box(x - 30, y - 138, 60, 98, coat, 22)
    c.disc(x, y - 166, 27, hair)
    c.oval(x, y - 159, 21, 23, skin)
    for dx in (-8, 8):
        c.disc(x + dx, y - 160, 2.5, INK)


def sign(
    c: Canvas, x: float, y: float, lines: list[str], size: float, ground: str, ink: str
) -> None:
    """A board with one line of words under the other; ``y`` is its middle."""
    width = max(len(line) for line in lines) * size * 0.66 + 40
    height = len(lines) * size * 1.3 + 24
    c.box(x - width / 2 - 5, y - height / 2 - 5, width + 10, height + 10, ink, 13)
    c.box(x - width / 2, y - height / 2, width, height, ground, 9)
    for i, line in enumerate(lines):
        c.text(x, y + (i - (len(lines) - 1) / 2) * size * 1.3, line, size, ink)


def balloon(c: Canvas, x: float, y: float, fill: str, hand: tuple[float, float]) -> None:
    """A balloon around ``(x, y)`` whose string leads to ``hand``."""
    c.line([(x, y + 46), hand], 1.6, "#6d6f76")
    c.shape([(x - 8, y + 54), (x + 8, y + 54), (x, y + 42)], fill)
    c.oval(x, y, 37, 46, fill)
    c.oval(x - 13, y - 17, 7, 11, "#ffffff")


def boat(c: Canvas, x: float, y: float, size: float, hull: str, sail: str) -> None:
    """A sailing boat; ``y`` is the water's line."""
    mast = 168 * size
    c.line([(x, y - 20 * size), (x, y - mast)], 5 * size, WOOD)
    c.shape(
        [(x + 8 * size, y - 34 * size), (x + 8 * size, y - mast), (x + 84 * size, y - 34 * size)],
        sail,
    )
    c.shape(
        [
            (x - 8 * size, y - 34 * size),
            (x - 8 * size, y - mast * 0.86),
            (x - 58 * size, y - 34 * size),
        ],
        CREAM,
    )
    left, right = x - 86 * size, x + 92 * size
    c.shape(
        [
            (left, y - 26 * size),
            (right, y - 26 * size),
            (x + 62 * size, y + 14 * size),
            (x - 60 * size, y + 14 * size),
        ],
        hull,
    )


def fish(c: Canvas, x: float, y: float, size: float, fill: str, fin: str) -> None:
    """A fish around ``(x, y)`` that swims to the left; to the right with a negative size."""
    c.shape(
        [
            (x + 34 * size, y),
            (x + 72 * size, y - 28 * abs(size)),
            (x + 72 * size, y + 28 * abs(size)),
        ],
        fin,
    )
    c.shape(
        [
            (x - 8 * size, y - 22 * abs(size)),
            (x + 26 * size, y - 44 * abs(size)),
            (x + 24 * size, y - 14 * abs(size)),
        ],
        fin,
    )
    c.oval(x, y, 48 * abs(size), 28 * abs(size), fill)
    c.disc(x - 26 * size, y - 6 * abs(size), 7 * abs(size), "#ffffff")
    c.disc(x - 27 * size, y - 6 * abs(size), 3.5 * abs(size), INK)
    c.oval(x + 6 * size, y + 4 * abs(size), 12 * abs(size), 7 * abs(size), fin)


def wheel(c: Canvas, x: float, y: float, r: float) -> None:
    c.disc(x, y, r, INK)
    c.disc(x, y, r * 0.5, "#c9ced6")
    c.disc(x, y, r * 0.16, INK)
