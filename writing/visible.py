"""Whether a text shows anything: the rule of `annotation.visible`, which labels keep too."""

from __future__ import annotations

from annotation.visible import is_blank

__all__ = ["is_blank"]
