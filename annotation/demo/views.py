"""Pictures of the open air and the water."""

from __future__ import annotations

from annotation.demo import things
from annotation.demo.canvas import Canvas
from annotation.demo.things import CREAM, INK, WOOD


def meadow() -> Canvas:
    """Three white sheep and a black one, a red barn at the right, a pine at the left, one cloud."""
    c = Canvas("#a9d8ee", "#e8f4ec")
    c.disc(730, 110, 46, "#ffd768")
    things.cloud(c, 300, 120, 1.1)
    c.hills(380, 34, 1.2, 0.4, "#9ccc8b")
    c.box(640, 280, 190, 150, "#b9483c")
    c.shape([(620, 284), (735, 196), (850, 284)], "#6b3a35")
    c.box(704, 340, 62, 90, CREAM)
    c.line([(706, 342), (764, 428)], 4, "#b9483c")
    c.line([(764, 342), (706, 428)], 4, "#b9483c")
    c.disc(735, 254, 16, CREAM)
    things.pine(c, 110, 420, 1.05, "#2f7a55")
    c.hills(450, 26, 1.4, 2.6, "#7fb56b")
    for x, y in ((90, 630), (780, 620), (470, 640), (620, 600), (300, 622)):
        for dx in (-9, 0, 9):
            c.line([(x + dx / 2, y), (x + dx, y - 16)], 3, "#5f9a50")
    for x, y in ((230, 520), (420, 590), (690, 550)):
        things.sheep(c, x, y, "#fbf8f1", "#4a4246")
    things.sheep(c, 500, 480, "#3f3b42", "#26242a")
    return c


def harbour() -> Canvas:
    """A lighthouse at the left; boats with a red, a yellow and a green sail; two gulls."""
    c = Canvas("#fbe3c8", "#f7f1e3")
    c.disc(640, 250, 62, "#f6b26b")
    c.box(0, 360, 900, 290, "#4f9fb8")
    c.box(0, 360, 900, 70, "#6fb4c8")
    c.shape([(0, 650), (0, 370), (90, 352), (240, 400), (300, 470), (180, 560)], "#7a6a5c")
    c.shape([(104, 392), (186, 392), (172, 150), (118, 150)], CREAM)
    for top, bottom, inner, outer in ((190, 240, 116, 113), (290, 340, 110, 107)):
        right = 290
        c.shape(
            [(inner, top), (right - inner, top), (right - outer, bottom), (outer, bottom)],
            "#c8453b",
        )
    c.box(112, 136, 66, 16, INK, 4)
    c.box(124, 96, 42, 42, "#ffe08a", 5)
    c.shape([(114, 98), (176, 98), (145, 64)], "#c8453b")
    things.boat(c, 420, 470, 0.85, "#2c4a63", "#c8453b")
    things.boat(c, 620, 440, 0.7, "#5a3a4a", "#f0c04a")
    things.boat(c, 740, 560, 1.15, "#2c4a63", "#3f9367")
    for x, y in ((330, 560), (480, 600), (560, 520), (300, 450), (820, 440), (540, 400)):
        c.line([(x, y), (x + 44, y)], 3.5, "#a9d6e2")
    for x, y in ((330, 150), (430, 110)):
        c.line([(x - 26, y - 10), (x, y), (x + 26, y - 12)], 4, "#5d6670")
    return c


def balloons() -> Canvas:
    """A child in a green coat who holds four red and three blue balloons; a tree at the right."""
    c = Canvas("#cdeaf3", "#f4f8ef")
    things.cloud(c, 690, 110, 1)
    c.hills(500, 24, 1, 1.2, "#a8d39a")
    things.round_tree(c, 740, 540, 1.3, "#5b9f62")
    c.hills(570, 14, 1.3, 0.2, "#86bf78")
    hand = (352.0, 470.0)
    places = [
        (250, 170, 0),
        (340, 120, 1),
        (430, 160, 0),
        (300, 240, 1),
        (395, 245, 0),
        (480, 240, 1),
        (210, 262, 0),
    ]
    for x, y, kind in places:
        things.balloon(c, x, y, ("#d84f45", "#3f7fc1")[kind], hand)
    things.person(c, 310, 610, "#3f9367", "#f0c9a4", "#6b4530")
    c.line([(332, 498), (352, 470)], 13, "#3f9367")
    c.disc(352, 470, 8, "#f0c9a4")
    return c


