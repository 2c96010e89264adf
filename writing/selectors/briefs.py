"""A project's briefs as its coordinators see them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from annotation.models import Project
from writing.models import Brief, Sample
from writing.selectors.balance import GONE

STATES = ("free", "given", "begun", "shared")


def find_briefs(project: Project, language: str, state: str) -> QuerySet[Brief]:
    """Briefs by language and by one of `STATES`, each with ``written``: its samples."""
    written = Sample.objects.filter(parent=None).exclude(state__in=GONE)
    briefs = (
        Brief.objects.filter(project=project)
        .select_related("writer__user")
        .prefetch_related(
            Prefetch(
                "samples", written.select_related("writer__user").order_by("pk"), to_attr="written"
            )
        )
        .order_by("language", "number", "pk")
    )
    if language:
        briefs = briefs.filter(language=language)
    begun = Brief.objects.filter(pk__in=written.filter(project=project).values("brief"))
    if state == "shared":
        return briefs.filter(shared=True)
    if state == "begun":
        return briefs.filter(pk__in=begun)
    if state == "given":
        return briefs.filter(writer__isnull=False).exclude(pk__in=begun)
    if state == "free":
        return briefs.filter(writer=None, shared=False).exclude(pk__in=begun)
    return briefs


def brief_counts(project: Project) -> list[dict[str, Any]]:
    """``{"language", "n", "shared", "begun"}`` for each language with briefs; one query."""
    alive = Q(samples__parent=None, samples__isnull=False) & ~Q(samples__state__in=GONE)
    rows = (
        Brief.objects.filter(project=project)
        .order_by("language")
        .values_list("language")
        .annotate(
            n=Count("pk", distinct=True),
            shared_n=Count("pk", filter=Q(shared=True), distinct=True),
            begun_n=Count("pk", filter=alive, distinct=True),
        )
    )
    names = ("language", "n", "shared", "begun")
    return [dict(zip(names, row, strict=True)) for row in rows]
