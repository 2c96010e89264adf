"""The home page, and making a project."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions.projects import create_project, may_create
from annotation.errors import Forbidden, Refused
from annotation.labelsets import names
from annotation.models import Membership
from annotation.requests import UserRequest
from annotation.selectors.home import last_answers, people_of
from annotation.selectors.progress import own_progress

PER_PAGE = 20


@login_required
@require_safe
def home(request: UserRequest) -> HttpResponse:
    search = request.GET.get("q", "").replace("\x00", "")
    projects = []
    for person in people_of(request.user):
        roles = person.roles
        annotates = Membership.Role.ANNOTATOR in roles
        projects.append(
            {
                "project": person.project,
                "roles": [Membership.Role(role).label for role in sorted(roles)],
                "held": sorted(roles),
                "coordinates": Membership.Role.COORDINATOR in roles,
                "progress": own_progress(person, roles["annotator"]) if annotates else None,
            }
        )
    page = Paginator(last_answers(request.user, search), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "projects": projects,
        "annotates": any(row["progress"] is not None for row in projects),
        "answers": page,
        "search": search,
        "query": urlencode({"q": search}) + "&",
        "may_create": may_create(request.user),
    }
    return render(request, "annotation/home.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def project_new(request: UserRequest) -> HttpResponse:
    if not may_create(request.user):
        raise Forbidden("project_new")
    context = {"sets": names(), "values": request.POST, "problems": []}
    if request.method == "POST":
        per_item = request.POST.get("per_item", "")
        label_set = request.POST.get("labels", "")
        try:
            if label_set not in names():  # a path is for the command line
                raise Refused(("labels", _("Choose one of the label sets.")))
            project = create_project(
                request.user,
                request.POST.get("slug", ""),
                label_set,
                request.POST.get("languages", "").replace(",", " ").split(),
                int(per_item) if per_item.isascii() and per_item.isdigit() else 0,
                request.POST.get("name", ""),
            )
        except Refused as refused:
            return render(
                request,
                "annotation/project_new.html",
                context | {"problems": refused.problems},
                status=422,
            )
        return redirect("project", project.slug)
    return render(request, "annotation/project_new.html", context)
