"""The gates: an id from outside becomes an object only here, and only if the person may see it."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db.models import Q

from annotation.errors import Forbidden, SecondFactorNeeded, Unknown
from annotation.models import (
    Annotation,
    Assignment,
    Item,
    Job,
    Label,
    Membership,
    Participant,
    Project,
    Revision,
    User,
)
from annotation.selectors import asked
from annotation.selectors.accounts import has_second_factor

Role = Membership.Role


def person_in(user: User, slug: str, *roles: str, lock: bool = False) -> Participant:
    """The person in the project; `Forbidden` without one of ``roles``, `Unknown` without any role.

    One query. The participant carries ``roles``: role -> its languages (the project's where none
    is given). With ``lock`` the person and the roles are locked until the transaction ends.
    """
    memberships = (asked.roles_in_locked if lock else asked.roles_in)(user.pk, slug)
    if not memberships:
        raise Unknown(slug)
    person = memberships[0].participant
    held = {m.role: m.languages or person.project.languages for m in memberships}
    if Role.COORDINATOR in held and lacks_second_factor(user):
        # Whoever is something else here, too, does that meanwhile.
        del held[Role.COORDINATOR]
        if not held or (roles and not held.keys() & set(roles) and Role.COORDINATOR in roles):
            raise SecondFactorNeeded(slug)
    if roles and not held.keys() & set(roles):
        raise Forbidden(slug)
    person.roles = held
    return person


def lacks_second_factor(user: User) -> bool:
    """Whether the site demands a second factor before the person may do a coordinator's work.

    The account must have one and the session must have given it: one that is older than the
    account's second factor was opened by the password alone.

    Asked of sessions alone, which the middleware marks: a token is a secret of its own, made at the
    machine's command line.
    """
    if settings.MFA_REQUIRED_FOR == "none" or not getattr(user, "by_session", False):
        return False
    return not getattr(user, "gave_code", False) or not has_second_factor(user)


def project_for(user: User, slug: str) -> Project:
    """The project, if the person has any role in it."""
    return person_in(user, slug).project


def participant_for(user: User, project: Project, *roles: str) -> Participant:
    """The person in a project that is at hand already; refusals as `person_in`."""
    return person_in(user, project.slug, *roles)


def project_as(user: User, slug: str, *roles: str) -> Project:
    """The project, if the person holds one of ``roles`` in it."""
    return person_in(user, slug, *roles).project


def coordinated(user: User, slug: str) -> Project:
    return project_as(user, slug, Role.COORDINATOR)


def assignment_for(
    user: User, pk: int, lock: bool = False, around: bool = False
) -> tuple[Assignment, Annotation]:
    """A place the annotator holds or once held, with their annotation made in it.

    Where the annotation was adopted into another place of the item, that place. With ``lock`` the
    person and the place are locked until the transaction ends: a role that ends meanwhile, or an
    account that is erased, waits. With ``around`` all places of the item are locked, as they are
    where the annotation is set aside. Two queries: one large join costs PostgreSQL more to plan
    than both.
    """
    found = (asked.roles_at_locked if lock else asked.roles_at)(user.pk, pk)
    if not found:
        return assignment_for(user, _adopted_into(user, pk), lock, around)
    person = found[0].participant
    # An answer without a place may be adopted into another just now: to lock that one after this
    # would be out of the order by ids.
    aside = found[0].answer_state == Annotation.State.SET_ASIDE  # type: ignore[attr-defined]
    if around or (lock and aside):
        places = Assignment.objects.filter(item__in=Item.objects.filter(places=pk))
        list(places.select_for_update(no_key=True).order_by("id"))
    mine = (asked.answers_in_locked if lock else asked.answers_in)(pk, person.pk)
    if not mine:  # adopted elsewhere while the lock was waited for
        return assignment_for(user, _adopted_into(user, pk), lock, around)
    annotation, place = mine[0], mine[0].place
    assert place is not None  # noqa: S101 - the filter asks for it
    if lock and person.project.overlap_allowed:  # asked before the place was waited for
        person.project.refresh_from_db(fields=["overlap_allowed"])
    annotation.annotator = person
    annotation.item.project = person.project
    place.item = annotation.item
    return place, annotation


def _adopted_into(user: User, pk: int) -> int:
    """Where the answer went that the annotator made in the place; `Unknown` if it did not go."""
    adopted = Annotation.objects.filter(
        item__places=pk,
        annotator__user=user,
        annotator__memberships__role=Role.ANNOTATOR,
        revisions__kind=Revision.Kind.ADOPT,
    )
    found = adopted.exclude(place=pk).exclude(place=None).values_list("place", flat=True).first()
    if found is None:
        raise Unknown(str(pk))
    return found


def check_assignment(user: User, pk: int, slug: str | None = None) -> None:
    """`Unknown` unless `assignment_for` would let the person in; without reading the item.

    With ``slug`` the place must also be one of that project.
    """
    mine = Annotation.objects.filter(
        place_id=pk, annotator__user=user, annotator__memberships__role=Role.ANNOTATOR
    )
    if slug is not None:
        mine = mine.filter(annotator__project__slug=slug)
    if not mine.exists():
        check_assignment(user, _adopted_into(user, pk), slug)


def item_for(user: User, pk: int) -> Item:
    """An item, for its project's coordinators and reviewers."""
    item = Item.objects.select_related("project", "image").filter(pk=pk).first()
    if item is None:
        raise Unknown(str(pk))
    participant_for(user, item.project, Role.COORDINATOR, Role.REVIEWER)
    return item


