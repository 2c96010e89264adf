"""What a person sees first: their projects, and their last answers."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotation import access
from annotation.models import Annotation, Participant, Project, User


def people_of(user: User) -> list[Participant]:
    """The person in each of their projects, in the order in which the projects were made."""
    slugs = (
        Project.objects.filter(participants__user=user, participants__memberships__isnull=False)
        .distinct()
        .order_by("id")
        .values_list("slug", flat=True)
    )
    return [access.person_in(user, slug) for slug in slugs]


def last_answers(user: User, search: str = "") -> QuerySet[Annotation]:
    """The person's own answers where they still annotate, the newest first."""
    answers = (
        Annotation.objects.filter(
            annotator__user=user,
            annotator__memberships__role="annotator",
            version__gt=0,
            place__isnull=False,
        )
        .select_related("item__project", "place")
        .order_by("-saved_at", "-id")
    )
    for word in search.split():
        answers = answers.filter(
            Q(item__key__icontains=word)
            | Q(item__question__icontains=word)
            | Q(item__response__icontains=word)
            | Q(comment__icontains=word)
        )
    return answers
