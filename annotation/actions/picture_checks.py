"""Bytes from outside become a picture that is decoded, upright and without metadata."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass

from django.utils.translation import gettext as _
from PIL import Image as Pillow
from PIL import ImageOps, UnidentifiedImageError

from annotation.actions.picture_sources import FIELD
from annotation.formats import Fault

EXTENSIONS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp", "GIF": "gif"}
MPO = "MPO"  # a JPEG with a second view behind it, as some phones write
UPRIGHT = 1
ORIENTATION = 0x0112
BROKEN = (OSError, SyntaxError, ValueError, Pillow.DecompressionBombError)


@dataclass(frozen=True, slots=True)
class Picture:
    """A checked picture: ``content`` is what is stored, ``sha256`` is of the file as given."""

    sha256: str
    extension: str
    width: int
    height: int
    content: bytes


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def checked(content: bytes, pixels: int) -> Picture:
    """The picture in ``content``; `Fault` where it is none, broken, or of too many pixels.

    The size is read from the header before anything is decoded.
    """
    try:
        image = Pillow.open(io.BytesIO(content), formats=tuple(EXTENSIONS))
    except Pillow.DecompressionBombError:
        raise Fault(FIELD, _("has more than %d pixels") % pixels) from None
    except UnidentifiedImageError:
        raise Fault(FIELD, _("is no JPEG, PNG, WebP or GIF picture")) from None
    except BROKEN:
        raise Fault(FIELD, _("is a broken picture")) from None
    with image:
        width, height = image.size
        if width * height > pixels:
            raise Fault(
                FIELD,
                _("has %(width)d x %(height)d pixels: at most %(limit)d in all are taken")
                % {"width": width, "height": height, "limit": pixels},
            )
        kind = image.format or ""
        if kind != MPO and getattr(image, "is_animated", False):
            raise Fault(FIELD, _("is an animation: give one still picture"))
        try:
            image.load()
            clean, size = _stripped(image, kind)
        except BROKEN:
            raise Fault(FIELD, _("is a truncated or broken picture")) from None
    return Picture(digest(content), EXTENSIONS.get(kind, "jpg"), *size, clean)


def _stripped(image: Pillow.Image, kind: str) -> tuple[bytes, tuple[int, int]]:
    """The picture encoded anew, upright; of its metadata only the colour profile is kept."""
    turned = image.getexif().get(ORIENTATION, UPRIGHT) != UPRIGHT
    options: dict[str, object] = {} if kind in ("PNG", "GIF") else {"quality": 95}
    if turned:
        image = ImageOps.exif_transpose(image)
    elif kind == "JPEG":
        options = {"quality": "keep"}
    profile = image.info.get("icc_profile")
    image.info = {key: image.info[key] for key in ("transparency",) if key in image.info}
    buffer = io.BytesIO()
    if profile and kind != "GIF":
        options["icc_profile"] = profile
    # Without exif= none is written.
    image.save(buffer, format="JPEG" if kind == MPO else kind, **options)
    return buffer.getvalue(), image.size
