"""What a writer sees: own samples, briefs that are free, the balance, and one sample's JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.utils.translation import get_language_info

from annotation.models import Participant, Project
from writing.balance import Share
from writing.models import Brief, Sample
from writing.selectors.balance import GONE, policy_of, shares

State = Sample.State
IN_ORDER = (State.RETURNED, State.DRAFT, State.SUBMITTED, State.ACCEPTED, State.PUBLISHED)
NAMED = {"zh": "zh-hans"}  # Django has no name for the short code
GAP = 0.7  # between two slices, in percent of the circle


def own_samples(person: Participant) -> QuerySet[Sample]:
    """What the writer wrote, without translations: what waits for them first."""
    rank = Case(
        *(When(state=state, then=Value(at)) for at, state in enumerate(IN_ORDER)),
        default=Value(len(IN_ORDER)),
        output_field=IntegerField(),
    )
    found = Sample.objects.filter(writer=person, parent=None).exclude(state__in=GONE)
    return found.select_related("brief", "label").order_by(rank, "-saved_at", "-pk")


def free_briefs(person: Participant, language: str) -> QuerySet[Brief]:
    """Briefs of the language that the writer can begin, in their random order."""
    own = Sample.objects.filter(writer=person, parent=None).exclude(state__in=GONE)
    mine = Q(shared=True) | Q(writer=None) | Q(writer=person)
    found = Brief.objects.filter(mine, project=person.project, language=language)
    return found.exclude(pk__in=own.values("brief")).order_by("number", "pk")


def language_name(code: str) -> str:
    """The language's name in the reader's language; its code where nobody knows a name."""
    try:
        return str(get_language_info(NAMED.get(code, code))["name_translated"])
    except KeyError:
        return code


def sample_json(sample: Sample) -> dict[str, Any]:
    """A sample as its writer gets it; offsets are code points."""
    return {
        "id": sample.pk,
        "version": sample.version,
        "state": sample.state,
        "origin": sample.origin,
        "language": sample.language,
        "comment": sample.comment,
        "label": sample.label.code if sample.label else None,
        "question": sample.question,
        "text": sample.text,
        "spans": sample.spans,
        "correct": sample.correct,
        "edits": sample.edits,
        "edit_mode": sample.origin == Sample.Origin.EDITED,
        "untranslatable": sample.untranslatable,
        "typed": sample.typed,
        "pasted": sample.pasted,
        "active_ms": sample.active_ms,
        "declared": sample.declared,
        "submitted_at": sample.submitted_at.isoformat() if sample.submitted_at else None,
    }


def balance_json(
    project: Project, language: str, person: Participant | None = None
) -> dict[str, Any]:
    """Samples and targets by writable label, of the language and of the person."""
    found = shares(project, language, person)
    return {
        "language": language,
        "all": [_share(share) for share in found["all"]],
        "own": [_share(share) for share in found["own"]],
        "suggestion": found["suggestion"],
        "total": found["total"],
        "planned": found["planned"],
        "policy": policy_of(project).balance,
    }


def _share(share: Share) -> dict[str, Any]:
    return {
        "label": share.label,
        "count": share.count,
        "target_share": share.target_share,
        "target": share.target,
        "full": share.full,
    }


def slices(rows: Sequence[dict[str, Any]], value: str) -> list[dict[str, Any]]:
    """A slice for each row: its ``dash`` and ``offset``, in percents of a circle."""
    total = sum(row[value] for row in rows)
    at = 0.0
    made = []
    for row in rows:
        size = 100 * row[value] / total if total else 0.0
        gap = GAP if GAP < size < 100 else 0.0
        # as text, for SVG knows no decimal comma
        made.append({"dash": f"{size - gap:.3f} 100", "offset": f"{-at:.3f}", "row": row})
        at += size
    return made


def figures(balance: dict[str, Any], labels: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The two circles, of the language and of the writer, with the labels' names and colours."""
    known = {label["code"]: label for label in labels}
    made = []
    for name in ("all", "own"):
        total = sum(row["count"] for row in balance[name])
        rows = [
            row
            | {
                "name": known[row["label"]]["name"],
                "colour": known[row["label"]]["colour"],
                "percent": round(100 * row["count"] / total) if total else 0,
                "target_percent": round(100 * row["target_share"]),
            }
            for row in balance[name]
        ]
        made.append(
            {
                "name": name,
                "rows": rows,
                "total": total,
                "pie": slices(rows, "count"),
                "ring": slices(rows, "target_share"),
            }
        )
    return made
