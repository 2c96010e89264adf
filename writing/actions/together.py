"""The same decision about many samples: each in its own transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from annotation.access import check_coordinator
from annotation.errors import Refused, Unknown
from annotation.models import Project, User
from writing.actions import review
from writing.models import Sample

DECISIONS: dict[str, Callable[[User, int], Any]] = {
    "accept": review.accept,
    "publish": review.publish,
}


@dataclass
class Together:
    """What was done: keys of the samples, and of those that were refused each with the reason."""

    done: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)


def decide_together(by: User, project: Project, decision: str, pks: Collection[int]) -> Together:
    """Take one of `DECISIONS` about each sample; a refused one does not hinder the others.

    Raises `Unknown` for a decision that does not exist.
    """
    check_coordinator(by, project)
    if decision not in DECISIONS:
        raise Unknown(decision)
    found = Sample.objects.filter(project=project, pk__in=pks).exclude(state=Sample.State.DELETED)
    report = Together()
    for sample in found.order_by("pk"):
        try:
            DECISIONS[decision](by, sample.pk)
        except (Refused, Unknown) as error:
            reasons = [problem.message for problem in getattr(error, "problems", ())]
            report.refused.append((sample.key, " ".join(reasons)))
        else:
            report.done.append(sample.key)
    return report
