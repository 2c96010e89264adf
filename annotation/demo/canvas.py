"""A drawing surface of 900 x 650 points for flat pictures, drawn twice as large and made smooth."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 900, 650
SCALE = 2
Point = tuple[float, float]


class Canvas:
    """Coordinates are points from the upper left; colours are names such as ``#2f6f4f``."""

    def __init__(self, top: str, bottom: str) -> None:
        """A ground that goes from the colour ``top`` to the colour ``bottom``."""
        strip = Image.new("RGB", (1, 2))
        strip.putpixel((0, 0), _rgb(top))
        strip.putpixel((0, 1), _rgb(bottom))
        size = (WIDTH * SCALE, HEIGHT * SCALE)
        self.image = strip.resize(size, Image.Resampling.BILINEAR)
        self.draw = ImageDraw.Draw(self.image)

    def box(self, x: float, y: float, w: float, h: float, fill: str, round_: float = 0) -> None:
        """A rectangle by its upper left corner, with round corners of that radius."""
        place = [x * SCALE, y * SCALE, (x + w) * SCALE - 1, (y + h) * SCALE - 1]
        self.draw.rounded_rectangle(place, round_ * SCALE, fill=fill)

    def oval(self, x: float, y: float, rx: float, ry: float, fill: str) -> None:
        """An ellipse by its middle and its two radii."""
        place = [(x - rx) * SCALE, (y - ry) * SCALE, (x + rx) * SCALE, (y + ry) * SCALE]
        self.draw.ellipse(place, fill=fill)

    def disc(self, x: float, y: float, r: float, fill: str) -> None:
        self.oval(x, y, r, r, fill)

    def ring(self, x: float, y: float, r: float, width: float, fill: str) -> None:
        place = [(x - r) * SCALE, (y - r) * SCALE, (x + r) * SCALE, (y + r) * SCALE]
        self.draw.ellipse(place, outline=fill, width=round(width * SCALE))

    def shape(self, points: Sequence[Point], fill: str) -> None:
        self.draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=fill)

    def line(self, points: Sequence[Point], width: float, fill: str) -> None:
        """A line with round ends and corners."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self.draw.line(scaled, fill=fill, width=round(width * SCALE), joint="curve")
        for x, y in points:
            self.disc(x, y, width / 2, fill)

    def curve(self, x: float, y: float, r: float, start: float, end: float, fill: str) -> None:
        """Part of a circle, filled; angles in degrees, clockwise from the right."""
        place = [(x - r) * SCALE, (y - r) * SCALE, (x + r) * SCALE, (y + r) * SCALE]
        self.draw.pieslice(place, start, end, fill=fill)

    def hills(self, y: float, rise: float, waves: float, shift: float, fill: str) -> None:
        """Ground from a waving line downwards."""
        turn = math.tau * waves / WIDTH
        top = [(x, y - rise * math.sin(turn * x + shift)) for x in range(0, WIDTH + 10, 10)]
        self.shape([*top, (WIDTH, HEIGHT), (0, HEIGHT)], fill)

    def text(self, x: float, y: float, words: str, size: float, fill: str) -> None:
        """Latin words around their middle, in the font that comes with Pillow."""
        font = ImageFont.load_default(size * SCALE)
        self.draw.text((x * SCALE, y * SCALE), words, fill=fill, font=font, anchor="mm")

    def png(self) -> bytes:
        smooth = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        smooth.save(out, "PNG", optimize=True)
        return out.getvalue()


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
