"""Making a project."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.actions.audit import note
from annotation.actions.people import give_role
from annotation.errors import Forbidden, Problem, Refused
from annotation.labelsets import load_label_set
from annotation.models import Label, Membership, Project, User
from annotation.visible import is_blank

# BCP 47: language, script, region, variants, extensions, private use.
LANGUAGE = re.compile(
    r"[a-z]{2,3}(-[a-z]{3}){0,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?"
    r"(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(-[0-9a-wyz](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?",
    re.ASCII | re.IGNORECASE,
)
SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,49}")


def may_create(user: User) -> bool:
    """Who coordinates a project (or is a superuser) may make another."""
    return bool(
        user.is_superuser
        or Membership.objects.filter(
            participant__user=user, role=Membership.Role.COORDINATOR
        ).exists()
    )


def checked_languages(languages: list[str], kept: Collection[str] = ()) -> list[str]:
    """The codes without repeats; `Refused` for none or for what is no language code.

    ``kept`` are codes that the project has already, which are taken whatever they look like.
    """
    codes = list(dict.fromkeys(code.strip() for code in languages if code.strip()))
    if not codes:
        raise Refused(("languages", _("Give at least one language code, such as en.")))
    for code in codes:
        if code not in kept and (not LANGUAGE.fullmatch(code) or len(code) > 35):
            text = _("“%s” is no language code: give codes such as en, pt-BR or zh-Hans.")
            raise Refused(("languages", text % code))
    for code, other in _same(codes):
        if code not in kept or other not in kept:
            text = _("“%(code)s” and “%(other)s” are one language: give one of them.")
            raise Refused(("languages", text % {"code": code, "other": other}))
    return codes


def _same(codes: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs of codes that differ by the case of letters alone, which in a tag says nothing."""
    first: dict[str, str] = {}
    for code in codes:
        other = first.setdefault(code.lower(), code)
        if other != code:
            yield other, code


def create_project(
    by: User | None,
    slug: str,
    labels: str | dict[str, Any],
    languages: list[str],
    per_item: int = 3,
    name: str = "",
) -> Project:
    """Make a project with its label set; ``by`` becomes its coordinator.

    ``labels`` is the name of a set, a path, or a checked set. Raises `Refused`, or `Forbidden`
    where ``by`` coordinates nothing yet.
    """
    if by is not None and not may_create(by):
        raise Forbidden("create_project")
    problems = []
    if not SLUG.fullmatch(slug):
        problems.append(Problem("slug", _("Use letters, digits, dash and underscore, at most 50.")))
    if len(name) > 200 or "\x00" in name:
        problems.append(Problem("name", _("A name has at most 200 characters.")))
    if name and is_blank(name):
        problems.append(Problem("name", _("Nothing of this can be seen.")))
    if not 1 <= per_item <= 50:
        problems.append(Problem("per_item", _("Between 1 and 50 people per item.")))
    if problems:
        raise Refused(*problems)
    label_set = load_label_set(labels) if isinstance(labels, str) else labels
    codes = checked_languages(languages)
    try:
        with transaction.atomic():
            project = Project.objects.create(
                slug=slug,
                name=name or slug,
                languages=codes,
                per_item=per_item,
                guidelines=label_set["guidelines"],
                writer_guidelines=label_set["writer_guidelines"],
            )
            Label.objects.bulk_create(Label(project=project, **row) for row in label_set["labels"])
            if by is not None:
                give_role(project, by, Membership.Role.COORDINATOR, [])
            note(by, "project.made", project, slug, languages=codes, per_item=per_item)
    except IntegrityError:
        raise Refused(("slug", _("There is a project %s already.") % slug)) from None
    return project
