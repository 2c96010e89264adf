"""Translations: a post-editor's list and page; matrix, import and report for coordinators."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import Role, coordinated, person_in
from annotation.actions import audit
from annotation.errors import Problem, Refused, Unknown
from annotation.formats.cells import guarded_row
from annotation.markdown import render as markdown
from annotation.models import Project, User
from annotation.requests import UserRequest
from annotation.views.label import labels_of
from annotation.views.scripts import ahead
from writing import access
from writing.actions.holding import begin, release
from writing.actions.samples import OPEN
from writing.actions.sources import take_up
from writing.actions.translations import TranslationReport, import_translations, make_tasks
from writing.models import Sample
from writing.selectors import translations as reads
from writing.selectors.desk import language_name
from writing.selectors.families import source_now
from writing.views import translate_page

PER_PAGE = 30
REFUSALS_SHOWN = 200
FILE_MAX = 50 * 2**20
TRIES = 5


@login_required
@require_POST
def translation_next(request: UserRequest, slug: str) -> HttpResponse:
    """Go on with one's own translation, or begin a free one; to the list where none is left."""
    person = access.writer_in(request.user, slug)
    for _try in range(TRIES):
        found = reads.next_task(person, access.languages(person))
        if found is None:
            break
        try:
            begin(request.user, found.pk)
        except Refused:
            continue  # somebody else was quicker
        return redirect("translate", slug, found.pk)
    return redirect("translations", slug)


@login_required
@require_POST
def translation_change(request: UserRequest, slug: str, pk: int, change: str) -> HttpResponse:
    """Begin a free translation, give one's own back, or take up its source's new version."""
    if not access.translates(request.user, pk, slug):
        raise Unknown(str(pk))
    changes: dict[str, tuple[Callable[[User, int], Sample], str]] = {
        "begin": (begin, ""),
        "release": (release, _("The translation is free again.")),
        "take_up": (take_up, _("The translation rests on the new version of its source now.")),
    }
    if change not in changes:
        raise Unknown(change)
    work, done = changes[change]
    try:
        work(request.user, pk)
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, problem.message)
        return redirect("translations", slug)
    if done:
        messages.success(request, done)
    return (
        redirect("translations", slug) if change == "release" else redirect("translate", slug, pk)
    )


@login_required
@require_safe
def translations(request: UserRequest, slug: str) -> HttpResponse:
    """A post-editor's translations and those that are free; coordinators go on to the matrix."""
    person = person_in(request.user, slug, Role.WRITER, Role.COORDINATOR)
    if Role.WRITER not in person.roles:
        return redirect("translation_matrix", slug)
    languages = access.languages(person)
    mine = Paginator(reads.own_translations(person), PER_PAGE)
    free = Paginator(reads.tasks_for(person, languages), PER_PAGE)
    context = {
        "project": person.project,
        "back": "back" in request.GET,
        "coordinates": Role.COORDINATOR in person.roles,
        "languages": [language_name(code) for code in languages],
        "mine": mine.get_page(request.GET.get("mine")),
        "free": free.get_page(request.GET.get("page")),
    }
    return render(request, "writing/translate_list.html", context)


