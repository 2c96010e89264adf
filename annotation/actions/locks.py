"""Locks of people and projects, in the one order that every writer takes them.

The person, then the project, then what lies in it (places by id, annotations, briefs, samples,
invitations), then accounts: so no two wait for each other. Who asks for a role or for the project's
languages before a write asks under these locks, since whoever ends or changes them takes them too;
but not a coordinator's act on one item, which must not wait until an import is done. All of it in a
transaction.
"""

from __future__ import annotations

from annotation.errors import Unknown
from annotation.models import Participant, Project, User


def lock_person(person: Participant) -> None:
    """Let the person claim and save nothing until the transaction ends."""
    Participant.objects.select_for_update(no_key=True).get(pk=person.pk)


def lock_project(project: Project) -> Project:
    """The project as it stands now; its languages and who coordinates it stay so."""
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def lock_member(person: Participant) -> Project:
    """Lock the person and the project, which it answers; `Unknown` if the account is gone."""
    locked = Participant.objects.select_for_update(no_key=True).get(pk=person.pk)
    project = lock_project(person.project)
    if locked.user_id != person.user_id:
        raise Unknown(str(person.pk))
    return project


def lock_everywhere(user: User) -> list[Participant]:
    """The account's participants, with their projects, all of them locked."""
    mine = Participant.objects.filter(user=user).order_by("pk")
    list(mine.select_for_update(no_key=True).values_list("pk"))
    projects = Project.objects.filter(participants__user=user).order_by("pk")
    list(projects.select_for_update(no_key=True, of=("self",)).values_list("pk"))
    return list(mine.select_related("project"))


def lock_account(username: str) -> User | None:
    """The account of that name, which nobody erases meanwhile; None where there is none."""
    rows = User.objects.select_for_update(no_key=True).filter(username=username)
    return rows.order_by().first()
