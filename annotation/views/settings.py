"""A project's settings, for its coordinators."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation import access
from annotation.actions import settings as actions
from annotation.actions.seen import seen_of
from annotation.errors import Problem, Refused
from annotation.markdown import render as markdown
from annotation.models import Project
from annotation.requests import UserRequest

TEXTS = ("name", "guidelines", "writer_guidelines")
NUMBERS = ("per_item", "lease_minutes", "idle_seconds")


def lines(text: str) -> str:
    """A form sends CRLF for the line ends that the person typed as LF."""
    return text.replace("\r\n", "\n").replace("\x00", "")


def _numbers(post: QueryDict) -> dict[str, int]:
    values, problems = {}, []
    for name in NUMBERS:
        text = post.get(name, "")
        if text.isascii() and text.isdigit() and len(text) < 9:
            values[name] = int(text)
        else:
            problems.append(Problem(name, _whole_number(name)))
    if problems:
        raise Refused(*problems)
    return values


def _whole_number(name: str) -> str:
    """What the field takes, by its own rules."""
    column: Any = Project._meta.get_field(name)
    limits = {type(rule): rule.limit_value for rule in column.validators}
    values = {"low": limits[MinValueValidator], "high": limits[MaxValueValidator]}
    return _("Give a whole number from %(low)s to %(high)s.") % values


def _keep_typed(project: Project, post: QueryDict) -> None:
    """Show what was typed again; nothing of it is saved."""
    for name in (*TEXTS, *NUMBERS):
        setattr(project, name, lines(post.get(name, "")))
    project.languages = post.get("languages", "").replace(",", " ").split()
    project.overlap_allowed = "overlap_allowed" in post


@login_required
@require_http_methods(["GET", "POST"])
def project_settings(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    context: dict[str, Any] = {"project": project, "active": "project_settings"}
    context["seen"] = request.POST.get("seen") or seen_of(project, actions.SEEN)
    if request.method == "POST" and "preview" in request.POST:
        _keep_typed(project, request.POST)
        context["preview"] = markdown(project.guidelines)
        context["writer_preview"] = markdown(project.writer_guidelines)
    elif request.method == "POST":
        try:
            actions.change_settings(
                request.user,
                project,
                request.POST.get("languages", "").replace(",", " ").split(),
                request.POST.get("seen", ""),
                overlap_allowed="overlap_allowed" in request.POST,
                **{name: lines(request.POST.get(name, "")) for name in TEXTS},
                **_numbers(request.POST),
            )
            messages.success(request, _("The settings are saved."))
            return redirect("project_settings", slug)
        except Refused as refused:
            context["problems"] = refused.problems
            context["seen"] = getattr(refused, "seen", context["seen"])
            _keep_typed(project, request.POST)
            return render(request, "annotation/settings/project.html", context, status=422)
    return render(request, "annotation/settings/project.html", context)
