"""Pictures of streets, shops and rooms."""

from __future__ import annotations

import math

from annotation.demo import things
from annotation.demo.canvas import Canvas
from annotation.demo.things import CREAM, INK, WOOD


def _awning(c: Canvas, x: float, y: float, stripes: int, width: float, colour: str) -> None:
    for i in range(stripes):
        fill = colour if i % 2 == 0 else CREAM
        c.box(x + i * width, y, width, 70, fill)
        c.curve(x + (i + 0.5) * width, y + 69, width / 2, 0, 180, fill)


def market() -> Canvas:
    """Six red apples left, four green pears in the middle, three oranges right; "PEARS 2.40"."""
    c = Canvas("#f6ecd9", "#efe3cc")
    c.box(0, 560, 900, 90, "#cdbb9d")
    for x in (90, 796):
        c.box(x, 130, 14, 450, WOOD)
    _awning(c, 60, 80, 13, 60, "#3f8f7a")
    c.box(80, 430, 740, 150, "#a97a4f", 6)
    c.box(80, 430, 740, 22, "#c08d5c", 6)
    for i in range(3):
        c.box(104 + i * 236, 372, 220, 62, "#d9b27c", 6)
    for x, y in ((140, 366), (190, 366), (240, 366), (288, 366), (190, 322), (240, 322)):
        c.disc(x, y, 25, "#c8403a")
        c.line([(x, y - 24), (x + 5, y - 34)], 3.5, WOOD)
        c.oval(x - 9, y - 9, 4, 6, "#e78a80")
    for x in (376, 426, 476, 526):
        c.disc(x, 366, 25, "#a9c24e")
        c.oval(x, 338, 15, 21, "#a9c24e")
        c.line([(x, 318), (x + 4, 306)], 3.5, WOOD)
    for x, y in ((636, 364), (692, 364), (748, 364)):
        c.disc(x, y, 28, "#ee9a34")
        c.disc(x + 2, y - 22, 4, "#7a9a45")
    things.sign(c, 450, 508, ["PEARS 2.40"], 40, CREAM, "#2f5d50")
    return c


