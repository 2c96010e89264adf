"""The agreement pages of coordinators, their figures and their downloads."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from agreement import figures
from agreement.actions.reports import answer_of, status_of
from agreement.asked import OPTIONS, View, comparison_of, question_of, view_of
from agreement.compute import Overview
from agreement.selectors import common_groupings
from agreement.stats import STATISTICS
from agreement.tables import csv_table, latex_table
from agreement.views import words
from agreement.views.context import compared, page_of, sides_of
from annotation import access
from annotation.actions import audit
from annotation.errors import Refused
from annotation.formats.cells import guarded_row
from annotation.models import Project
from annotation.requests import UserRequest

Found = dict[str, Any]
FIGURES: dict[str, Callable[[Found, View], Any]] = {
    "intervals": lambda found, view: figures.intervals(
        found["report"], view.labels_of, view.empty_pairs
    ),
    "items": lambda found, view: figures.items(found["composition"]),
    "spans-strategy": lambda found, view: figures.spans(found["spans"]["strategy"]),
    "spans-language": lambda found, view: figures.spans(found["spans"]["language"]),
    "expected": lambda found, view: figures.expected(found["expected"], found["labels"]),
}


def _refused(refused: Refused) -> HttpResponse:
    kind = "text/plain; charset=utf-8"
    return HttpResponse(str(refused), status=status_of(refused), content_type=kind)


def _intervals(request: UserRequest) -> list[tuple[str, str]]:
    """How intervals are made, as the address says, for the next address."""
    return [(name, value) for name in OPTIONS if (value := request.GET.get(name, ""))]


def _overview(request: UserRequest, project: Project) -> Found:
    return answer_of(project, Overview(question_of(request.GET, common_groupings(project))))


@login_required
@require_safe
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    context: dict[str, Any] = {"project": project, "active": "agreement"}
    try:
        view = view_of(request.GET)
        found = _overview(request, project)
    except Refused as refused:
        context["problems"] = refused.problems
        return render(request, "agreement/refused.html", context, status=status_of(refused))
    audit.note_report(request.user, project, "agreement")
    context |= page_of(project, found, view)
    context["query"] = request.GET.urlencode()
    context["intervals"] = urlencode(_intervals(request))
    return render(request, "agreement/page.html", context)


@login_required
@require_safe
def compare(request: UserRequest, slug: str) -> HttpResponse:
    """Two groups or two policies; without a query the form alone."""
    project = access.coordinated(request.user, slug)
    context: dict[str, Any] = {
        "project": project,
        "active": "agreement",
        "statistics": [(name, words.statistic(name)) for name in STATISTICS],
        "asked": request.GET,
        "hidden": _intervals(request),
        "status": 200,
    }
    try:
        context["sides"] = sides_of(answer_of(project, Overview(question_of(request.GET))))
        if "statistic_a" in request.GET:
            asked = comparison_of(request.GET)
            context |= compared(answer_of(project, asked), asked)
        audit.note_report(request.user, project, "agreement.compare")
    except Refused as refused:
        context |= {"problems": refused.problems, "status": status_of(refused)}
    return render(request, "agreement/compare.html", context, status=context["status"])


@login_required
@require_safe
def figure(request: UserRequest, slug: str, name: str, kind: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    if name not in FIGURES or kind not in figures.KINDS:
        raise Http404
    try:
        view = view_of(request.GET)
        drawn = FIGURES[name](_overview(request, project), view)
    except Refused as refused:
        return _refused(refused)
    response = HttpResponse(figures.render(drawn, kind), content_type=figures.KINDS[kind])
    if "download" in request.GET:  # shown in the page it is part of what was read there
        audit.note_report(request.user, project, f"agreement.{name}.{kind}")
        response["Content-Disposition"] = f'attachment; filename="{slug}-{name}.{kind}"'
    response["Cache-Control"] = "private, no-cache"
    return response


@login_required
@require_safe
def download(request: UserRequest, slug: str, name: str, kind: str) -> HttpResponse:
    """``report.json``, ``report.csv``, ``report.tex`` and a CSV of each other table."""
    project = access.coordinated(request.user, slug)
    if kind not in (("json", "csv", "tex") if name == "report" else ("csv",) * (name in TABLES)):
        raise Http404
    try:
        view = view_of(request.GET)
        found = _overview(request, project)
    except Refused as refused:
        return _refused(refused)
    audit.note_report(request.user, project, f"agreement.{name}.{kind}")
    if name == "report" and kind == "json":
        text = json.dumps(found["report"], ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    elif name == "report" and kind == "tex":
        text = latex_table(found["report"], view.labels_of, view.empty_pairs)
    elif name == "report":
        text = csv_table(found["report"])
    else:
        text = _csv(TABLES[name](found))
    types = {"json": "application/json", "csv": "text/csv", "tex": "application/x-tex"}
    response = HttpResponse(text, content_type=f"{types[kind]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-agreement-{name}.{kind}"'
    response["Cache-Control"] = "private, no-cache"
    return response


def _spans(found: Found) -> Iterable[Found]:
    for field, rows in found["spans"].items():
        for row in rows:
            counts = {f"spans_{n}": count for n, count in enumerate(row["spans"])}
            yield {
                "field": field,
                "value": row["value"],
                "annotations": row["annotations"],
            } | counts


def _labelled(row: Found, labels: list[str]) -> Found:
    counts = {f"label_{code}": n for code, n in zip(labels, row["labels"], strict=True)}
    return {k: v for k, v in row.items() if k != "labels"} | counts


# name -> the rows of a CSV; people stand under their pseudonyms
TABLES: dict[str, Callable[[Found], Iterable[Found]]] = {
    "items": lambda found: found["composition"],
    "spans": _spans,
    "expected": lambda found: (
        {"strategy": part["value"]} | _labelled(row, found["labels"])
        for part in found["expected"]
        for row in part["rows"]
    ),
    "intended": lambda found: found["intended"],
    "people": lambda found: (_labelled(row, found["labels"]) for row in found["people"]),
    "pairs": lambda found: found["pairs"],
    "lowest": lambda found: found["lowest"],
}


def _csv(rows: Iterable[Found]) -> str:
    rows = list(rows)
    buffer = io.StringIO()
    writer = csv.writer(buffer)  # CRLF: a lone CR is quoted only then
    writer.writerow(guarded_row(rows[0]) if rows else ["empty"])
    for row in rows:
        writer.writerow(guarded_row(row.values()))
    return buffer.getvalue()
