"""The labelling page and its guidelines. Opening them writes nothing: the page claims by POST."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from annotation import access
from annotation.markdown import render as markdown
from annotation.models import Label, Participant, User
from annotation.requests import UserRequest
from annotation.views.label_words import words
from annotation.views.scripts import ahead

LABEL_FIELDS = ("code", "name", "description", "rule", "colour", "key", "comment_required")
MODULES = (
    "main api caret clock desk dialogs dom keys labelbox offsets paint "
    "prefetch selection spanlist spans store sync unsent viewer whole workbench"
).split()


def labels_of(person: Participant) -> list[dict[str, Any]]:
    """The labels on offer, in order."""
    rows = person.project.labels.filter(archived=False, facet=Label.Facet.LABEL)
    return list(rows.values(*LABEL_FIELDS))


def shortcuts() -> list[tuple[str, str]]:
    """``(keys, what they do)``, beside the labels' own keys."""
    return [
        (_("Shift + arrows"), _("Select in the answer; with Ctrl by words")),
        (_("Enter"), _("Labels for the selection or the span at the caret")),
        (". ,", _("Next, previous span")),
        ("U I", _("Start of the span earlier, later")),
        ("O P", _("End of the span earlier, later")),
        (_("Del"), _("Delete the span")),
        (_("Ctrl + Z"), _("Undo")),
        (_("Ctrl + Shift + Z, Ctrl + Y"), _("Do again")),
        ("N", _("No hallucination")),
        ("/", _("To the comment")),
        (_("Ctrl + Enter"), _("Submit")),
        ("+ - 0", _("Picture larger, smaller, whole")),
        ("G", _("Guidelines")),
        ("?", _("These keys")),
        (_("Esc"), _("Close, let go")),
    ]


def settings_of(person: Participant, user: User, assignment: int | None) -> dict[str, Any]:
    """What the page's scripts need to know."""
    slug = person.project.slug
    return {
        "person": user.pk,
        "assignment": assignment,
        "labels": labels_of(person),
        "overlap": person.project.overlap_allowed,
        "idle_seconds": person.project.idle_seconds,
        "urls": {
            "label": reverse("label", args=[slug]),
            "one": reverse("label_one", args=[slug, 0]),
            "claim": reverse("api_claim", args=[slug]),
            "project": reverse("api_project", args=[slug]),
            "assignment": reverse("api_assignment", args=[0]),
            "login": reverse("account_login") + f"?next={reverse('label_back', args=[slug])}",
        },
    }


def first_of(settings: dict[str, Any]) -> dict[str, str]:
    """What the page asks first, so that it can be asked before its scripts are there."""
    if settings["assignment"] is None:
        return {"method": "POST", "url": settings["urls"]["claim"]}
    place = reverse("api_assignment", args=[settings["assignment"]])
    return {"method": "GET", "url": place}


@login_required
@require_safe
@ensure_csrf_cookie
def label(request: UserRequest, slug: str, assignment_id: int | None = None) -> HttpResponse:
    """The page; which place it shows is asked of the API, which also guards it."""
    user = request.user
    person = access.person_in(user, slug, access.Role.ANNOTATOR)
    if assignment_id is not None:
        access.check_assignment(user, assignment_id, slug)
    settings = settings_of(person, user, assignment_id)
    context = {
        "project": person.project,
        "settings": settings,
        "first": first_of(settings),
        "words": words(),
        "modules": ahead([f"js/label/{name}.js" for name in MODULES], "js/label/main.js"),
        "labels": settings["labels"],
        "shortcuts": shortcuts(),
        "guidelines": markdown(person.project.guidelines),
    }
    return render(request, "annotation/label.html", context)


@login_required
@require_safe
def guidelines(request: UserRequest, slug: str) -> HttpResponse:
    """The project's guidelines and labels, for everybody in the project."""
    person = access.person_in(request.user, slug)
    context = {
        "project": person.project,
        "labels": labels_of(person),
        "guidelines": markdown(person.project.guidelines),
    }
    return render(request, "annotation/guidelines.html", context)


@login_required
@require_safe
def label_back(request: UserRequest, slug: str) -> HttpResponse:
    """Where a new login in a second tab ends: the work goes on in the first."""
    person = access.person_in(request.user, slug, access.Role.ANNOTATOR)
    return render(request, "annotation/label_back.html", {"project": person.project})