def bus() -> Canvas:
    """A red bus "27 HARBOUR", a sign "STOP" at its right and two people under it."""
    c = Canvas("#d5e6f0", "#eef2ee")
    for x, y, w, fill in (
        (0, 190, 150, "#b9c7d3"),
        (150, 120, 130, "#c8d3dc"),
        (280, 210, 190, "#b4c3cf"),
        (470, 150, 120, "#c8d3dc"),
        (590, 230, 180, "#b9c7d3"),
        (770, 140, 130, "#c4d0da"),
    ):
        c.box(x, y, w, 340, fill)
        for i in range(int(w) // 44):
            for j in range(3):
                c.box(x + 16 + i * 42, y + 24 + j * 50, 20, 28, "#e3ebf1", 3)
    c.box(0, 520, 900, 130, "#8d949c")
    c.box(0, 506, 900, 22, "#d9dce0")
    for x in range(40, 900, 170):
        c.box(x, 598, 90, 9, "#f2f2ee", 4)
    c.box(60, 250, 520, 300, "#c93f38", 26)
    c.box(60, 440, 520, 18, "#f3e4c8")
    for x in (86, 186, 286, 386):
        c.box(x, 334, 86, 88, "#cfe6ef", 10)
    c.box(490, 334, 70, 190, "#cfe6ef", 10)
    c.box(523, 334, 5, 190, "#c93f38")
    c.box(150, 268, 300, 50, INK, 8)
    c.text(300, 293, "27 HARBOUR", 36, "#ffd768")
    for x in (170, 450):
        things.wheel(c, x, 552, 42)
    c.box(736, 250, 12, 300, "#5d6670")
    c.disc(742, 226, 66, "#2c5c8f")
    c.disc(742, 226, 56, CREAM)
    c.text(742, 227, "STOP", 38, "#2c5c8f")
    things.person(c, 676, 566, "#e0b23f", "#d9a77c", "#2f2624")
    things.person(c, 812, 566, "#7a5aa0", "#f2d2b3", "#a8622f")
    return c


def bakery() -> Canvas:
    """A shop "BAKERY", four loaves above three cakes, "OPEN 7-18" on a blue door."""
    c = Canvas("#ead9c6", "#e3cfb8")
    c.box(0, 590, 900, 60, "#b9aa98")
    c.box(60, 70, 780, 530, "#f5ead9", 8)
    c.box(60, 70, 780, 86, "#7a4a34", 8)
    c.text(450, 114, "BAKERY", 56, "#ffe3b0")
    _awning(c, 90, 170, 8, 60, "#c9584b")
    c.box(90, 240, 480, 300, "#bcd9e2", 6)
    _awning(c, 90, 170, 8, 60, "#c9584b")
    for y in (394, 520):
        c.box(90, y, 480, 14, WOOD)
    for x in (152, 268, 384, 500):
        c.oval(x, 364, 48, 32, "#c98a45")
        for dx in (-18, 0, 18):
            c.line([(x + dx - 5, 374), (x + dx + 6, 350)], 4, "#e8bd7d")
    for x, icing in ((170, "#f2a9b8"), (330, "#fff3d9"), (490, "#f2a9b8")):
        c.box(x - 44, 468, 88, 52, "#8f5a3a", 6)
        c.box(x - 48, 456, 96, 24, icing, 10)
        c.disc(x, 450, 9, "#c8303a")
    c.box(630, 240, 160, 356, "#2f6a8f", 8)
    c.box(654, 266, 112, 130, "#cfe6ef", 6)
    c.disc(768, 440, 9, "#ffd768")
    things.sign(c, 710, 330, ["OPEN", "7-18"], 25, CREAM, "#7a4a34")
    c.box(588, 540, 34, 54, "#b9654a", 4)
    c.disc(605, 512, 34, "#4f9560")
    return c


def _clock(c: Canvas, x: float, y: float, r: float, hour: float, minute: float) -> None:
    c.disc(x, y, r, INK)
    c.disc(x, y, r - 8, CREAM)
    for i in range(12):
        angle = math.tau * i / 12
        c.disc(x + (r - 18) * math.sin(angle), y - (r - 18) * math.cos(angle), 3, INK)
    for share, length, width in ((hour / 12, r * 0.45, 7), (minute / 60, r * 0.68, 5)):
        angle = math.tau * share
        tip = (x + length * math.sin(angle), y - length * math.cos(angle))
        c.line([(x, y), tip], width, INK)


def station() -> Canvas:
    """A green train, a clock at four o'clock above it, "PLATFORM 6", one yellow suitcase."""
    c = Canvas("#e8e2d6", "#d9d3c6")
    c.shape([(0, 0), (900, 0), (900, 70), (450, 130), (0, 70)], "#6d7680")
    for x in (60, 824):
        c.box(x, 70, 18, 430, "#8a929a")
    c.line([(250, 100), (250, 150)], 6, "#5d6670")
    _clock(c, 250, 208, 64, 4, 0)
    things.sign(c, 600, 190, ["PLATFORM 6"], 42, "#2c5c8f", "#ffffff")
    c.box(120, 300, 800, 220, "#3f7f5c", 30)
    c.box(120, 430, 800, 16, "#f0d9a0")
    for x in (170, 310, 580, 720):
        c.box(x, 330, 110, 80, "#d6eaf0", 10)
    c.box(450, 326, 96, 190, "#336a4c", 8)
    c.box(462, 340, 72, 80, "#d6eaf0", 8)
    for x in (210, 350, 640, 780):
        things.wheel(c, x, 524, 26)
    c.box(0, 540, 900, 110, "#b6aea2")
    c.box(0, 540, 900, 12, "#f0c04a")
    c.line([(190, 556), (190, 536), (226, 536), (226, 556)], 6, INK)
    c.box(160, 554, 96, 70, "#e0b23f", 8)
    for x in (182, 226):
        c.box(x, 554, 8, 70, "#a97f24")
    return c


def table() -> Canvas:
    """A blue cup left of a green bottle, three lemons right of it, a white lamp above the table."""
    c = Canvas("#f3e7dc", "#eaddd0")
    c.line([(450, 0), (450, 90)], 4, INK)
    c.shape([(380, 180), (520, 180), (484, 90), (416, 90)], "#ffffff")
    c.oval(450, 180, 70, 13, "#ffe9ae")
    c.box(70, 160, 190, 150, WOOD, 4)
    c.box(82, 172, 166, 126, "#cfe3ea")
    c.shape([(82, 298), (146, 218), (190, 262), (214, 238), (248, 298)], "#6f9a86")
    c.disc(212, 204, 14, "#f2c75c")
    c.box(60, 470, 780, 36, "#b98556", 8)
    for x in (110, 752):
        c.box(x, 500, 38, 150, "#9a6b43")
    c.ring(312, 425, 27, 9, "#2f6fae")
    c.box(200, 384, 104, 88, "#3a7cc0", 16)
    c.oval(252, 386, 52, 11, "#24527f")
    c.box(420, 306, 84, 166, "#3f8f62", 22)
    c.box(446, 240, 32, 90, "#3f8f62", 8)
    c.box(442, 226, 40, 22, WOOD, 5)
    c.box(420, 372, 84, 56, CREAM)
    for x in (600, 674, 748):
        c.oval(x, 446, 35, 27, "#f2cf45")
        c.disc(x + 34, 446, 7, "#f2cf45")
        c.oval(x - 10, 436, 9, 5, "#f9e794")
    return c


def _cat(c: Canvas, x: float, y: float, fur: str) -> None:
    """A cat that sits; ``(x, y)`` is the middle of its foot."""
    c.line([(x + 34, y - 12), (x + 74, y - 16), (x + 82, y - 52)], 12, fur)
    c.oval(x, y - 46, 42, 48, fur)
    for side in (-1, 1):
        c.shape([(x + side * 34, y - 150), (x + side * 36, y - 104), (x + side * 4, y - 126)], fur)
    c.oval(x, y - 106, 38, 33, fur)
    for dx in (-14, 14):
        c.oval(x + dx, y - 110, 6, 8, "#f4f0c8")
        c.oval(x + dx, y - 110, 2.5, 7, INK)
    c.shape([(x - 5, y - 98), (x + 5, y - 98), (x, y - 92)], "#e39a92")


def shelf() -> Canvas:
    """A grey cat on a shelf, eight books under it, the red one lettered "ATLAS"; a plant right."""
    c = Canvas("#dfe6e2", "#d3dcd6")
    c.box(0, 590, 900, 60, "#b99b78")
    c.box(110, 240, 680, 360, "#8f6a48", 6)
    c.box(130, 262, 640, 150, "#6f5138")
    c.box(130, 432, 640, 148, "#6f5138")
    _cat(c, 320, 244, "#8b9099")
    c.box(628, 190, 84, 54, "#c9704f", 6)
    for dx, dy, r in ((-30, -70, 24), (0, -92, 28), (30, -70, 24), (0, -60, 26)):
        c.disc(670 + dx, 240 + dy, r, "#4f9560")
    books = [
        ("#2f6f8f", 132),
        ("#d9a441", 118),
        ("#c23f38", 140),
        ("#5a4a86", 112),
        ("#3f8f62", 128),
        ("#e8ddc6", 120),
        ("#2c4a63", 136),
        ("#c9704f", 110),
    ]
    for i, (colour, height) in enumerate(books):
        left = 160 + i * 64
        c.box(left, 412 - height, 54, height, colour, 5)
        c.box(left, 412 - height + 16, 54, 6, "#ffffff" if colour != "#e8ddc6" else "#8f6a48")
    c.text(315, 350, "ATLAS", 16, "#ffffff")
    c.box(200, 500, 150, 80, "#cfae7c", 8)
    c.box(252, 526, 46, 14, "#6f5138", 7)
    c.disc(560, 524, 54, "#3a7cc0")
    for x, y, r in ((540, 510, 18), (582, 530, 20), (556, 552, 12)):
        c.disc(x, y, r, "#7fb56b")
    c.box(552, 572, 16, 8, INK)
    return c
