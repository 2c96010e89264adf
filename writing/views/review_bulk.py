"""Accepting and publishing many samples: choose, confirm, read what was refused."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.access import coordinated
from annotation.requests import UserRequest
from writing.actions.together import DECISIONS, decide_together
from writing.selectors.review import chosen_samples, ready_for

MOST = 200


@login_required
@require_POST
def together(request: UserRequest, slug: str) -> HttpResponse:
    """Ask once with the counts; with ``sure`` decide, and list the refusals by key."""
    project = coordinated(request.user, slug)
    decision = request.POST.get("decision", "")
    pks = [int(pk) for pk in request.POST.getlist("sample") if _whole(pk)][:MOST]
    if not pks or decision not in DECISIONS:
        messages.error(request, _("Choose samples in the list first."))
        return redirect("samples", slug)
    context: dict[str, Any] = {"project": project, "active": "samples", "decision": decision}
    if "sure" not in request.POST:
        chosen = list(chosen_samples(project, pks))
        context["ready"] = [sample for sample in chosen if ready_for(decision, sample)]
        context["others"] = [sample for sample in chosen if not ready_for(decision, sample)]
        return render(request, "writing/review_together.html", context)
    report = decide_together(request.user, project, decision, pks)
    if report.done:
        messages.success(request, _done(decision, len(report.done)))
    if not report.refused:
        return redirect("samples", slug)
    context["refused"] = report.refused
    return render(request, "writing/review_together.html", context, status=422)


def _done(decision: str, n: int) -> str:
    if decision == "accept":
        return ngettext("%d sample is accepted.", "%d samples are accepted.", n) % n
    return ngettext("%d sample is published.", "%d samples are published.", n) % n


def _whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
