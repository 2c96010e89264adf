"""The sentences that the writing page's scripts say; ``{name}`` is filled in by them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotation.views import label_words


def shortcuts() -> list[tuple[str, str]]:
    """``(keys, what they do)``."""
    return [
        ("F1", _("Guidelines and labels, also while you write")),
        (_("Shift + arrows"), _("Select in the text below the answer; with Ctrl by words")),
        (_("Enter"), _("Mark what is selected, or change the mark at the caret")),
        (_("Ctrl + Enter"), _("Send")),
        ("+ - 0", _("Picture larger, smaller, whole")),
        ("?", _("These keys")),
        (_("Esc"), _("Close, let go")),
    ]


def words() -> dict[str, str]:
    return _balance() | _marking() | _changing() | _saving()


def _balance() -> dict[str, str]:
    return {
        "label_count": _("{label}: {count}"),
        "suggestion": _("Needed most: {label} ({count} of {target})"),
        "no_suggestion": _("No label is needed more than another."),
        "full_warn": _("There are enough of {label} already ({count} of {target})."),
        "full_require": _(
            "There are enough of {label} already ({count} of {target}): it may be refused."
        ),
        "must": _("{advice} Mend this before you send."),
        "pasted": _("{share} % of the characters were pasted."),
        "no_label": _("No kind of error chosen yet"),
    }


def _marking() -> dict[str, str]:
    return {
        "start": _("Start"),
        "end": _("End"),
        "start_back": _("Start one character earlier"),
        "start_on": _("Start one character later"),
        "end_back": _("End one character earlier"),
        "end_on": _("End one character later"),
        "delete": _("Delete"),
        "title_error": _("Where is the error?"),
        "how_write": _("Write the answer first. Then select the wrong words here."),
        "how_mark": _("Select the wrong words, and no others."),
        "how_frozen": "",
        "mark_it": _("This is the error"),
        "error_is": _("“{quote}”"),
        "change_mark": _("Marked: “{quote}”"),
        "mark_is": _("Mark {number}: {quote}"),
        "delete_mark": _("Delete mark {number}: {quote}"),
        "selected": _("Selected: {quote}"),
        "marked": _("Marked as the error: {quote}"),
        "edge_moved": _("The mark is now: {quote}"),
        "edge_ends": _("The edge cannot go further."),
        "deleted": _("Number {number} deleted"),
        "mended": label_words.words()["mended"],
        "only_space": _("There are only blanks here: select at least one visible character."),
        "overlaps": _("This overlaps number {number}: move its edge or choose another place."),
        "choose_words": _("Select words in the text first."),
        "lost_marks": _("You changed words that were marked: {quotes}. Mark the error again."),
    }


def _changing() -> dict[str, str]:
    return {
        "title_changes": _("Make it wrong"),
        "how_correct": _("Write a correct answer first. Then you change it."),
        "how_change": _(
            "Select the words that shall be wrong, and type what stands there instead."
        ),
        "instead_of": _("Instead of “{quote}”"),
        "put_in_here": _("Put in here"),
        "replace": _("Replace"),
        "put_in": _("Put in"),
        "replaced": _("{quote} was replaced by: {words}"),
        "no_change": _("This changes nothing: type other words."),
        "nothing": _("(left out)"),
        "change_row": _("Change {number}: {quote} became {words}"),
        "delete_change": _("Take back change {number}: {quote}"),
        "change_something": _("Change at least one word of the correct answer."),
        "lost_changes": _(
            "You edited words of the correct answer that were changed: {quotes}. Make that "
            "change again."
        ),
    }


def _saving() -> dict[str, str]:
    return {
        "state_": "",
        "state_saving": _("Saving …"),
        "state_saved": _("Saved"),
        "state_offline": _("Offline: kept here until the line is back"),
        "state_busy": _("The site does not answer: kept here, sent again soon"),
        "state_login": _("Not saved: please log in"),
        "state_stranger": _("Not saved"),
        "state_forbidden": _("Not saved"),
        "state_unsaved": _("Not saved"),
        "login": _("You have been logged out. Your text is kept here and saved once you"),
        "login_link": _("log in again"),
        "stranger": _(
            "Somebody else is logged in here now. Your text is kept in this browser until you "
            "log in again and come back to this page."
        ),
        "forbidden": _(
            "You may not save here any more: the sample was deleted, or your role in the project "
            "has changed. Your text is kept in this browser. Please talk to your coordinator."
        ),
        "refused": _("This could not be saved."),
        "sent": _("Sent"),
        "not_deleted": _("This could not be deleted. Please try again."),
    }
