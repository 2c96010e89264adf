"""The log of who did what: an action calls `note` inside its own transaction."""

from __future__ import annotations

from typing import Any

from annotation import access, source
from annotation.models import AuditEvent, Participant, Project, User


def note(
    by: User | None,
    kind: str,
    project: Project | None = None,
    target: str = "",
    subject: Participant | User | None = None,
    **detail: Any,
) -> None:
    """Add a row: ``by`` did ``kind`` (a name in `selectors.audit.KINDS`) to target or subject.

    ``detail`` holds numbers, names of fields and codes: no answer, no password, no token, and no
    name of a person.
    """
    if isinstance(subject, Participant):
        account, person_id = subject.user, subject.pk
    else:
        account, person_id = subject, _person_id(subject, project)
    AuditEvent.objects.create(
        project=project,
        actor_id=by.pk if by is not None else None,
        actor_person_id=_person_id(by, project),
        kind=kind,
        target=target[:200],
        subject=account,
        subject_person_id=person_id,
        detail=detail,
        source=source.current(),
    )


def _person_id(user: User | None, project: Project | None) -> Any:
    if user is None or project is None:
        return None
    found = Participant.objects.filter(project=project, user=user).values_list("pk", flat=True)
    return found.first()


def note_export(by: User | None, project: Project, name: str, **detail: Any) -> None:
    """Somebody takes a file out of the project; call it before the first byte is sent."""
    access.check_coordinator(by, project)
    note(by, "export", project, name, **detail)


def note_report(by: User | None, project: Project, name: str, **detail: Any) -> None:
    """Somebody reads a report of the project."""
    access.check_coordinator(by, project)
    note(by, "report", project, name, **detail)
