"""The project's first page: how far the work is, who holds what, and taking work back."""

from __future__ import annotations

import csv
from operator import itemgetter

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from annotation import access
from annotation.actions import audit
from annotation.actions.aside import withdraw
from annotation.actions.places import release_place
from annotation.errors import Refused, Unknown
from annotation.formats.cells import guarded
from annotation.models import Assignment, Membership
from annotation.requests import UserRequest
from annotation.selectors.nobody_left import nobody_left
from annotation.selectors.progress import STATES, progress
from annotation.selectors.work import claims_of

CLAIMS_SHOWN = 200


@login_required
@require_safe
def project(request: UserRequest, slug: str) -> HttpResponse:
    """Progress for coordinators; annotators go on to their work, others home."""
    person = access.person_in(request.user, slug)
    roles = person.roles
    if Membership.Role.COORDINATOR not in roles:
        return redirect("label", slug) if Membership.Role.ANNOTATOR in roles else redirect("home")
    context = {
        "project": person.project,
        "active": "project",
        "progress": progress(person.project),
        "nobody_left": nobody_left(person.project),
        "claims": claims_of(person.project)[:CLAIMS_SHOWN],
        "claims_shown": CLAIMS_SHOWN,
        "waiting": person.project.items.filter(image=None, state="active")
        .exclude(image_name=None)
        .exclude(image_name="")
        .count(),
    }
    return render(request, "annotation/progress/page.html", context)


@login_required
@require_safe
def progress_csv(request: UserRequest, slug: str) -> HttpResponse:
    coordinated = access.coordinated(request.user, slug)
    found = progress(coordinated)
    audit.note_export(request.user, coordinated, "progress")
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-progress.csv"'
    rows = csv.writer(response)
    rows.writerow(["kind", "name", *STATES, "total"])
    rows.writerow(["all", "", *(found["places"][state] for state in (*STATES, "total"))])
    for code, counts in found["languages"].items():
        rows.writerow(["language", code, *(counts[state] for state in (*STATES, "total"))])
    for row in sorted(found["people"], key=itemgetter("pseudonym")):
        counted = [row[state] for state in STATES[1:]]
        rows.writerow(["person", guarded(row["pseudonym"]), "", *counted, sum(counted)])
    return response


@login_required
@require_http_methods(["GET", "POST"])
def release(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Free a claimed place, after a page that says whose draft is set aside."""
    place = access.place_for(request.user, pk)
    if place.project.slug != slug:
        raise Unknown(slug)
    if request.method == "POST":
        try:
            release_place(request.user, place)
            messages.success(request, _("The place is open again; the draft is set aside."))
        except Refused as refused:
            messages.error(request, str(refused.problems[0].message))
        return redirect("project", slug)
    draft = place.annotations.filter(annotator=place.annotator_id).first()
    if place.state != Assignment.State.CLAIMED or draft is None:
        messages.error(request, _("This place is not claimed any more."))
        return redirect("project", slug)
    context = {"project": place.project, "active": "project", "place": place, "draft": draft}
    context["spans"] = draft.spans.count()
    return render(request, "annotation/progress/release.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def person_withdraw(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Set all of a person's work aside, after a page that says how much it is."""
    project = access.coordinated(request.user, slug)
    person = access.person_of(request.user, project, pk)
    if request.method == "POST":
        count = withdraw(request.user, person)
        text = ngettext("%d place is open again.", "%d places are open again.", count)
        messages.success(request, text % count)
        return redirect("project", slug)
    context = {"project": project, "active": "project", "person": person}
    for state in ("claimed", "submitted"):
        context[state] = person.places.filter(state=state).count()
    return render(request, "annotation/progress/withdraw.html", context)
