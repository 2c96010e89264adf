"""The writing policy: balance, target shares, and what each check leads to."""

from __future__ import annotations

import math
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.access import coordinated
from annotation.errors import Problem, Refused
from annotation.models import Label
from annotation.requests import UserRequest
from writing import checks
from writing.actions.demands import words
from writing.actions.policy import change_policy
from writing.models import Policy
from writing.selectors.balance import policy_of, writable


def _number(text: str) -> float:
    """The number that was typed, with a point or a comma; not a number where it is none."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def _stored(policy: Policy, labels: list[Label]) -> dict[str, str]:
    """The fields of the form by name."""
    values = {"balance": policy.balance, "changed_share": f"{policy.changed_share:g}"}
    for label in labels:
        share = policy.targets.get(label.code)
        values[f"target-{label.code}"] = "" if share is None else f"{share:g}"
    for name in checks.CHECKS:
        values[f"check-{name}"] = policy.checks.get(name, checks.WARN)
    return values


def _typed(post: QueryDict, names: list[str]) -> dict[str, str]:
    return {name: post.get(name, "").replace("\x00", "")[:40] for name in names}


def _level_words() -> list[tuple[str, str]]:
    return [
        (checks.OFF, _("off")),
        (checks.WARN, _("warn")),
        (checks.REFUSE, _("refuse")),
    ]


@login_required
@require_http_methods(["GET", "POST"])
def writing_policy(request: UserRequest, slug: str) -> HttpResponse:
    project = coordinated(request.user, slug)
    labels = writable(project)
    values = _stored(policy_of(project), labels)
    problems: list[Problem] = []
    if request.method == "POST":
        values = _typed(request.POST, list(values))
        shares = {label.code: values[f"target-{label.code}"] for label in labels}
        try:
            change_policy(
                request.user,
                project,
                values["balance"],
                {code: _number(text) for code, text in shares.items() if text.strip()},
                {name: values[f"check-{name}"] for name in checks.CHECKS},
                _number(values["changed_share"]),
            )
            messages.success(request, _("The policy is saved."))
            return redirect("writing_policy", slug)
        except Refused as refused:
            problems = refused.problems
    context: dict[str, Any] = {
        "project": project,
        "active": "samples",
        "problems": problems,
        "values": values,
        "balances": Policy.Balance.choices,
        "targets": [(label, values[f"target-{label.code}"]) for label in labels],
        "checks": [(name, words(name), values[f"check-{name}"]) for name in checks.CHECKS],
        "levels": _level_words(),
    }
    status = 422 if problems else 200
    return render(request, "writing/review_policy.html", context, status=status)
