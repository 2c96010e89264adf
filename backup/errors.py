"""Why a backup, a check or a restore does not go on."""

from __future__ import annotations


class Refused(Exception):
    """The archive, the key or the site is not as it must be; the text is for the operator."""


class Damaged(Refused):
    """The archive is not what was written."""
