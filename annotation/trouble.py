"""Faults of the machine that pass: database or store of pictures away, the disk full."""

from __future__ import annotations

import errno
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

RETRY_AFTER = 5  # seconds
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class StoreAway(OSError):
    """The store of pictures and uploads does not do what it was asked.

    Its text names the store and the mend, for whoever runs the site; pages never show it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EIO, reason)

    def __str__(self) -> str:
        return str(self.strerror)


@dataclass(frozen=True)
class Trouble:
    """What the answer says: its status, a sentence, and when to ask again."""

    status: int
    message: str
    retry_after: int | None


def disk_is_full(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno in FULL


def trouble_of(error: BaseException | None) -> Trouble | None:
    """The passing fault behind an exception; None where the program itself is at fault.

    Whether the write arrived is not always known (the line to the database may break while it
    commits), so the caller sends the same again: a repeat of what is stored is no conflict.
    """
    if isinstance(error, OperationalError | InterfaceError):
        message = _("The site's database does not answer for the moment. Please try again.")
        return Trouble(503, message, RETRY_AFTER)
    if isinstance(error, StoreAway):
        message = _(
            "The site's store of pictures does not answer for the moment. Please try again."
        )
        return Trouble(503, message, RETRY_AFTER)
    if disk_is_full(error):
        message = _("The site's disk is full: nothing was kept. Please tell your coordinator.")
        return Trouble(507, message, None)
    return None
