"""The project's log for its coordinators, and as a file."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation import access
from annotation.actions import audit as actions
from annotation.models import AuditEvent
from annotation.requests import UserRequest
from annotation.selectors import audit as reads
from annotation.views.audit_words import said

PER_PAGE = 50


def _asked(request: UserRequest) -> tuple[str, int | None]:
    """The kind and the person of the query; what is neither filters nothing."""
    kind, person = request.GET.get("kind", ""), request.GET.get("person", "")
    known = person.isascii() and person.isdigit() and len(person) < 18
    return kind if kind in reads.KINDS else "", int(person) if known else None


@login_required
@require_safe
def audit(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    kind, person = _asked(request)
    events = reads.events_of(project, kind, person)
    page = Paginator(events, PER_PAGE).get_page(request.GET.get("page"))
    asked = {name: value for name, value in (("kind", kind), ("person", person)) if value}
    context = {
        "project": project,
        "active": "audit",
        "page": page,
        "rows": [_row(event) for event in page],
        "kinds": sorted(reads.KINDS.items(), key=lambda pair: str(pair[1])),
        "people": reads.actors_of(project),
        "kind": kind,
        "person": person,
        "query": urlencode(asked) + "&" if asked else "",
    }
    return render(request, "annotation/audit.html", context)


def _row(event: AuditEvent) -> dict[str, object]:
    found = reads.row(event)
    return found | {
        "at": event.at,
        "kind": reads.KINDS.get(event.kind, event.kind),
        "target": reads.target(event),
        "detail": said(event.kind, event.detail),
        "source": reads.SOURCES.get(event.source, event.source),
    }


@login_required
@require_safe
def audit_download(request: UserRequest, slug: str, kind: str) -> HttpResponseBase:
    """``log.csv`` or ``log.jsonl``: every event of the project, the newest first."""
    project = access.coordinated(request.user, slug)
    if kind not in reads.DOWNLOADS:
        raise Http404
    actions.note_export(request.user, project, f"log.{kind}")
    write, content_type = reads.DOWNLOADS[kind]
    lines = write(reads.events_of(project).iterator(chunk_size=1000))
    response = StreamingHttpResponse(lines, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{slug}-log.{kind}"'
    response["Cache-Control"] = "no-store"
    return response
