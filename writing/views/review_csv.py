"""The tables of the samples page as files; people stand in them under their pseudonyms."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from annotation.access import coordinated
from annotation.actions import audit
from annotation.formats.cells import guarded_row
from annotation.models import Project
from annotation.requests import UserRequest
from writing.selectors import review
from writing.selectors.balance import writable


def _balance(project: Project) -> Iterator[list[Any]]:
    """Of each language and label the whole with its target, then each writer's part."""
    yield ["language", "label", "writer", "samples", "target", "missing"]
    labels = [label.code for label in writable(project)]
    for language in review.balance_of(project):
        for at, (label, share) in enumerate(zip(labels, language.shares, strict=True)):
            yield [language.code, label, "", share.count, share.target, share.deficit]
            for row in language.writers:
                yield [language.code, label, row["person"].pseudonym, row["labels"][at], "", ""]
        yield [language.code, "", "", language.other, "", ""]
        for row in language.writers:
            yield [language.code, "", row["person"].pseudonym, row["other"], "", ""]


def _pace(project: Project) -> Iterator[list[Any]]:
    yield ["day", "writer", "sent"]
    for work in review.work_of(project):
        for day in sorted(work.days):
            yield [day.isoformat(), work.person.pseudonym, work.days[day]]


def _writers(project: Project) -> Iterator[list[Any]]:
    yield ["writer", "written", "translated", "days", "per_day", "typed", "pasted", "pasted_share"]
    for work in review.work_of(project):
        yield [
            work.person.pseudonym,
            work.written,
            work.translated,
            len(work.days),
            _number(work.per_day),
            work.typed,
            work.pasted,
            _number(work.pasted_share),
        ]


def _list(project: Project) -> Iterator[list[Any]]:
    yield [
        *("key", "brief", "language", "label", "origin", "state", "version", "writer"),
        *("typed", "pasted", "pasted_share", "submitted_at"),
    ]
    everything = dict.fromkeys(review.FILTERS, "")
    for sample in review.find_samples(project, everything).iterator(chunk_size=500):
        yield [
            sample.key,
            sample.brief.key,
            sample.language,
            sample.label.code if sample.label else "",
            sample.origin,
            sample.state,
            sample.version,
            sample.writer.pseudonym if sample.writer else "",
            sample.typed,
            sample.pasted,
            _number(review.pasted_share(sample.typed, sample.pasted)),
            sample.submitted_at.isoformat() if sample.submitted_at else "",
        ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


TABLES = {"balance": _balance, "pace": _pace, "writers": _writers, "list": _list}


@login_required
@require_safe
def samples_csv(request: UserRequest, slug: str, name: str) -> HttpResponse:
    project = coordinated(request.user, slug)
    if name not in TABLES:
        raise Http404
    audit.note_export(request.user, project, f"samples.{name}")
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-samples-{name}.csv"'
    response["Cache-Control"] = "no-store"
    csv.writer(response).writerows(map(guarded_row, TABLES[name](project)))
    return response
