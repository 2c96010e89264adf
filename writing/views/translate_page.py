"""What the post-editing page carries for its scripts: settings, sentences, the source's marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import User
from annotation.records import SpanRecord
from annotation.segments import segments
from annotation.views import label_words
from writing.models import Sample
from writing.selectors.desk import sample_json
from writing.views.desk import material_of

_OF_THE_LABELLING_PAGE = (
    "api caret clock dialogs dom labelbox offsets paint selection spans store sync viewer whole"
).split()
_OWN = "main changes desk diff editor keys saving".split()
MODULES = [
    *(f"js/label/{name}.js" for name in _OF_THE_LABELLING_PAGE),
    "js/shared/advice.js",
    "js/shared/typing.js",
    *(f"js/writing-translate/{name}.js" for name in _OWN),
]
STYLES = 5


def source_parts(root: Sample, labels: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The source in pieces: ``{"text", "style", "begins"}``, a style where the error is."""
    code = root.label.code if root.label else ""
    at = next((n for n, label in enumerate(labels) if label["code"] == code), 0)
    spans = [SpanRecord(span["start"], span["end"], code) for span in root.spans]
    return [
        {
            "text": part.text,
            "style": f"error-{at % STYLES + 1}" if part.labels else "",
            "begins": bool(part.begins),
        }
        for part in segments(root.text, spans)
    ]


def settings_of(sample: Sample, user: User, labels: Sequence[dict[str, Any]]) -> dict[str, Any]:
    slug = sample.project.slug
    back = reverse("translations", args=[slug])
    return {
        "person": user.pk,
        "sample": sample_json(sample),
        "machine": sample.machine,
        "brief": material_of(sample.brief),
        "labels": list(labels),
        "idle_seconds": sample.project.idle_seconds,
        "urls": {
            # the page itself: asked whose session it is after a login in another tab
            "label": reverse("translate", args=[slug, sample.pk]),
            "assignment": reverse("api_sample", args=[0]),
            "list": back,
            "login": reverse("account_login") + f"?next={back}%3Fback=1",
        },
    }


def shortcuts() -> list[tuple[str, str]]:
    """``(keys, what they do)``"""
    return [
        (_("Shift + arrows"), _("Select in the finished text; with Ctrl by words")),
        (_("Enter"), _("Mark the selection as the error")),
        (_("Del"), _("Delete the mark at the caret")),
        (_("Ctrl + Enter"), _("Send")),
        ("+ - 0", _("Picture larger, smaller, whole")),
        ("G", _("Guidelines")),
        ("?", _("These keys")),
        (_("Esc"), _("Close, let go")),
    ]


def words() -> dict[str, str]:
    """The sentences of the scripts; ``{name}`` is filled in by them."""
    shared = label_words.words()
    return {name: shared[name] for name in shared if name.startswith("state_")} | {
        "login": shared["login"],
        "login_link": shared["login_link"],
        "stranger": shared["stranger"],
        "forbidden": _(
            "You may not save here any more: another post-editor has taken this translation, or "
            "your role in the project has changed. Your text is kept in this browser: copy it, "
            "and talk to your coordinator."
        ),
        "refused": shared["refused"],
        "selected": shared["selected"],
        "only_space": shared["only_space"],
        "mended": shared["mended"],
        "delete": shared["delete"],
        "marked": _("Marked as the error: {quote}"),
        "unmarked": _("Not marked any more: {quote}"),
        "overlaps": _("This overlaps a place that is marked already: delete that one first."),
        "choose_words": _("Select the wrong words in the finished text first."),
        "no_mark": _("There is no mark here: go to one with the arrows, or click it."),
        "delete_mark": _("Delete the mark on {quote}"),
        "moved": _("A marked place went with the words: mark the error again."),
        "same_text": _("Nothing changed so far."),
        "differs_one": _("1 word changed."),
        "differs_many": _("{n} words changed."),
        "put_in": _("put in:"),
        "taken_out": _("taken out:"),
        "need_question": _("Translate the question too."),
        "need_text": _("Write the translation first."),
        "need_mark": _("Mark the error in the translation: select the wrong words."),
        "need_confirm": _("Confirm that the translation holds the same error and no other."),
        "need_reason": _("Say why it cannot be translated."),
        "impossible": _("Cannot be translated: {reason}"),
        "no_text": _("No text"),
        "sent": _("Sent"),
    }
