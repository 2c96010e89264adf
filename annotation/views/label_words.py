"""The sentences that the labelling page's scripts say; ``{name}`` is filled in by them."""

from __future__ import annotations

from django.utils.translation import gettext as _


def words() -> dict[str, str]:
    return _spans() | _saving() | _places()


def _spans() -> dict[str, str]:
    return {
        "start": _("Start"),
        "end": _("End"),
        "start_back": _("Start one character earlier"),
        "start_on": _("Start one character later"),
        "end_back": _("End one character earlier"),
        "end_on": _("End one character later"),
        "delete": _("Delete"),
        "delete_span": _("Delete span {number}"),
        "label_of": _("Label of span {number}"),
        "span_is": _("Span {number}, {label}: {quote}"),
        "choose_label": _("Choose a label"),
        "change_span": _("Change this span"),
        "choose_words": _("Select words in the answer first, then choose a label."),
        "selected": _("Selected: {quote}"),
        "marked": _("Marked as {label}: {quote}"),
        "relabelled": _("Span {number} is {label} now"),
        "edge_moved": _("The span is now: {quote}"),
        "edge_ends": _("The edge cannot go further."),
        "deleted": _("Span {number} deleted"),
        "undone": _("Undone"),
        "redone": _("Done again"),
        "nothing_left": _("There is nothing more to undo or redo."),
        "only_space": _("There are only blanks here: select at least one visible character."),
        "closed": _("This answer takes no change here: go on to the next item."),
        "coming": _("The next item is coming; the line is slow."),
        "mended": _(
            "Your browser or an extension changed this text, perhaps to translate it. It is shown "
            "as it came again: turn that off for this page."
        ),
        "overlaps": _("This overlaps span {number}: move its edge or choose another place."),
        "no_spans": _("Nothing is marked yet."),
        "no_active": _("Choose a span first: click it, or press . or , to go through them."),
        "none": _("No hallucination"),
        "none_on": _("No hallucination: chosen"),
        "none_off": _("No hallucination: not chosen any more"),
        "none_with_spans": _("There are marked spans: delete them first."),
        "comment_for": _("Needed: say why you chose {label}."),
        "comment_free": _("If there is something to say."),
        "comment_needed": _("{label} needs a comment that says why."),
    }


def _saving() -> dict[str, str]:
    return {
        "state_": "",
        "state_saving": _("Saving …"),
        "state_saved": _("Saved"),
        "state_correction": _("Saved, not yet submitted"),
        "state_offline": _("Offline: kept here until the line is back"),
        "state_busy": _("The site does not answer: kept here, sent again soon"),
        "state_login": _("Not saved: please log in"),
        "state_stranger": _("Not saved"),
        "state_forbidden": _("Not saved"),
        "state_unsaved": _("Not saved"),
        "login": _("You have been logged out. Your answer is kept here and saved once you"),
        "login_link": _("log in again"),
        "stranger": _(
            "Somebody else is logged in here now. Your answer is kept in this browser until you "
            "log in again and come back to this page."
        ),
        "unsent": _("Not sent, needs a look:"),
        "forbidden": _(
            "You may not save here any more: your role in the project has changed, or the item was "
            "taken away. What you marked is kept in this browser. Please talk to your coordinator."
        ),
        "refused": _("This could not be saved."),
        "late": _(
            "This item is not yours any more: it went to somebody else, or a coordinator opened it "
            "again. What you marked has been kept for your coordinator."
        ),
    }


def _places() -> dict[str, str]:
    return {
        "submit": _("Submit"),
        "submit_again": _("Submit the correction"),
        "go_on": _("Next item"),
        "submitted": _("Submitted"),
        "nothing_marked": _("Mark at least one span, or choose “No hallucination”."),
        "place_submitted": _("You submitted this answer. You can still correct it."),
        "place_reported": _("You reported this item: your coordinator decides about it."),
        "place_lost": _(
            "This item is not yours any more. Your answer is kept for the coordinator."
        ),
        "progress": _("{done} done, {left} to go"),
        "done_none": _(
            "Items come when your coordinator adds them: load this page again then, or ask them."
        ),
        "done_one": _("You have submitted 1 answer in this project."),
        "done_many": _("You have submitted {done} answers in this project."),
        "place_resting": _(
            "Your coordinator looks at this item or has taken it out: you need not go on with it. "
            "What you marked is kept."
        ),
        "done_all": _("Thank you: everything here is done"),
        "done_nothing": _("Nothing waits for you here yet"),
        "done_for_now": _("Thank you: nothing waits for you here now"),
        "resting_one": _(
            "1 item that you began is with your coordinator, or was taken out. What you marked "
            "there is kept; if the item comes back, you get it again."
        ),
        "resting_many": _(
            "{count} items that you began are with your coordinator, or were taken out. What you "
            "marked there is kept; if an item comes back, you get it again."
        ),
        "no_next": _("The next item did not come. Please try again in a moment."),
        "no_more": _("You get no more items here. Please talk to your coordinator."),
        "no_line": _("The site cannot be reached. Check your connection and try again."),
        "report_why": _("Say in a few words what is wrong."),
        "report_failed": _("The report did not arrive. Please try again."),
    }
