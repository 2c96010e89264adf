"""Revisions: every accepted write of an annotation leaves one, in the same transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from annotation.models import Annotation, Revision, Span, User
from annotation.records import Answer, SpanRecord
from annotation.selectors.work import LEASE


def stored_answers(annotations: Sequence[Annotation]) -> dict[int, Answer]:
    """Annotation id -> its answer as stored, in two queries at the most per 500 annotations."""
    spans: dict[int, list[SpanRecord]] = defaultdict(list)
    ids = [annotation.pk for annotation in annotations]
    for at in range(0, len(ids), 500):
        rows = Span.objects.filter(annotation_id__in=ids[at : at + 500]).order_by("ordinal")
        for owner, start, end, label, sublabel in rows.values_list(
            "annotation_id", "start", "end", "label__code", "sublabel__code"
        ):
            spans[owner].append(SpanRecord(start, end, label, sublabel))
    return {a.pk: Answer(tuple(spans[a.pk]), a.comment, a.no_hallucination) for a in annotations}


def revision(
    annotation: Annotation, kind: str, who: User | None, at: datetime, answer: Answer
) -> Revision:
    """An unsaved revision that holds the whole answer and the state after the write."""
    value: dict[str, Any] = answer.as_json() | {"state": annotation.state}
    if annotation.reason:
        value["reason"] = annotation.reason
    return Revision(
        annotation=annotation,
        kind=kind,
        who=who,
        at=at,
        version=annotation.version,
        answer=value,
    )


def set_state_aside(annotations: Iterable[Annotation], who: User | None, now: datetime) -> None:
    """Mark at most 300 annotations as holding no place, each with its revision.

    The version stays, so that what the person still sends is taken as late (410), not as a
    conflict. Without ``who`` the lease ran out. Run it in a transaction.
    """
    annotations = list(annotations)
    answers = stored_answers(annotations)
    for annotation in annotations:
        annotation.state = Annotation.State.SET_ASIDE
    kept = [revision(a, Revision.Kind.SET_ASIDE, who, now, answers[a.pk]) for a in annotations]
    if who is None:  # told apart from a person whose account is gone by now
        for row in kept:
            row.answer |= {"cause": LEASE}
    Annotation.objects.filter(pk__in=[a.pk for a in annotations]).update(
        state=Annotation.State.SET_ASIDE
    )
    Revision.objects.bulk_create(kept, batch_size=500)
