"""What every claim and every save asks of the database, put into SQL once."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.models import Annotation, Item, Label, Membership, User, Withheld
from annotation.prepared import prepared

PROJECT_TEXTS = [f"participant__project__{name}" for name in ("guidelines", "writer_guidelines")]
# Long ones, of which a save makes no use.
ITEM_TEXTS = ["question", "context", "expectation", "metadata"]


@prepared
def roles_in(user: int, slug: str) -> QuerySet[Membership]:
    """The roles of a person in a project."""
    return Membership.objects.select_related("participant__project").filter(
        participant__user=user, participant__project__slug=slug
    )


@prepared
def roles_in_locked(user: int, slug: str) -> QuerySet[Membership]:
    return _locked(roles_in.make(user, slug))


@prepared
def roles_at(user: int, place: int) -> QuerySet[Membership]:
    """The annotator's role of who has an annotation in a place; with its ``answer_state``."""
    return (
        Membership.objects.select_related("participant__project")
        .filter(
            participant__user=user,
            participant__annotations__place=place,
            role=Membership.Role.ANNOTATOR,
        )
        .annotate(answer_state=F("participant__annotations__state"))
    )


@prepared
def roles_at_locked(user: int, place: int) -> QuerySet[Membership]:
    return _locked(roles_at.make(user, place))


def _locked(roles: QuerySet[Membership]) -> QuerySet[Membership]:
    """Roles and who has them, locked: one that somebody ended while this waited is not found.

    The roles, too, since a query sees what stood when it began, but for the rows it locks.
    """
    locked = roles.select_for_update(no_key=True, of=("participant", "self"))
    return locked.defer(*PROJECT_TEXTS)


@prepared
def answers_in(place: int, person: int) -> QuerySet[Annotation]:
    """The annotation of a person in a place, with both and the item."""
    annotations = Annotation.objects.select_related("item", "place")
    return annotations.filter(place=place, annotator=person).order_by()


@prepared
def answers_in_locked(place: int, person: int) -> QuerySet[Annotation]:
    locked = answers_in.make(place, person).select_for_update(no_key=True, of=("place", "self"))
    return locked.defer(*(f"item__{name}" for name in ITEM_TEXTS))


@prepared
def item_for(person: int, pk: int) -> QuerySet[Item]:
    """An item as its annotator reads it; ``is_withheld`` tells whether from the person."""
    withheld = Withheld.objects.filter(item=OuterRef("pk"), participant=person)
    items = Item.objects.filter(pk=pk).annotate(is_withheld=Exists(withheld))
    return items.defer("expectation", "metadata")


@prepared
def users_of_token(digest: str) -> QuerySet[User]:
    return User.objects.filter(tokens__digest=digest, is_active=True)


@prepared
def labels_of(project: int) -> QuerySet[Label, tuple[int, str, str, bool, bool]]:
    """Rows ``(id, facet, code, archived, comment_required)``."""
    labels = Label.objects.filter(project=project).order_by()
    return labels.values_list("pk", "facet", "code", "archived", "comment_required")
