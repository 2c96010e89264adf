"""Reports of a project: computed once for each state of its data, then kept."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.compute import Asked, Busy, answer
from agreement.models import StoredReport
from agreement.question import BadQuestion
from agreement.selectors import units_of
from agreement.stats import UnknownField
from annotation import access
from annotation.errors import Refused
from annotation.models import Project, User
from annotation.selectors.columns import answers_state


class TooBusy(Refused):
    """The machine computes other reports; the same question can be asked again."""


KEPT = 40  # answers of each project; the oldest go


def report_for(by: User, slug: str, asked: Asked) -> tuple[Project, dict[str, Any]]:
    """The answer for a coordinator, right for the data as they are now.

    Raises `Unknown` or `Forbidden`, and `Refused` where the data has no such field or value or the
    machine is busy with another report.
    """
    project = access.coordinated(by, slug)
    return project, answer_of(project, asked)


def answer_of(project: Project, asked: Asked) -> dict[str, Any]:
    """The stored answer if the data are as they were, else a new one, which is stored.

    The state is read before the data: what changes in between is seen by the next question.
    """
    question, state = _digest(repr(asked)), _digest(answers_state(project))
    if (known := _known(project, question, state)) is not None:
        return known
    try:
        found = answer(asked, units_of(project), again=lambda: _known(project, question, state))
    except UnknownField as error:
        fields = ", ".join(error.known)
        text = _("No item has a field “%(name)s”. There are: %(fields)s.")
        raise Refused(("by", text % {"name": error.name, "fields": fields})) from None
    except BadQuestion as error:
        raise Refused((error.where, error.message)) from None
    except Busy:
        text = _("Other reports are being computed: ask again in a minute.")
        raise TooBusy(("", text)) from None
    StoredReport.objects.update_or_create(
        project=project,
        question=question,
        defaults={"state": state, "content": json.dumps(found), "made_at": timezone.now()},
    )
    _forget(project)
    return found


def _known(project: Project, question: str, state: str) -> dict[str, Any] | None:
    kept = StoredReport.objects.filter(project=project, question=question, state=state).first()
    found: dict[str, Any] | None = None if kept is None else json.loads(kept.content)
    return found


def status_of(refused: Refused) -> int:
    """The HTTP status of a refusal."""
    return 503 if isinstance(refused, TooBusy) else 422


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _forget(project: Project) -> None:
    rows = StoredReport.objects.filter(project=project)
    old = list(rows.order_by("-made_at", "-pk").values_list("pk", flat=True)[KEPT:])
    if old:
        rows.filter(pk__in=old).delete()
