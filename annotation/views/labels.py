"""A project's labels, for its coordinators."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation import access
from annotation.actions import labels as actions
from annotation.actions.seen import seen_of
from annotation.errors import Problem, Refused, Unknown
from annotation.labelsets import COLOURS
from annotation.models import Label, Project
from annotation.requests import UserRequest
from annotation.selectors.work import labels_with_use
from annotation.views.settings import lines

# What is offered once the colours of the look are taken: deep ones, told apart from these.
MORE_COLOURS = ("#7d5a00", "#a3123f", "#4b3fb5", "#00686e", "#5b3a1e", "#3d5c00", "#31456a")
LABEL_TEXTS = ("code", "name", "description", "rule", "colour", "key")
LABEL_CHOICES = ("writable", "comment_required")


def _label_values(post: QueryDict) -> dict[str, Any]:
    values: dict[str, Any] = {name: lines(post.get(name, "")) for name in LABEL_TEXTS}
    for name in LABEL_CHOICES:
        values[name] = name in post
    return values


def _free_colour(project: Project) -> str:
    """The first colour that no label of the project has; where all are taken, the first."""
    taken = {colour.lower() for colour in project.labels.values_list("colour", flat=True)}
    return next((c for c in (*COLOURS, *MORE_COLOURS) if c not in taken), COLOURS[0])


def _labels_page(
    request: HttpRequest, project: Project, problems: list[Problem], status: int = 200
) -> HttpResponse:
    context = {
        "project": project,
        "active": "labels",
        "labels": labels_with_use(project),
        "problems": problems,
        "values": request.POST or Label(colour=_free_colour(project)),
        "facets": Label.Facet.choices,
    }
    return render(request, "annotation/settings/labels.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def labels(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    if request.method != "POST":
        return _labels_page(request, project, [])
    try:
        facet = request.POST.get("facet", Label.Facet.LABEL)
        label = actions.add_label(request.user, project, facet=facet, **_label_values(request.POST))
        messages.success(request, _("Label %s is added.") % label.code)
        return redirect("labels", slug)
    except Refused as refused:
        return _labels_page(request, project, refused.problems, 422)


@login_required
@require_http_methods(["GET", "POST"])
def label(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    found = access.label_for(request.user, project, pk)
    context = {"project": project, "active": "labels", "label": found}
    context["used"] = actions.is_used(found)
    context["seen"] = request.POST.get("seen") or seen_of(found, (*LABEL_TEXTS, *LABEL_CHOICES))
    if request.method == "POST":
        values = _label_values(request.POST)
        if not request.POST.get("code"):
            del values["code"]
        try:
            actions.change_label(request.user, found, request.POST.get("seen", ""), **values)
            messages.success(request, _("Label %s is saved.") % found.code)
            return redirect("labels", slug)
        except Refused as refused:
            context["problems"] = refused.problems
            context["seen"] = getattr(refused, "seen", context["seen"])
            for name, value in values.items():  # what was typed is shown again
                setattr(found, name, value)
            return render(request, "annotation/settings/label.html", context, status=422)
    return render(request, "annotation/settings/label.html", context)


@login_required
@require_POST
def label_change(request: UserRequest, slug: str, pk: int, change: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    found = access.label_for(request.user, project, pk)
    try:
        if change == "remove":
            deleted = actions.remove_label(request.user, found)
            text = _("Label %s is deleted.") if deleted else _("Label %s is in use: archived.")
            messages.success(request, text % found.code)
        elif change == "restore":
            actions.restore_label(request.user, found)
        elif change in ("up", "down"):
            actions.move_label(request.user, found, change == "up")
        else:
            raise Unknown(change)
    except Refused as refused:
        messages.error(request, str(refused.problems[0].message))
    return redirect("labels", slug)
