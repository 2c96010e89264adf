"""The log of who did what, as coordinators and the site's keeper read it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.formats.cells import guarded_row
from annotation.formats.output import json_line
from annotation.models import AuditEvent, Participant, Project, User

# what an event is about -> the words of its kind on the page
KINDS: dict[str, Any] = {
    "project.made": gettext_lazy("Project made"),
    "import": gettext_lazy("Import"),
    "export": gettext_lazy("Export"),
    "report": gettext_lazy("Report read"),
    "member.added": gettext_lazy("Member added"),
    "member.changed": gettext_lazy("Roles changed"),
    "member.removed": gettext_lazy("Member removed"),
    "invitation.made": gettext_lazy("Invitation made"),
    "invitation.revoked": gettext_lazy("Invitation revoked"),
    "invitation.used": gettext_lazy("Invitation used"),
    "label.added": gettext_lazy("Label added"),
    "label.changed": gettext_lazy("Label changed"),
    "label.removed": gettext_lazy("Label deleted"),
    "label.archived": gettext_lazy("Label archived"),
    "label.restored": gettext_lazy("Label restored"),
    "label.moved": gettext_lazy("Label moved"),
    "settings.changed": gettext_lazy("Settings changed"),
    "item.retired": gettext_lazy("Item retired"),
    "item.put_back": gettext_lazy("Item put back"),
    "answer.set_aside": gettext_lazy("Answer set aside"),
    "answer.adopted": gettext_lazy("Answer adopted"),
    "place.released": gettext_lazy("Place released"),
    "work.withdrawn": gettext_lazy("Work withdrawn"),
    "job.again": gettext_lazy("Job run again"),
    "job.cancelled": gettext_lazy("Job cancelled"),
    "briefs.drawn": gettext_lazy("Briefs drawn"),
    "briefs.given": gettext_lazy("Briefs given"),
    "tasks.made": gettext_lazy("Translation tasks made"),
    "sample.published": gettext_lazy("Sample published"),
    "work.taken": gettext_lazy("Draft taken away"),
    "account.made": gettext_lazy("Account made"),
    "account.erased": gettext_lazy("Account erased"),
    "password_link.made": gettext_lazy("Password link made"),
    "password.set": gettext_lazy("Password set by link"),
    "password.changed": gettext_lazy("Password changed"),
    "email.changed": gettext_lazy("E-mail address changed"),
    "token.made": gettext_lazy("API token made"),
    "token.revoked": gettext_lazy("API tokens revoked"),
    "second_factor.added": gettext_lazy("Second factor set up"),
    "second_factor.removed": gettext_lazy("Second factor removed"),
    "second_factor.reset": gettext_lazy("Second factor reset"),
    "session.ended": gettext_lazy("Sessions ended"),
}
SOURCES: dict[str, Any] = {
    "page": gettext_lazy("Page"),
    "api": gettext_lazy("API"),
    "command": gettext_lazy("Command line"),
}
# what the number in ``target`` counts, by the first word of the kind
NUMBERED: dict[str, Any] = {
    "invitation": gettext_lazy("invitation %s"),
    "job": gettext_lazy("job %s"),
}
FIELDS = ("at", "project", "actor", "kind", "target", "subject", "detail", "source")


def events_of(
    project: Project | None,
    kind: str = "",
    person: int | None = None,
    since: datetime | None = None,
) -> QuerySet[AuditEvent]:
    """The events of a project (of the whole site for None), the newest first."""
    events = AuditEvent.objects.select_related(
        "project", "actor", "actor_person", "subject", "subject_person"
    )
    if project is not None:
        events = events.filter(project=project)
    if kind:
        events = events.filter(kind=kind)
    if person is not None:
        events = events.filter(actor_person=person)
    if since is not None:
        events = events.filter(at__gte=since)
    return events.order_by("-id")


def actors_of(project: Project) -> list[Participant]:
    """The people of the project who stand in its log as those who did something."""
    known = AuditEvent.objects.filter(project=project, actor_person__isnull=False)
    people = project.participants.filter(pk__in=known.values("actor_person_id"))
    return sorted(people.select_related("user"), key=str)


def row(event: AuditEvent) -> dict[str, Any]:
    """The event with the names that people have now; whoever was erased stands as a pseudonym."""
    return {
        "at": event.at.isoformat(timespec="seconds"),
        "project": event.project.slug if event.project else "",
        "actor": _name(event.actor_id, event.actor, event.actor_person) or _("the command line"),
        "kind": event.kind,
        "target": event.target,
        "subject": _name(event.subject_id, event.subject, event.subject_person),
        "detail": event.detail,
        "source": event.source,
    }


def _name(pk: int | None, user: User | None, person: Participant | None) -> str:
    if user is not None:
        return user.get_username()
    if person is not None:
        return person.pseudonym
    return _("an erased account") if pk is not None else ""


def target(event: AuditEvent) -> str:
    """What the event is about, in words: ids alone say nothing."""
    about = event.kind.partition(".")[0]
    if event.target.isdigit() and about in NUMBERED:
        return NUMBERED[about] % event.target
    return event.target


class _Echo:
    def write(self, value: str) -> str:
        return value


def as_csv(events: Iterable[AuditEvent]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(FIELDS)
    for event in events:
        found = row(event) | {"detail": json.dumps(event.detail, ensure_ascii=False)}
        yield writer.writerow(guarded_row(found[name] for name in FIELDS))


def as_jsonl(events: Iterable[AuditEvent]) -> Iterator[str]:
    for event in events:
        yield json_line(row(event))


DOWNLOADS = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "jsonl": (as_jsonl, "application/x-ndjson"),
}
