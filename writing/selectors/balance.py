"""Balance and progress of a project's samples, read from what is stored."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotation.models import Label, Participant, Project
from writing.balance import balance, suggestion, target_shares
from writing.models import Brief, Policy, Sample

GONE = (Sample.State.DELETED, Sample.State.SUPERSEDED, Sample.State.TAKEN)
# A newer version of a published sample counts once it is published, when it replaces the older one.
COUNTED = ~Q(state__in=GONE) & Q(parent=None) & (Q(replaces=None) | Q(state="published"))


def policy_of(project: Project) -> Policy:
    """The project's policy; the defaults where none was stored."""
    return Policy.objects.filter(project=project).first() or Policy(project=project)


def writable(project: Project) -> list[Label]:
    return list(
        project.labels.filter(facet=Label.Facet.LABEL, writable=True, archived=False).order_by(
            "position", "pk"
        )
    )


def counts(project: Project) -> list[tuple[str, str | None, int | None, int]]:
    """``(language, label code, writer id, samples)`` of written samples; one query."""
    return list(
        Sample.objects.filter(COUNTED, project=project)
        .order_by()
        .values_list("language", "label__code", "writer")
        .annotate(n=Count("pk"))
    )


def planned(project: Project, language: str) -> int:
    """How many samples the language is to get: a sample for each of its briefs."""
    return Brief.objects.filter(project=project, language=language).count()


def shares(project: Project, language: str, writer: Participant | None = None) -> dict[str, Any]:
    """``{"all": [Share], "own": [Share], "suggestion": code | None, "total": n, "planned": n}``.

    ``own`` is of the writer alone, against the same shares of what they wrote so far.
    """
    labels = writable(project)
    wanted = target_shares([label.code for label in labels], policy_of(project).targets)
    all_: dict[str, int] = defaultdict(int)
    own: dict[str, int] = defaultdict(int)
    for code, label, person, n in counts(project):
        if code == language and label is not None:
            all_[label] += n
            own[label] += n if writer is not None and person == writer.pk else 0
    total = sum(all_.values())
    goal = max(planned(project, language), total)
    found = balance(all_, wanted, goal)
    return {
        "all": found,
        "own": balance(own, wanted, sum(own.values())),
        "suggestion": suggestion(found, project.seed, total),
        "total": total,
        "planned": goal,
    }


def target(project: Project, language: str, code: str) -> int:
    """How many samples of the label the language may get: one at least of a label with a share.

    With fewer briefs than labels some targets are 0, and which ones is chance.
    """
    found = shares(project, language)["all"]
    share = next((share for share in found if share.label == code), None)
    return 0 if share is None else max(share.target, int(share.target_share > 0))


def before(sample: Sample) -> QuerySet[Sample]:
    """What the balance counts under the sample's label before it: what was sent, earlier drafts."""
    found = Sample.objects.filter(
        COUNTED, project=sample.project, language=sample.language, label=sample.label
    )
    return found.exclude(pk=sample.pk).exclude(state=Sample.State.DRAFT, pk__gt=sample.pk)
