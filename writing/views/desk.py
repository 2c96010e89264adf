"""A writer's pages: own samples and free briefs, the writing page, and a brief's picture."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import Refused, Unknown
from annotation.markdown import render as markdown
from annotation.models import Label, User
from annotation.requests import UserRequest
from annotation.views.pictures import send
from annotation.views.scripts import ahead
from writing import access
from writing.actions import samples
from writing.models import Brief, Sample
from writing.selectors import desk as reads
from writing.selectors.balance import writable
from writing.views.desk_words import shortcuts, words

SAMPLES_PER_PAGE = 30
BRIEFS_PER_PAGE = 24
LABEL_FIELDS = ("code", "name", "description", "rule", "colour")
MODULES = (
    "label/api label/caret label/clock label/dialogs label/dom "
    "label/labelbox label/offsets label/paint label/selection label/spans "
    "label/store label/sync label/viewer label/whole shared/advice shared/typing writing/document "
    "writing/keys writing/main writing/markbox writing/marker writing/page writing/saving "
    "writing/told"
).split()


def _labels(found: list[Label]) -> list[dict[str, Any]]:
    return [{name: getattr(label, name) for name in LABEL_FIELDS} for label in found]


@login_required
@require_safe
def writing(request: UserRequest, slug: str) -> HttpResponse:
    """The writer's home: what waits for them, and what they can begin."""
    person = access.writer_in(request.user, slug)
    languages = access.languages(person)
    asked = request.GET.get("language", "")
    language = asked if asked in languages else languages[0]
    labels = _labels(writable(person.project))
    balance = reads.balance_json(person.project, language, person)
    briefs = Paginator(reads.free_briefs(person, language).select_related("image"), BRIEFS_PER_PAGE)
    own = Paginator(reads.own_samples(person), SAMPLES_PER_PAGE)
    context = {
        "project": person.project,
        "back": "back" in request.GET,
        "languages": [(code, reads.language_name(code)) for code in languages],
        "language": language,
        "language_name": reads.language_name(language),
        "samples": own.get_page(request.GET.get("page")),
        "briefs": briefs.get_page(request.GET.get("briefs")),
        "query": f"language={language}&",
        "labels": labels,
        "balance": balance,
        "figures": reads.figures(balance, labels),
        "suggested": next((row for row in labels if row["code"] == balance["suggestion"]), None),
    }
    return render(request, "writing/desk_home.html", context)


@login_required
@require_POST
def brief_start(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Begin a brief; where another writer was quicker, home again with the reason."""
    brief, _person = access.brief_for(request.user, pk)
    if brief.project.slug != slug:
        raise Unknown(str(pk))
    try:
        sample = samples.start(request.user, pk)
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, problem.message)
        return redirect(reverse("writing", args=[slug]) + f"?language={brief.language}")
    return redirect("write", slug, sample.pk)


def material_of(brief: Brief) -> dict[str, Any]:
    """What the viewer shows of a brief."""
    value = {
        "language": brief.language,
        "question": brief.question,
        "answer": brief.answer,
        "image_url": reverse("brief_picture", args=[brief.pk]) if brief.image_id else None,
        "context": brief.context,
        "context_format": brief.context_format,
    }
    if brief.context and brief.context_format == "markdown":
        value["context_html"] = markdown(brief.context)
    return value


def settings_of(sample: Sample, user: User, labels: list[dict[str, Any]]) -> dict[str, Any]:
    """What the page's scripts need to know."""
    slug = sample.project.slug
    home = reverse("writing", args=[slug])
    return {
        "person": user.pk,
        "sample": reads.sample_json(sample),
        "brief": material_of(sample.brief),
        "labels": labels,
        "idle_seconds": sample.project.idle_seconds,
        "urls": {
            "label": reverse("write", args=[slug, sample.pk]),
            "sample": reverse("api_sample", args=[sample.pk]),
            "home": home,
            "login": reverse("account_login") + f"?next={home}%3Fback=1",
        },
    }


@login_required
@require_safe
@never_cache
@ensure_csrf_cookie
def write(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """The writing page of one's own sample."""
    sample, person = access.own_sample_for(request.user, pk)
    if sample.project.slug != slug or sample.parent_id:
        raise Unknown(str(pk))
    labels = _labels(writable(sample.project))
    balance = reads.balance_json(sample.project, sample.language, person)
    context = {
        "project": sample.project,
        "sample": sample,
        "open": sample.state in samples.OPEN,
        "language_name": reads.language_name(sample.language),
        "settings": settings_of(sample, request.user, labels) | {"balance": balance},
        "words": words(),
        "modules": ahead([f"js/{name}.js" for name in MODULES], "js/writing/main.js"),
        "labels": labels,
        "balance": balance,
        "figures": reads.figures(balance, labels),
        "suggested": next((row for row in labels if row["code"] == balance["suggestion"]), None),
        "shortcuts": shortcuts(),
        "guidelines": markdown(sample.project.writer_guidelines),
    }
    return render(request, "writing/desk_write.html", context)


@login_required
@require_safe
def brief_picture(request: UserRequest, pk: int) -> HttpResponseBase:
    """The picture of a brief, for its writers and the project's staff."""
    picture = access.picture_for(request.user, pk).image
    assert picture is not None  # noqa: S101 - the gate asks for it
    return send(request, picture)
