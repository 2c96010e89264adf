"""Changing a project's settings, and with them the number of its places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Set
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import access
from annotation.actions.audit import note
from annotation.actions.fitting import add_missing, fit_places
from annotation.actions.locks import lock_project
from annotation.actions.places import lock_places
from annotation.actions.projects import checked_languages
from annotation.actions.seen import changed_by_person
from annotation.errors import Problem, Refused
from annotation.models import (
    Assignment,
    Invitation,
    Item,
    Membership,
    Project,
    Span,
    User,
)
from annotation.selectors.invitations import state_of

CHANGEABLE = (
    "name",
    "guidelines",
    "writer_guidelines",
    "per_item",
    "overlap_allowed",
    "lease_minutes",
    "idle_seconds",
)
SEEN = (*CHANGEABLE, "languages")


def problems_from(error: ValidationError) -> list[Problem]:
    return [
        Problem(field, message)
        for field, messages in error.message_dict.items()
        for message in messages
    ]


@transaction.atomic
def change_settings(
    by: User | None, project: Project, languages: list[str], seen: str = "", **values: Any
) -> None:
    """Change what stands in ``values`` (names in `CHANGEABLE`) and the languages.

    With ``seen``, what a form showed (`seen_of` of `SEEN`), only that which differs from it: raises
    `Overtaken` where somebody else changed the same meanwhile.

    More people per item makes the missing places of every item; fewer takes open places away and
    never one that somebody holds or has filled. Raises `Refused`, and then changes nothing.
    """
    before = lock_project(project)
    access.check_coordinator(by, project)
    for name in values:
        if name not in CHANGEABLE:
            raise Refused((name, _("This cannot be changed.")))
    changed = changed_by_person(before, values | {"languages": languages}, seen)
    for name in SEEN:  # the rest as it stands now, whenever the project was read
        setattr(project, name, changed.get(name, getattr(before, name)))
    codes = checked_languages(project.languages, before.languages)
    used = _uses(project, codes) + _named(project, set(before.languages) - set(codes))
    if used:
        raise Refused(*(Problem("languages", message) for message in used))
    project.languages = codes
    try:
        project.full_clean(exclude=["slug", "seed", "pseudonym_key"])
    except ValidationError as error:
        raise Refused(*problems_from(error)) from None
    if before.overlap_allowed and not project.overlap_allowed:
        lock_places(Item.objects.filter(project=project))  # no save comes between
        _check_overlaps(project)
    project.save(update_fields=SEEN)
    note(by, "settings.changed", project, **_changes(before, project))
    if before.per_item != project.per_item:
        _fit_places(project)


def _changes(before: Project, after: Project) -> dict[str, Any]:
    """The fields that differ, with the values before and after; of long texts the name alone."""
    pairs = {name: [getattr(before, name), getattr(after, name)] for name in SEEN}
    texts = ("guidelines", "writer_guidelines")
    return {
        name: "" if name in texts else pair for name, pair in pairs.items() if pair[0] != pair[1]
    }


def _uses(project: Project, codes: Collection[str]) -> list[str]:
    """What is written in a language that is not among ``codes``, of this app and of the others."""
    found = []
    for relation in Project._meta.related_objects:
        model: Any = relation.related_model
        names = {field.name for field in model._meta.fields}
        if model is Assignment or "language" not in names:  # a place has its item's language
            continue
        rows = model.objects.filter(**{relation.field.name: project}).exclude(language__in=codes)
        for code in rows.order_by("language").values_list("language", flat=True).distinct():
            values = {"what": model._meta.verbose_name_plural, "language": code}
            found.append(_("There are %(what)s in %(language)s: keep it.") % values)
    return found


def _named(project: Project, gone: Set[str]) -> list[str]:
    """Who works, or is invited to work, in a language that is to go."""
    people: dict[str, set[str]] = defaultdict(set)
    members = Membership.objects.filter(participant__project=project)
    for member in members.select_related("participant__user"):
        for code in gone & set(member.languages):
            people[code].add(str(member.participant))
    found = []
    for code in sorted(people):
        values = {"people": ", ".join(sorted(people[code])), "language": code}
        text = _("%(language)s is a language of %(people)s: keep it, or change their roles first.")
        found.append(text % values)
    for invitation in project.invitations.order_by("pk"):
        if gone & set(invitation.languages) and state_of(invitation) == Invitation.State.OPEN:
            listed = ", ".join(sorted(gone & set(invitation.languages)))
            role = Membership.Role(invitation.role).label
            text = _("An open invitation as %(role)s names %(languages)s: revoke it first.")
            found.append(text % {"role": role, "languages": listed})
    return found


def _fit_places(project: Project) -> None:
    """Give every item the project's number of places; take open ones beyond it away.

    A place that somebody holds or has filled stays; one that somebody once had is closed.
    """
    lock_places(Item.objects.filter(project=project))
    fit_places(project.items.values_list("pk", flat=True), project.per_item)
    add_missing(project)


def _check_overlaps(project: Project) -> None:
    """Refuse to forbid overlapping while answers have spans that overlap."""
    later = Span.objects.filter(
        annotation=OuterRef("annotation"),
        ordinal__gt=OuterRef("ordinal"),
        start__lt=OuterRef("end"),
        end__gt=OuterRef("start"),
    )
    spans = Span.objects.filter(Exists(later), annotation__item__project=project)
    count = spans.values("annotation").distinct().count()
    if count:
        message = ngettext(
            "%d answer has spans that overlap: keep this on.",
            "%d answers have spans that overlap: keep this on.",
            count,
        )
        raise Refused(("overlap_allowed", message % count))