def snow() -> Canvas:
    """A snowman with a red scarf and a black hat; two pines at its left; a board "KM 12"."""
    c = Canvas("#b9cfe4", "#eaf1f7")
    c.shape([(360, 420), (560, 180), (760, 420)], "#8fa8c2")
    c.shape([(505, 246), (560, 180), (615, 246), (585, 268), (560, 250), (535, 268)], "#ffffff")
    c.hills(420, 18, 1, 0.6, "#f4f8fb")
    things.pine(c, 120, 500, 1.35, "#2d6a57")
    things.pine(c, 275, 470, 1, "#39806a")
    c.hills(540, 16, 1.2, 2.4, "#ffffff")
    c.oval(500, 604, 130, 16, "#dbe6ef")
    for y, r in ((528, 78), (420, 58), (340, 42)):
        c.disc(500, y, r + 3, "#cfdce8")
        c.disc(500, y, r, "#ffffff")
    c.line([(444, 420), (380, 370)], 6, WOOD)
    c.line([(556, 420), (620, 374)], 6, WOOD)
    c.box(462, 368, 76, 20, "#c8453b", 10)
    c.box(518, 374, 20, 66, "#c8453b", 8)
    c.box(452, 294, 96, 13, INK, 5)
    c.box(470, 232, 60, 66, INK, 6)
    for x, y, r in ((485, 332, 5), (515, 332, 5), (500, 424, 6), (500, 452, 6), (500, 500, 6)):
        c.disc(x, y, r, INK)
    c.shape([(498, 342), (498, 354), (536, 350)], "#e98a3a")
    c.box(752, 440, 12, 130, WOOD)
    things.sign(c, 758, 420, ["KM 12"], 34, CREAM, "#2c4a63")
    for i in range(38):
        c.disc((i * 149 + 40) % 900, (i * 97 + 30) % 520, 3 + i % 3, "#ffffff")
    return c


def aquarium() -> Canvas:
    """Five orange fish and a blue one; a starfish at the right, two water plants at the left."""
    c = Canvas("#7fc6d8", "#2f7fa0")
    c.hills(560, 14, 1.4, 0.8, "#e6cf9c")
    for x, height in ((110, 300), (190, 220)):
        for i in range(0, height, 26):
            side = 12 if (i // 26) % 2 else -12
            c.oval(x + side, 580 - i, 19, 26, "#3d8f5f")
    c.oval(520, 590, 76, 34, "#8d8f98")
    c.oval(590, 600, 50, 26, "#a5a7b0")
    for x, y, size in (
        (330, 150, 0.9),
        (560, 220, 1.1),
        (400, 330, 1.0),
        (700, 130, 0.8),
        (640, 440, -0.95),
    ):
        things.fish(c, x, y, size, "#f08a3c", "#d5632a")
    things.fish(c, 330, 470, -1.15, "#2a4fa0", "#17356f")
    star = [
        (0, -52),
        (14, -16),
        (52, -14),
        (22, 10),
        (34, 48),
        (0, 26),
        (-34, 48),
        (-22, 10),
        (-52, -14),
        (-14, -16),
    ]
    c.shape([(780 + x, 570 + y) for x, y in star], "#d8506a")
    c.disc(772, 566, 4, INK)
    c.disc(788, 566, 4, INK)
    for x, y, r in (
        (250, 240, 10),
        (262, 200, 7),
        (255, 168, 5),
        (490, 110, 9),
        (498, 76, 6),
        (780, 300, 8),
        (788, 268, 5),
    ):
        c.ring(x, y, r, 2.5, "#d8f0f5")
    return c


def park() -> Canvas:
    """A tree left of a green bench, an orange bicycle right of it, a red and yellow kite above."""
    c = Canvas("#bfe2f2", "#f2f6e6")
    things.cloud(c, 740, 120, 0.9)
    c.hills(440, 16, 1, 2, "#a5cf8f")
    c.hills(510, 8, 1, 0.5, "#d9c9a3")
    c.hills(590, 8, 1, 1.2, "#94c27f")
    things.round_tree(c, 160, 520, 1.75, "#4f9560")
    c.line([(452, 190), (430, 260), (446, 330), (420, 392)], 2, "#6d6f76")
    c.shape([(452, 70), (502, 130), (452, 130)], "#d84f45")
    c.shape([(452, 70), (402, 130), (452, 130)], "#f0c04a")
    c.shape([(452, 190), (502, 130), (452, 130)], "#f0c04a")
    c.shape([(452, 190), (402, 130), (452, 130)], "#d84f45")
    for y in (400, 426, 466):
        c.box(310, y, 210, 18, "#3f8f62", 6)
    for x in (328, 488):
        c.box(x, 400, 14, 136, "#2d4a3d", 4)
    for x in (640, 790):
        c.ring(x, 508, 52, 7, INK)
        c.disc(x, 508, 6, INK)
    frame = "#e8853a"
    c.line([(640, 508), (680, 430), (762, 430), (706, 508), (640, 508)], 7, frame)
    c.line([(706, 508), (672, 412)], 7, frame)
    c.line([(790, 508), (756, 402), (780, 396)], 7, frame)
    c.box(650, 402, 44, 11, INK, 5)
    return c
