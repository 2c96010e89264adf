"""How strictly a project asks its writers for balance, and what each check leads to."""

from __future__ import annotations

import math
from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.access import check_coordinator
from annotation.actions.audit import note
from annotation.actions.locks import lock_project
from annotation.errors import Problem, Refused
from annotation.models import Project, User
from writing import checks as all_checks
from writing.models import Policy
from writing.selectors.balance import writable

ROUNDING = 1e-9


@transaction.atomic
def change_policy(
    by: User | None,
    project: Project,
    balance: str,
    targets: Mapping[str, float],
    checks: Mapping[str, str],
    changed_share: float,
) -> Policy:
    """Store the policy: ``targets`` are shares of labels, ``checks`` the level of each check.

    A label that is not among the targets divides the rest with the others like it; a check that is
    not named warns. Raises `Refused` with every fault.
    """
    # the labels' codes are those that stand when it is stored
    project = lock_project(project)
    check_coordinator(by, project)
    problems = []
    if balance not in Policy.Balance.values:
        listed = ", ".join(Policy.Balance.values)
        problems.append(Problem("balance", _("The balance is one of %s.") % listed))
    problems += _share_faults(project, targets)
    for name, level in checks.items():
        if name not in all_checks.CHECKS:
            problems.append(Problem(name, _("There is no check %s.") % name))
        elif level not in all_checks.LEVELS:
            listed = ", ".join(all_checks.LEVELS)
            problems.append(Problem(name, _("A check is one of %s.") % listed))
    if not 0 <= changed_share <= 1:
        problems.append(Problem("changed_share", _("The changed share lies between 0 and 1.")))
    if problems:
        raise Refused(*problems)
    values = {
        "balance": balance,
        "targets": dict(targets),
        "checks": dict(checks),
        "changed_share": changed_share,
    }
    note(by, "settings.changed", project, "writing", balance=balance, targets=dict(targets))
    return Policy.objects.update_or_create(project=project, defaults=values)[0]


def _share_faults(project: Project, targets: Mapping[str, float]) -> list[Problem]:
    problems = []
    codes = [label.code for label in writable(project)]
    for code, share in targets.items():
        if code not in codes:
            listed = ", ".join(codes)
            text = _("Nobody writes %(code)s: there are %(listed)s.")
            problems.append(Problem("targets", text % {"code": code, "listed": listed}))
        if not 0 <= share <= 1:  # nan neither
            text = _("The share of %s lies between 0 and 1.")
            problems.append(Problem(f"target-{code}", text % code))
    if problems:
        return problems
    total = math.fsum(targets.values())
    if total > 1 + ROUNDING:
        text = _("The shares sum to %.4g: make them 1 or less.")
        problems.append(Problem("targets", text % total))
    elif codes and total == 0 and len(targets) == len(codes):
        problems.append(Problem("targets", _("At least one label needs a share above 0.")))
    return problems
