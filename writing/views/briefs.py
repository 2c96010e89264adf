"""Briefs for coordinators: the list, drawing, importing, giving them to writers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.access import coordinated
from annotation.converters import BIGGEST
from annotation.errors import Refused
from annotation.models import Membership, Project
from annotation.records import Refusal
from annotation.requests import UserRequest
from writing.actions import briefs as actions
from writing.actions.giving import give_briefs
from writing.selectors.briefs import STATES, brief_counts, find_briefs

PER_PAGE = 50
REFUSALS_SHOWN = 200
FILE_MAX = 20_000_000


class NothingImported(Exception):
    """Rows of a file were refused."""

    def __init__(self, refusals: list[Refusal]) -> None:
        super().__init__(len(refusals))
        self.refusals = refusals


def whole(text: str, field: str, least: int = -BIGGEST) -> int:
    """The whole number that was typed; `Refused` where it is none."""
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
        raise Refused((field, _("%s must be a whole number.") % field))
    if int(text) < least:
        raise Refused((field, _("%(field)s is at least %(n)d.") % {"field": field, "n": least}))
    return int(text)


def _draw(request: UserRequest, project: Project) -> str:
    post = request.POST
    count = actions.draw_briefs(
        request.user,
        project,
        post.get("language", ""),
        whole(post.get("count", ""), "count", 1),
        whole(post.get("seed", ""), "seed"),
        "shared" in post,
    )
    return ngettext("%d brief is drawn.", "%d briefs are drawn.", count) % count


def _import(request: UserRequest, project: Project) -> str:
    file = request.FILES.get("file")
    if file is None:
        raise Refused(("file", _("Choose a file.")))
    if (file.size or 0) > FILE_MAX:
        raise Refused(("file", _("The file is larger than 20 MB: use import_briefs.")))
    partial = "partial" in request.POST
    source = cast(BinaryIO, file.file)
    report = actions.import_briefs(request.user, project, source, file.name or "", partial)
    if report.refused and not partial:
        raise NothingImported(report.refusals)
    done = _("The import is done: %s.") % report.line()
    if report.refused:
        messages.warning(request, done)
        raise NothingImported(report.refusals)
    return done


def _give(request: UserRequest, project: Project) -> str:
    chosen = [whole(pk, "brief") for pk in request.POST.getlist("brief")]
    writer = request.POST.get("writer", "")
    person = whole(writer, "writer") if writer else None
    count = give_briefs(request.user, project, chosen, person)
    return ngettext("%d brief is changed.", "%d briefs are changed.", count) % count


CHANGES: dict[str, Callable[[UserRequest, Project], str]] = {
    "draw": _draw,
    "import": _import,
    "give": _give,
}


@login_required
@require_http_methods(["GET", "POST"])
def briefs(request: UserRequest, slug: str) -> HttpResponse:
    project = coordinated(request.user, slug)
    context: dict[str, Any] = {"values": {"count": 100, "seed": 0}, "status": 200}
    if request.method == "POST":
        doing = request.POST.get("do", "")
        try:
            if doing not in CHANGES:
                raise Refused(("do", _("This cannot be done here.")))
            messages.success(request, CHANGES[doing](request, project))
            return redirect(request.get_full_path())
        except Refused as refused:
            context |= {"problems": refused.problems, "values": request.POST, "status": 422}
        except NothingImported as nothing:
            context |= {"refusals": nothing.refusals[:REFUSALS_SHOWN], "status": 422}
            context["refused"] = len(nothing.refusals)
            context["partial"] = "partial" in request.POST
    return render(
        request,
        "writing/briefs_list.html",
        context | _list(request, project),
        status=context["status"],
    )


def _list(request: UserRequest, project: Project) -> dict[str, Any]:
    asked = {name: request.GET.get(name, "") for name in ("language", "state")}
    found = find_briefs(project, asked["language"].replace("\x00", ""), asked["state"])
    words = [_("free"), _("given, not begun"), _("begun"), _("shared")]
    return {
        "project": project,
        "active": "samples",
        "asked": asked,
        "query": urlencode(asked) + "&",
        "states": list(zip(STATES, words, strict=True)),
        "counts": brief_counts(project),
        "writers": project.participants.filter(memberships__role=Membership.Role.WRITER)
        .select_related("user")
        .order_by("user__username"),
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
    }
