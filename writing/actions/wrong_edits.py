"""What is said of an edit that cannot be."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.errors import Problem
from writing.edits import CROSSES, OUTSIDE, SAME, BadEdit


def problem(error: BadEdit) -> Problem:
    """The refusal at the edit's place."""
    outside = ngettext(
        "This lies outside the answer of %d character.",
        "This lies outside the answer of %d characters.",
        error.length,
    )
    said = {
        OUTSIDE: outside % error.length,
        CROSSES: _("This crosses the change before it."),
        SAME: _("This changes nothing."),
    }
    return Problem(f"edits[{error.index}]", said[error.code])