def image_for(user: User, item_pk: int) -> Item:
    """An item whose picture the person may see: project staff, or an annotator of the item."""
    staff = [Role.REVIEWER] if lacks_second_factor(user) else [Role.COORDINATOR, Role.REVIEWER]
    item = (
        Item.objects.select_related("image")
        .filter(pk=item_pk, image__isnull=False)
        .filter(
            Q(
                project__participants__user=user,
                project__participants__memberships__role__in=staff,
            )
            | Q(
                annotations__annotator__user=user,
                annotations__annotator__memberships__role=Role.ANNOTATOR,
            )
        )
        .first()
    )
    if item is None:
        raise Unknown(str(item_pk))
    return item


def annotation_for(user: User, pk: int) -> Annotation:
    """A person's annotation, for its project's coordinators."""
    annotation = (
        Annotation.objects.select_related("item__project", "place", "annotator__user")
        .filter(pk=pk, annotator__isnull=False)
        .first()
    )
    if annotation is None:
        raise Unknown(str(pk))
    participant_for(user, annotation.item.project, Role.COORDINATOR)
    return annotation


def place_for(user: User, pk: int) -> Assignment:
    """A place, for its project's coordinators."""
    place = (
        Assignment.objects.select_related("project", "item", "annotator__user")
        .filter(pk=pk)
        .first()
    )
    if place is None:
        raise Unknown(str(pk))
    participant_for(user, place.project, Role.COORDINATOR)
    return place


def member_for(user: User, project: Project, pk: int) -> Participant:
    """A participant of the project with an account, for its coordinators."""
    participant_for(user, project, Role.COORDINATOR)
    person = project.participants.select_related("user").filter(pk=pk, user__isnull=False).first()
    if person is None:
        raise Unknown(str(pk))
    person.project = project
    return person


def person_of(user: User, project: Project, pk: int) -> Participant:
    """A participant of the project, also one without an account, for its coordinators."""
    participant_for(user, project, Role.COORDINATOR)
    person = project.participants.select_related("user").filter(pk=pk).first()
    if person is None:
        raise Unknown(str(pk))
    person.project = project
    return person


def label_for(user: User, project: Project, pk: int) -> Label:
    """A label of the project, for its coordinators."""
    participant_for(user, project, Role.COORDINATOR)
    label = project.labels.filter(pk=pk).first()
    if label is None:
        raise Unknown(str(pk))
    return label


def job_for(user: User, project: Project, pk: int) -> Job:
    """A job of the project, for its coordinators."""
    participant_for(user, project, Role.COORDINATOR)
    job = project.jobs.filter(pk=pk).first()
    if job is None:
        raise Unknown(str(pk))
    return job


def languages_of(person: Participant, role: str) -> Iterable[str]:
    return person.roles.get(role, [])


def check_coordinator(by: User | None, project: Project) -> None:
    """Refuse unless ``by`` coordinates the project; ``None`` is the command line of the machine."""
    if by is not None:
        participant_for(by, project, Role.COORDINATOR)
