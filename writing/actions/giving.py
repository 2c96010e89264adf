"""Giving briefs to writers, and taking them back."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.access import check_coordinator
from annotation.actions.audit import note
from annotation.actions.locks import lock_project
from annotation.errors import Problem, Refused
from annotation.models import Membership, Participant, Project, User
from writing.models import Brief, Sample
from writing.selectors.balance import GONE


@transaction.atomic
def give_briefs(
    by: User | None, project: Project, briefs: Collection[int], writer: int | None
) -> int:
    """Give briefs of the project to a writer, or to nobody (None): then whoever begins has it.

    How many changed. Raises `Refused`, and then changes nothing, for a brief that is shared, that
    somebody else has begun, or whose language the writer does not write in.
    """
    project = lock_project(project)
    check_coordinator(by, project)
    if not briefs:
        raise Refused(("brief", _("Choose at least one brief.")))
    found = Brief.objects.filter(project=project, pk__in=briefs)
    rows = list(found.select_for_update(no_key=True).order_by("pk"))
    if len(rows) != len(set(briefs)):
        raise Refused(("brief", _("One of these briefs is not there: load the page again.")))
    person = None if writer is None else writer_of(project, writer)
    languages = [] if person is None else languages_of(project, person)
    begun = dict(
        Sample.objects.filter(brief__in=rows, parent=None)
        .exclude(state__in=GONE)
        .values_list("brief_id", "writer_id")
    )
    problems = []
    for brief in rows:
        if brief.shared:
            problems.append(Problem("brief", _("%s is shared: every writer has it.") % brief.key))
        elif brief.pk in begun and begun[brief.pk] != (person and person.pk):
            problems.append(Problem("brief", _("Somebody has begun %s already.") % brief.key))
        elif person is not None and brief.language not in languages:
            values = {"person": person, "language": brief.language, "key": brief.key}
            text = _("%(person)s does not write in %(language)s, the language of %(key)s.")
            problems.append(Problem("writer", text % values))
    if problems:
        raise Refused(*problems)
    changed = [b for b in rows if (b.writer_id, b.given) != (person and person.pk, bool(person))]
    for brief in changed:
        brief.writer, brief.given = person, person is not None
        brief.save(update_fields=["writer", "given"])
    note(by, "briefs.given", project, subject=person, count=len(changed))
    return len(changed)


def writer_of(project: Project, pk: int) -> Participant:
    """A writer of the project; `Refused` where there is none with the id."""
    person = project.participants.filter(pk=pk, memberships__role=Membership.Role.WRITER).first()
    if person is None:
        raise Refused(("writer", _("Choose a writer of this project.")))
    return person


def languages_of(project: Project, person: Participant) -> list[str]:
    """The languages that the person writes in."""
    membership = person.memberships.get(role=Membership.Role.WRITER)
    return list(membership.languages or project.languages)
