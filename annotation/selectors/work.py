"""What a coordinator looks at: claims, items, answers side by side, and what was set aside."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.models import Annotation, Assignment, Item, Label, Project, Revision, Span
from annotation.selectors.records import answers_of

# Stands in the revision of an answer that lost its place because nobody saved it for the lease.
LEASE = "lease"


def claims_of(project: Project) -> QuerySet[Assignment]:
    """Places held now, whose lease has not run out, the oldest lease first.

    ``since`` is the last save where ``version`` is above 0, else the claim.
    """
    mine = Annotation.objects.filter(place=OuterRef("pk"), annotator=OuterRef("annotator"))
    return (
        Assignment.objects.filter(
            project=project, state="claimed", leased_until__gte=timezone.now()
        )
        .exclude(item__state="retired")
        .select_related("item", "annotator__user")
        .annotate(
            since=Subquery(mine.values("saved_at")[:1]),
            version=Subquery(mine.values("version")[:1]),
        )
        .order_by("leased_until", "id")
    )


def find_items(project: Project, search: str, language: str, state: str) -> QuerySet[Item]:
    """Items by words in key, question or response, in the order of import."""
    items = Item.objects.filter(project=project).order_by("id")
    for word in search.split():
        items = items.filter(
            Q(key__icontains=word) | Q(question__icontains=word) | Q(response__icontains=word)
        )
    if language:
        items = items.filter(language=language)
    if state in Item.State.values:
        items = items.filter(state=state)
    return items.annotate(
        submitted=Count("places", filter=Q(places__state="submitted")),
        all_places=Count("places", filter=~Q(places__state="closed")),
    )


def answers_beside(item: Item) -> list[dict[str, Any]]:
    """All people's answers on the item, each with its record and its history."""
    stored = list(
        Annotation.objects.filter(item=item, annotator__isnull=False)
        .select_related("annotator__user", "place")
        .order_by("place__ordinal", "id")
    )
    records = {
        record.annotator: record
        for record in answers_of(item.project, [item.pk], blank=True).get(item.pk, [])
    }
    history: dict[int, list[Revision]] = {}
    for revision in (
        Revision.objects.filter(annotation__item=item).select_related("who").order_by("id")
    ):
        history.setdefault(revision.annotation_id, []).append(revision)
    return [
        {
            "annotation": annotation,
            "record": records[annotation.annotator.pseudonym],  # type: ignore[union-attr]
            "active_seconds": round(annotation.active_ms / 1000),
            "history": history.get(annotation.pk, []),
        }
        for annotation in stored
    ]


def set_aside_answers(project: Project) -> QuerySet[Annotation]:
    """Answers without a place that say something, the newest first.

    `free` when one could go in, `marked` when it has spans.
    """
    now = timezone.now()
    free = Assignment.objects.filter(item=OuterRef("item")).filter(
        Q(state="open")
        | Q(state="closed", pk=OuterRef("place"))
        | Q(state="claimed", leased_until__lt=now)
    )
    return (
        Annotation.objects.filter(item__project=project, annotator__isnull=False, state="set_aside")
        .filter(Q(version__gt=0) | ~Q(reason=""))
        .select_related("item", "annotator__user", "place__annotator__user")
        .annotate(free=Exists(free), marked=Exists(Span.objects.filter(annotation=OuterRef("pk"))))
        .order_by("-saved_at", "-id")
    )


def how_set_aside(answers: list[Annotation]) -> dict[int, Revision]:
    """Annotation id -> the revision with which it lost its place, or came without one in a file."""
    rows = (
        Revision.objects.filter(annotation__in=[answer.pk for answer in answers])
        .filter(kind__in=[Revision.Kind.SET_ASIDE, Revision.Kind.IMPORT])
        .select_related("who")
        .order_by("id")
    )
    return {row.annotation_id: row for row in rows}


def state_now(place: Assignment | None) -> str:
    """The place's state, where a claim whose lease ran out counts as open; empty without one."""
    if place is None:
        return ""
    expired = place.leased_until is not None and place.leased_until < timezone.now()
    return Assignment.State.OPEN if expired else place.state


def reported_places(project: Project) -> QuerySet[Assignment]:
    """Reported places of held items, with their items and people."""
    return (
        Assignment.objects.filter(project=project, state="reported")
        .exclude(item__state="retired")
        .select_related("item", "annotator__user")
        .order_by("id")
    )


def reasons(places: list[Assignment]) -> dict[int, str]:
    """Place id -> why its annotator reported the item."""
    rows = Annotation.objects.filter(
        place__in=[place.pk for place in places], annotator=F("place__annotator")
    ).exclude(reason="")
    return dict(rows.order_by("id").values_list("place_id", "reason"))


def labels_with_use(project: Project) -> QuerySet[Label]:
    """Labels and sublabels with how many spans they have."""
    fine = Span.objects.filter(sublabel=OuterRef("pk")).order_by().values("sublabel")
    counted = Coalesce(Subquery(fine.annotate(n=Count("pk")).values("n")), 0)
    labels = project.labels.annotate(used=Count("spans") + counted)
    return labels.order_by("facet", "position", "id")
