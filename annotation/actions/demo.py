"""The demo project: made once, with accounts whose password everybody knows."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.imports import import_items
from annotation.actions.people import add_member
from annotation.actions.places import claim
from annotation.actions.projects import create_project
from annotation.demo.pictures import Drawn
from annotation.demo.records import demo_file
from annotation.errors import Refused
from annotation.models import Membership, Project, User

SLUG = "demo"
LANGUAGES = ["en", "fr", "it", "zh"]
PASSWORD = "clover-and-hay-24"  # noqa: S105 - public by intent; never in production
COORDINATOR = "coordinator"
ANNOTATORS = ("annotator1", "annotator2", "annotator3")


@dataclass(frozen=True)
class Part:
    """What another app adds to the demo: people, name -> (role, languages), and work of theirs.

    ``fill`` is called once with the project and its coordinator, when the people are in it.
    """

    people: Mapping[str, tuple[str, list[str]]]
    fill: Callable[[Project, User], None]


PARTS: list[Part] = []


def add_part(part: Part) -> None:
    if part not in PARTS:
        PARTS.append(part)


def accounts() -> tuple[str, ...]:
    """The names of the demo's accounts; all have the one password."""
    return (COORDINATOR, *ANNOTATORS, *(name for part in PARTS for name in part.people))


@transaction.atomic
def make_demo() -> bool:
    """Make the project ``demo`` with its people, items and first answers; False if it is there.

    Raises `Refused` on a site in production, and where a project or an account of these names
    is not the demo's.
    """
    if settings.PRODUCTION:
        message = _(
            "The demo’s passwords are public, so a site with a PUBLIC_URL gets none: "
            "use create_project and add_member, or “make demo” on your own machine."
        )
        raise Refused(("demo", message))
    project = Project.objects.filter(slug=SLUG).first()
    if project is not None:
        names = _check_people()
        for part in PARTS:  # a demo that was made before there was this part gets it now
            if not names & part.people.keys():
                _check_free(*part.people)
                _fill_part(project, part)
        return False
    _check_free(*accounts())
    project = create_project(None, SLUG, "sheep", LANGUAGES, 3, _("Demo"))
    _fill(project)
    for part in PARTS:
        _fill_part(project, part)
    return True


def _check_free(*names: str) -> None:
    taken = User.objects.filter(username__in=names).values_list("username", flat=True)
    if taken:
        message = _("There are accounts already: %s. Set SHEEPFOLD_DATA to a new folder.")
        raise Refused(("demo", message % ", ".join(sorted(taken))))


def _check_people() -> set[str | None]:
    """The demo's people; refuse a project of that name that is somebody's own."""
    members = Membership.objects.filter(participant__project__slug=SLUG)
    names: set[str | None] = set(members.values_list("participant__user__username", flat=True))
    if COORDINATOR not in names or not names & set(ANNOTATORS):
        message = _("The project %s is not the demo: set SHEEPFOLD_DATA to a new folder.")
        raise Refused(("demo", message % SLUG))
    return names


def _fill(project: Project) -> None:
    add_member(None, project, COORDINATOR, Membership.Role.COORDINATOR, [], PASSWORD)
    pseudonyms = {}
    for name in ANNOTATORS:
        person, _made = add_member(None, project, name, Membership.Role.ANNOTATOR, [], PASSWORD)
        pseudonyms[name] = person.pseudonym
    source = io.BytesIO(demo_file(pseudonyms, timezone.now()))
    report = import_items(
        None, project, source, "demo.jsonl", "jsonl", Drawn(), with_annotations=True
    )
    if report.refusals:
        raise Refused(*(("demo", str(refusal)) for refusal in report.refusals))
    # A draft that comes with a file counts as expired; its annotator takes it up again.
    claim(User.objects.get(username=ANNOTATORS[0]), project.slug)


def _fill_part(project: Project, part: Part) -> None:
    for name, (role, languages) in part.people.items():
        add_member(None, project, name, role, languages, PASSWORD)
    part.fill(project, User.objects.get(username=COORDINATOR))
