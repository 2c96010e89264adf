"""Samples for coordinators: the balance, the list, one sample, and deciding about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Role, coordinated, participant_for
from annotation.errors import Problem, Refused, Unknown
from annotation.markdown import render as markdown
from annotation.models import User
from annotation.records import SpanRecord
from annotation.requests import UserRequest
from annotation.segments import segments
from annotation.views.items import label_styles
from writing import access
from writing.actions import review as actions
from writing.actions.demands import words
from writing.actions.holding import take_away
from writing.actions.samples import OPEN, advice_on
from writing.models import Sample
from writing.selectors import review
from writing.selectors.balance import GONE, writable

State = Sample.State
PER_PAGE = 50


@login_required
@require_safe
def samples(request: UserRequest, slug: str) -> HttpResponse:
    project = coordinated(request.user, slug)
    asked = {name: request.GET.get(name, "").replace("\x00", "") for name in review.FILTERS}
    states = review.states(project)
    page = Paginator(review.find_samples(project, asked), PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "project": project,
        "active": "samples",
        "labels": writable(project),
        "balance": review.balance_of(project),
        "work": [_work(work) for work in review.work_of(project)],
        "days": review.last_days(),
        "counts": [(State(state).label, states[state]) for state in State if state in states],
        "waiting": states.get(State.SUBMITTED, 0),
        "asked": asked,
        "query": urlencode(asked) + "&",
        "states": [choice for choice in State.choices if choice[0] != State.DELETED],
        "origins": Sample.Origin.choices,
        "writers": review.writers_of(project),
        "page": page,
        "rows": [{"sample": one, "pasted": percent(_pasted(one))} for one in page],
    }
    return render(request, "writing/review_list.html", context)


def _work(work: review.Work) -> dict[str, Any]:
    return {
        "work": work,
        "days": [work.days[day] for day in review.last_days()],
        "pasted": percent(work.pasted_share),
    }


def _pasted(sample: Sample) -> float | None:
    return review.pasted_share(sample.typed, sample.pasted)


def percent(share: float | None) -> int | None:
    return None if share is None else round(100 * share)


@login_required
@require_safe
def sample(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    found = access.sample_for(request.user, pk)
    if found.project.slug != slug:
        raise Unknown(slug)
    return _page(request, found)


def _page(
    request: UserRequest,
    found: Sample,
    problems: Sequence[Problem] = (),
    comment: str = "",
    status: int = 200,
) -> HttpResponse:
    """One sample with all that is known of it; ``comment`` was typed and is not stored."""
    project, brief = found.project, found.brief
    styles = label_styles(project)
    kinds = kind_words()
    parent = found.parent
    context = {
        "project": project,
        "active": "samples",
        "sample": found,
        "decides": Role.COORDINATOR in participant_for(request.user, project).roles,
        "parts": _parts(found, styles),
        "context_html": markdown(brief.context)
        if brief.context and brief.context_format == "markdown"
        else "",
        # of a version that was replaced there is nothing to mend
        "advice": []
        if found.state in GONE
        else [(words(name), level) for name, level in advice_on(found).items()],
        "pasted": percent(_pasted(found)),
        "parent_parts": _parts(parent, styles) if parent else [],
        "history": [_past(past, styles, kinds) for past in review.history(found)],
        "lineage": actions.lineage(found),
        "next": review.next_to_review(found),
        "problems": problems,
        "comment": comment,
        "takes": found.state in OPEN and found.writer_id is not None,
        "writers": review.able_writers(found),
        **review.relatives(found),
    }
    return render(request, "writing/review_sample.html", context, status=status)


def _parts(found: Sample, styles: dict[str, str]) -> list[dict[str, Any]]:
    return marked(found.text, found.spans, found.label.code if found.label else None, styles)


def marked(
    text: str, spans: Sequence[dict[str, int]], code: str | None, styles: dict[str, str]
) -> list[dict[str, Any]]:
    """The text in pieces: ``{"text", "style", "code"}``; ``code`` where a span begins."""
    records = [SpanRecord(span["start"], span["end"], code or "") for span in spans]
    return [
        {
            "text": piece.text,
            "marked": bool(piece.labels),
            "style": styles.get(code or "", ""),
            "code": code if piece.begins else "",
        }
        for piece in segments(text, records)
    ]


def _past(past: review.Past, styles: dict[str, str], kinds: dict[str, str]) -> dict[str, Any]:
    content = past.revision.content
    return {
        "revision": past.revision,
        "saves": past.saves,
        "kind": kinds.get(past.revision.kind, past.revision.kind),
        "label": content["label"],
        "parts": marked(content["text"], content["spans"], content["label"], styles),
        "comment": content["comment"] if past.revision.kind in ("return", "revise") else "",
        "untranslatable": content["untranslatable"],
    }


def kind_words() -> dict[str, str]:
    """What each kind of a revision is called."""
    return {
        "save": _("Saved"),
        "submit": _("Sent"),
        "return": _("Returned"),
        "accept": _("Accepted"),
        "publish": _("Published"),
        "revise": _("Opened as a new version"),
        "supersede": _("Replaced by a newer version"),
        "machine": _("A machine translation came"),
        "delete": _("Deleted"),
        "begin": _("Begun"),
        "given": _("Handed over"),
        "release": _("Given back"),
        "take": _("Taken away"),
        "source": _("A new version of the source came"),
        "take_up": _("The new version of the source was taken up"),
    }


@login_required
@require_POST
def sample_decision(request: UserRequest, slug: str, pk: int, decision: str) -> HttpResponse:
    """Return, accept, publish, revise or take away; where it is refused, a typed comment stays."""
    found = access.sample_for(request.user, pk)
    if found.project.slug != slug:
        raise Unknown(slug)
    coordinated(request.user, slug)
    comment = request.POST.get("comment", "").replace("\r\n", "\n")
    to = request.POST.get("writer", "")
    person = int(to) if to.isascii() and to.isdigit() and len(to) < 19 else None
    changes: dict[str, tuple[Callable[[User, int], Any], str]] = {
        "return": (
            lambda user, pk: actions.send_back(user, pk, comment),
            _("The sample is returned; its writer reads your comment."),
        ),
        "accept": (actions.accept, _("The sample is accepted: publish it, or have it translated.")),
        "publish": (actions.publish, _("The sample is published as an item.")),
        "revise": (
            lambda user, pk: actions.revise(user, pk, comment),
            _("This new version is open to its writer."),
        ),
        "take": (
            lambda user, pk: take_away(user, pk, person),
            _("The draft is taken away; what was written stays in its history."),
        ),
    }
    if decision not in changes:
        raise Unknown(decision)
    change, done = changes[decision]
    try:
        made = change(request.user, pk)
    except Refused as refused:
        now = access.sample_for(request.user, pk)
        return _page(request, now, refused.problems, comment, 422)
    messages.success(request, done)
    return redirect("sample", slug, made.pk if decision in ("revise", "take") else pk)
