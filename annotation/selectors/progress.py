"""How far the work is: places by state, language and person.

Retired items and closed places count nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db.models import Case, CharField, Count, F, Q, QuerySet, Value, When
from django.utils import timezone

from annotation.models import Annotation, Assignment, Item, Participant, Project
from annotation.selectors.left import counts_of

STATES = ("open", "claimed", "submitted", "reported")


def with_state_now(places: QuerySet[Assignment], now: datetime) -> QuerySet[Assignment]:
    """``state_now``: the state, where a claim whose lease ran out counts as open."""
    return places.annotate(
        state_now=Case(
            When(state="claimed", leased_until__lt=now, then=Value("open")),
            default=F("state"),
            output_field=CharField(),
        )
    )


def empty() -> dict[str, int]:
    return dict.fromkeys((*STATES, "total"), 0)


def progress(project: Project) -> dict[str, Any]:
    """``{"places", "languages", "people"}``: every list adds up to ``places``, in two queries.

    People are named by their account, or by their pseudonym where there is none.
    """
    places: QuerySet[Any] = with_state_now(
        Assignment.objects.filter(project=project)
        .exclude(item__state="retired")
        .exclude(state="closed"),
        timezone.now(),
    )
    total, languages = empty(), {code: empty() for code in project.languages}
    people: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(STATES[1:], 0))
    rows = places.values_list("language", "state_now", "annotator_id").annotate(Count("pk"))
    for language, state, annotator, count in rows.order_by():
        for part in (total, languages.setdefault(language, empty())):
            part[state] += count
            part["total"] += count
        if state != "open":
            people[annotator][state] += count
    return {"places": total, "languages": languages, "people": _named(project, people)}


def _named(project: Project, people: dict[int, dict[str, int]]) -> list[dict[str, Any]]:
    """The members and everyone who holds a place, by name."""
    persons = Participant.objects.select_related("user").filter(
        Q(project=project, memberships__role="annotator") | Q(project=project, pk__in=people)
    )
    rows = [
        {"id": person.pk, "name": str(person), "pseudonym": person.pseudonym, **people[person.pk]}
        for person in persons.distinct()
    ]
    return sorted(rows, key=lambda row: str(row["name"]))


def own_progress(person: Participant, languages: list[str]) -> dict[str, int]:
    """``{"submitted", "claimed", "left"}`` of one annotator; ``left`` counts items to do."""
    return counts_of(person, languages)


def resting(person: Participant) -> int:
    """How many answers of theirs that they began lie in items that were held or retired since."""
    drafts = Annotation.objects.filter(annotator=person, state="draft", version__gt=0)
    mine = drafts.filter(place__annotator=person, place__state="claimed")
    return mine.exclude(item__state=Item.State.ACTIVE).count()
