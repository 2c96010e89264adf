"""A family: the versions of what was written, and the translations of all of them."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotation.models import Assignment, Participant
from writing.models import Sample, SampleRevision

State = Sample.State
DONE = (State.ACCEPTED, State.PUBLISHED)
# Revisions whose author had the text and the place of its error before them.
SEEN = ("begin", "given", "save", "submit", "take_up", "release")


def family(sample: Sample) -> QuerySet[Sample]:
    """Every version and translation, those that are gone too."""
    return Sample.objects.filter(Q(pk=sample.head) | Q(family=sample.head))


# A newer version takes the older one's place when it is published, and not before.
SOURCES = Q(parent=None, state__in=DONE) & (Q(replaces=None) | Q(state=State.PUBLISHED))


def source_now(sample: Sample) -> Sample | None:
    """The version of the source that is to be translated now."""
    found = family(sample).filter(SOURCES).select_related("label", "brief")
    return found.order_by("-pk").first()


def seen_by(sample: Sample) -> QuerySet[Participant]:
    """Who wrote a version or has had a translation of it, also one that was given back since."""
    members = family(sample).order_by().values("pk")
    users = SampleRevision.objects.filter(sample__in=members, kind__in=SEEN, who__isnull=False)
    seen = Q(samples__in=members) | Q(user__in=users.order_by().values("who"))
    return Participant.objects.filter(seen, project=sample.project_id).distinct().order_by("pk")


def items_of(sample: Sample) -> list[int]:
    """Ids of the family's published items, retired ones too."""
    published = family(sample).filter(item__isnull=False).order_by("pk")
    return list(published.values_list("item_id", flat=True))


def seen_and_held(sample: Sample) -> QuerySet[Assignment]:
    """Places of the family's items that somebody who has seen the error holds or has filled."""
    held = Assignment.objects.filter(
        item__in=items_of(sample), annotator__in=seen_by(sample).order_by().values("pk")
    )
    return held.select_related("annotator__user", "item").order_by("item", "ordinal")