@login_required
@require_safe
@never_cache
@ensure_csrf_cookie
def translate(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """The post-editing page of one's own translation; a free one is to be begun first."""
    sample, person = access.own_sample_for(request.user, pk)
    if sample.project.slug != slug or sample.root is None:
        raise Unknown(str(pk))
    if sample.writer_id is None:
        return render(
            request,
            "writing/translate_begin.html",
            {"project": sample.project, "sample": sample, "languages": _pair(sample)},
        )
    labels = labels_of(person)
    newer = source_now(sample) if sample.stale else None
    context = {
        "project": sample.project,
        "sample": sample,
        "root": sample.root,
        "open": sample.state in OPEN,
        "source_language": language_name(sample.root.language),
        "language_name": language_name(sample.language),
        "source_question": sample.root.question or sample.brief.question,
        "source_parts": translate_page.source_parts(sample.root, labels),
        "newer": newer,
        "newer_parts": translate_page.source_parts(newer, labels) if newer else [],
        "labels": labels,
        "guidelines": markdown(sample.project.writer_guidelines),
        "settings": translate_page.settings_of(sample, request.user, labels),
        "words": translate_page.words(),
        "modules": ahead(translate_page.MODULES, "js/writing-translate/main.js"),
        "shortcuts": translate_page.shortcuts(),
    }
    return render(request, "writing/translate_page.html", context)


def _pair(sample: Sample) -> tuple[str, str]:
    root = sample.root
    return language_name(root.language if root else ""), language_name(sample.language)


@login_required
@require_http_methods(["GET", "POST"])
def translation_matrix(request: UserRequest, slug: str) -> HttpResponse:
    """How far the translations are, by source and target; makes tasks and reads files."""
    project = coordinated(request.user, slug)
    problems: list[Problem] = []
    report: TranslationReport | None = None
    if request.method == "POST" and request.POST.get("do") == "make":
        made = make_tasks(request.user, project)
        text = ngettext("%d new task for post-editors.", "%d new tasks for post-editors.", made)
        messages.success(request, text % made)
        return redirect("translation_matrix", slug)
    if request.method == "POST":
        report, problems = _read_file(request, project)
        if report is not None and not report.refused:
            text = _("Imported: %(new)d new, %(same)d there already.")
            messages.success(request, text % {"new": report.new, "same": report.same})
            return redirect("translation_matrix", slug)
    pairs = reads.report(project)
    context = {
        "project": project,
        "active": "translation_matrix",
        "languages": [(code, language_name(code)) for code in project.languages],
        "matrix": _matrix_rows(project),
        "pairs": [(row, language_name(row.source), language_name(row.target)) for row in pairs],
        "pair_rows": [
            row | {"name": language_name(row["source"])}
            for row in reads.pairs_by_source(project, pairs)
        ],
        "problems": problems,
        "report": report,
        "refusals": report.refusals[:REFUSALS_SHOWN] if report else [],
        "refused_more": max(0, report.refused - REFUSALS_SHOWN) if report else 0,
        "partial": "partial" in request.POST,
    }
    status = 422 if problems or report else 200
    return render(request, "writing/translate_matrix.html", context, status=status)


def _matrix_rows(project: Project) -> list[dict[str, Any]]:
    """A row for each source; its cells in the order of the languages, None for the source."""
    found = reads.matrix(project)
    return [
        {"name": language_name(source), "cells": [cells.get(code) for code in project.languages]}
        for source, cells in found.items()
    ]


def _read_file(
    request: UserRequest, project: Project
) -> tuple[TranslationReport | None, list[Problem]]:
    file = request.FILES.get("file")
    if file is None:
        return None, [Problem("file", _("Choose a file first."))]
    if (file.size or 0) > FILE_MAX:
        return None, [Problem("file", _("The file is larger than 50 MB: use the command line."))]
    name = file.name or "file"
    partial = "partial" in request.POST
    source = cast(BinaryIO, file.file)
    return import_translations(request.user, project, source, name, partial), []


@login_required
@require_safe
def translation_report(request: UserRequest, slug: str) -> HttpResponse:
    """The report by pair of languages as a table to download."""
    project = coordinated(request.user, slug)
    audit.note_export(request.user, project, "translations")
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-translations.csv"'
    response["Cache-Control"] = "no-store"
    rows = csv.writer(response)
    rows.writerow(
        ["source", "target", "number", "character_edit_rate", "word_edit_rate", "untouched_share"]
    )
    for row in reads.report(project):
        rates = (f"{rate:.6f}" for rate in (row.characters, row.words, row.untouched))
        rows.writerow(guarded_row([row.source, row.target, row.number, *rates]))
    return response
