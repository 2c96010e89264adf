"""Items for coordinators: finding one, all answers on it, and deciding about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation import access
from annotation.actions import aside as aside_actions
from annotation.actions import reports
from annotation.errors import Refused, Unknown
from annotation.markdown import render as markdown
from annotation.models import Assignment, Item, Project, Revision
from annotation.records import answer_from_json
from annotation.requests import UserRequest
from annotation.segments import segments
from annotation.selectors import work

PER_PAGE = 50


def label_styles(project: Project) -> dict[str, str]:
    """Label code -> class of its colours, by its place in the set."""
    codes = [label.code for label in project.labels.all() if label.facet == "label"]
    return {code: f"mark-{i % 5 + 1}" for i, code in enumerate(codes)}


@login_required
@require_safe
def items(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    asked = {
        name: request.GET.get(name, "").replace("\x00", "") for name in ("q", "language", "state")
    }
    found = work.find_items(project, asked["q"], asked["language"], asked["state"])
    context = {
        "project": project,
        "active": "items",
        "asked": asked,
        "query": urlencode(asked) + "&",
        "states": Item.State.choices,
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "annotation/items/list.html", context)


@login_required
@require_safe
def item(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    found = access.item_for(request.user, pk)
    project = found.project
    if project.slug != slug:
        raise Unknown(slug)
    styles = label_styles(project)
    answers = [
        row
        | {
            "segments": _marked(found.response, row["record"].spans, styles),
            "history": [_past(found.response, revision) for revision in row["history"]],
        }
        for row in work.answers_beside(found)
    ]
    context = {
        "project": project,
        "active": "items",
        "item": found,
        "decides": access.Role.COORDINATOR in access.participant_for(request.user, project).roles,
        "answers": answers,
        "places": found.places.order_by("ordinal"),
        "context_html": markdown(found.context)
        if found.context and found.context_format == "markdown"
        else "",
    }
    return render(request, "annotation/items/item.html", context)


def _marked(text: str, spans: Any, styles: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {"text": s.text, "begins": s.begins, "style": styles.get(s.labels[0]) if s.labels else ""}
        for s in segments(text, spans)
    ]


def _past(text: str, revision: Revision) -> dict[str, Any]:
    """A revision with what the answer said after it, its spans with their words."""
    answer = answer_from_json(revision.answer)
    return {
        "revision": revision,
        "answer": answer,
        "spans": [(span, text[span.start : span.end]) for span in answer.spans],
        "reason": revision.answer.get("reason", ""),
    }


@login_required
@require_safe
def aside(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    page = Paginator(work.set_aside_answers(project), PER_PAGE).get_page(request.GET.get("page"))
    how = work.how_set_aside(list(page))
    rows = [
        {"answer": answer, "how": _how(how.get(answer.pk)), "place": _place_now(answer.place)}
        for answer in page
    ]
    context = {"project": project, "active": "aside", "page": page, "rows": rows}
    return render(request, "annotation/items/aside.html", context)


def _how(revision: Revision | None) -> dict[str, Any]:
    """Who set an answer aside and when, in words."""
    if revision is None:
        return {"who": "–", "at": None}
    if revision.kind == Revision.Kind.IMPORT:
        who = _("came with a file, without a place")
    elif revision.answer.get("cause") == work.LEASE:
        who = _("the lease ran out, and somebody else took the place")
    else:
        who = revision.who.username if revision.who else _("somebody whose account is gone")
    return {"who": who, "at": revision.at}


def _place_now(place: Assignment | None) -> str:
    """What became of the place an answer was made in."""
    state = work.state_now(place)
    if place is None or not state:
        return "–"
    text = str(Assignment.State(state).label)
    if state in Assignment.UNFILLED:
        return text
    return _("%(state)s: %(person)s") % {"state": text, "person": place.annotator}


@login_required
@require_safe
def reported(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    page = Paginator(work.reported_places(project), PER_PAGE).get_page(request.GET.get("page"))
    reasons = work.reasons(list(page))
    rows = [{"place": place, "reason": reasons.get(place.pk, "")} for place in page]
    context = {"project": project, "active": "reported", "page": page, "rows": rows}
    return render(request, "annotation/items/reported.html", context)


def _decide(
    request: HttpRequest, slug: str, change: Callable[[], str | None], done: str
) -> HttpResponse:
    """Make the change and say so; a note that it gives back is said too."""
    try:
        note = change()
        messages.success(request, done)
        if note:
            messages.warning(request, note)
    except Refused as refused:
        messages.error(request, str(refused.problems[0].message))
    back = request.POST.get("back", "")
    if url_has_allowed_host_and_scheme(back, {request.get_host()}):
        return redirect(back)
    return redirect("items", slug)


@login_required
@require_POST
def item_decision(request: UserRequest, slug: str, pk: int, decision: str) -> HttpResponse:
    found = access.item_for(request.user, pk)
    if found.project.slug != slug:
        raise Unknown(slug)
    access.coordinated(request.user, slug)
    changes = {
        "put_back": (reports.put_back, _("The item is active; its reported places are open.")),
        "retire": (reports.retire, _("The item is retired: it counts nowhere and loses nothing.")),
    }
    if decision not in changes:
        raise Unknown(decision)
    change, done = changes[decision]
    return _decide(request, found.project.slug, lambda: change(request.user, found), done)


@login_required
@require_POST
def answer_decision(request: UserRequest, slug: str, pk: int, decision: str) -> HttpResponse:
    found = access.annotation_for(request.user, pk)
    if found.item.project.slug != slug:
        raise Unknown(slug)
    changes: dict[str, tuple[Callable[[Any, Any], str | None], str]] = {
        "set_aside": (aside_actions.set_aside, _("The answer is set aside, its place is open.")),
        "adopt": (aside_actions.adopt, _("The answer is adopted: it counts as submitted.")),
    }
    if decision not in changes:
        raise Unknown(decision)
    change, done = changes[decision]
    return _decide(request, found.item.project.slug, lambda: change(request.user, found), done)
