"""Importing: the form, the jobs, one job with its progress and report."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation import access
from annotation.actions import audit
from annotation.actions import jobs as job_actions
from annotation.actions.job_files import remove_old_files
from annotation.aggregate import BOUNDARIES
from annotation.errors import Refused
from annotation.formats import FORMATS, READABLE
from annotation.formats.cells import guarded_row
from annotation.requests import UserRequest
from annotation.selectors.exports import export_of
from annotation.selectors.jobs import job_json, jobs_of, kept_until, may_run_again

SHOWN = 200
PER_PAGE = 50
# Fields of refusals that lie in the file alone: it is refused again whatever the project becomes.
OF_THE_FILE = {"file", "json", "csv", "header"}


@login_required
@require_http_methods(["GET", "POST"])
def import_page(request: UserRequest, slug: str) -> HttpResponse:
    """The form; a file that was sent becomes a job."""
    project = access.coordinated(request.user, slug)
    problems = []
    if request.method == "POST":
        options = {name: name in request.POST for name in job_actions.OPTIONS}
        files, chosen = request.FILES, request.POST.get("format", "")
        try:
            job = job_actions.start_import(
                request.user, project, files.get("file"), files.get("images"), chosen, options
            )
            return redirect("job", slug, job.pk)
        except Refused as refused:
            problems = refused.problems
    context = {
        "project": project,
        "active": "import",
        "formats": [FORMATS[name] for name in READABLE],
        "problems": problems,
        "values": request.POST,
    }
    status = 422 if problems else 200
    return render(request, "annotation/imports/import.html", context, status=status)


@login_required
@require_safe
def jobs(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    remove_old_files()
    page = Paginator(jobs_of(project), PER_PAGE).get_page(request.GET.get("page"))
    rows = [{"job": job, "now": job_json(job)} for job in page]
    context = {"project": project, "active": "jobs", "rows": rows, "page": page}
    return render(request, "annotation/imports/jobs.html", context)


@login_required
@require_safe
def job(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """One job; as JSON where the page asks how far it is."""
    project = access.coordinated(request.user, slug)
    found = access.job_for(request.user, project, pk)
    now = job_json(found)
    if request.GET.get("as") == "json":
        response = JsonResponse(now)
        response["Cache-Control"] = "no-store"
        return response
    report: dict[str, Any] = found.report or {}
    refusals = report.get("refusals", [])
    context = {
        "project": project,
        "active": "jobs",
        "job": found,
        "now": now,
        "report": report,
        "refusals": refusals[:SHOWN],
        "refused_more": max(0, len(refusals) - SHOWN),
        "file_fault": any(row[2] in OF_THE_FILE for row in refusals) and may_run_again(found),
        "ended_badly": may_run_again(found),
        "kept_until": kept_until(found),
        "words": {
            "url": f"{request.path}?as=json",
            "failed": _("No answer from the site; trying again."),
        },
    }
    return render(request, "annotation/imports/job.html", context)


@login_required
@require_POST
def job_change(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Cancel the job or run it again."""
    project = access.coordinated(request.user, slug)
    found = access.job_for(request.user, project, pk)
    change = job_actions.run_again if request.POST.get("do") == "again" else job_actions.cancel
    try:
        change(request.user, found)
    except Refused as refused:
        messages.error(request, refused.problems[0].message)
    return redirect("job", slug, pk)


class _Echo:
    def write(self, value: str) -> str:
        return value


@login_required
@require_safe
def job_refusals(request: UserRequest, slug: str, pk: int) -> HttpResponseBase:
    """Every refused row as a table to download."""
    project = access.coordinated(request.user, slug)
    found = access.job_for(request.user, project, pk)
    rows = (found.report or {}).get("refusals", [])
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL)

    def lines() -> Iterator[str]:
        yield writer.writerow(["file", "line", "field", "reason"])
        for row in rows:
            yield writer.writerow(guarded_row(row))

    response = StreamingHttpResponse(lines(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="refused-{pk}.csv"'
    return response


@login_required
@require_safe
def export_page(request: UserRequest, slug: str) -> HttpResponseBase:
    """The formats; with ``format`` in the address, the file."""
    project = access.coordinated(request.user, slug)
    problems = []
    if "format" in request.GET:
        boundaries = request.GET.get("boundaries", BOUNDARIES[0])
        try:
            export = export_of(project, request.GET["format"], boundaries)
        except Refused as refused:
            problems = refused.problems
        else:
            name = request.GET["format"]
            audit.note_export(request.user, project, name, boundaries=boundaries)
            response = StreamingHttpResponse(export.pieces, content_type=export.content_type)
            response["Content-Disposition"] = f'attachment; filename="{export.filename}"'
            response["Cache-Control"] = "no-store"
            return response
    context = {
        "project": project,
        "active": "export",
        "formats": list(FORMATS.values()),
        "problems": problems,
    }
    status = 422 if problems else 200
    return render(request, "annotation/imports/export.html", context, status=status)
