"""Translations: what a post-editor has to do, what of the matrix is done, how much was edited."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When

from annotation.models import Participant, Project
from writing.distance import word_list
from writing.models import Sample
from writing.selectors.balance import GONE
from writing.selectors.families import DONE, SOURCES

State = Sample.State
SENT = (State.SUBMITTED, *DONE)
OPEN = (State.DRAFT, State.RETURNED)
IN_ORDER = (State.RETURNED, State.DRAFT, State.SUBMITTED, State.ACCEPTED, State.PUBLISHED)


def translations_of(project: Project) -> QuerySet[Sample]:
    return Sample.objects.filter(project=project, root__isnull=False).exclude(state__in=GONE)


def tasks_for(person: Participant, languages: list[str]) -> QuerySet[Sample]:
    """Free translations of the languages in the order in which they were made."""
    free = translations_of(person.project).filter(writer=None, language__in=languages)
    return free.select_related("root", "label", "brief").order_by("pk")


def own_translations(person: Participant) -> QuerySet[Sample]:
    """The person's translations: returned ones first, then what was begun, then what was sent."""
    rank = Case(
        *(When(state=state, then=Value(at)) for at, state in enumerate(IN_ORDER)),
        default=Value(len(IN_ORDER)),
        output_field=IntegerField(),
    )
    mine = translations_of(person.project).filter(writer=person)
    return mine.select_related("root", "label", "brief").order_by(rank, "-saved_at", "-pk")


def next_task(person: Participant, languages: list[str]) -> Sample | None:
    """What the person is to go on with: their own that is open, or else a free one."""
    mine = own_translations(person).filter(state__in=OPEN).first()
    return mine or tasks_for(person, languages).first()


@dataclass(frozen=True)
class Cell:
    """One source and target: ``wanted`` accepted sources, and how far their translations are.

    Every source counts once, whichever of its versions was translated; of those that are counted
    ``changed`` rest on an older version than there is.
    """

    wanted: int = 0
    free: int = 0
    working: int = 0
    sent: int = 0
    done: int = 0
    impossible: int = 0
    changed: int = 0

    @property
    def missing(self) -> int:
        """Sources of which there is no translation to be worked on yet."""
        return self.wanted - self.free - self.working - self.sent - self.done - self.impossible


def matrix(project: Project) -> dict[str, dict[str, Cell]]:
    """Source language -> target language -> `Cell`; two queries."""
    roots = Sample.objects.filter(SOURCES, project=project)
    wanted = dict(roots.order_by().values_list("language").annotate(n=Count("pk")))
    blank = Q(untranslatable="")
    free = Q(writer=None)
    rows = (
        translations_of(project)
        .filter(Q(replaces=None) | Q(state=State.PUBLISHED))
        .order_by()
        .values("root__language", "language")
        .annotate(
            free=Count("pk", filter=free),
            working=Count("pk", filter=~free & Q(state__in=OPEN)),
            sent=Count("pk", filter=Q(state=State.SUBMITTED)),
            done=Count("pk", filter=blank & Q(state__in=DONE)),
            impossible=Count("pk", filter=~blank & Q(state__in=DONE)),
            changed=Count("pk", filter=Q(stale=True)),
        )
    )
    found = {
        (row["root__language"], row["language"]): {
            "free": row["free"],
            "working": row["working"],
            "sent": row["sent"],
            "done": row["done"],
            "impossible": row["impossible"],
            "changed": row["changed"],
        }
        for row in rows
    }
    return {
        source: {
            target: Cell(wanted.get(source, 0), **found.get((source, target), {}))
            for target in project.languages
            if target != source
        }
        for source in project.languages
    }


@dataclass(frozen=True)
class PairReport:
    """Post-editing from one language into another: means over the translations that were sent."""

    source: str
    target: str
    number: int
    characters: float
    words: float
    untouched: float


def report(project: Project) -> list[PairReport]:
    """How much of the machine's translations was changed, by pair of languages; one query.

    An edit rate is the Levenshtein distance over the length of the machine's text, which may be
    more than 1. Translations without a machine's text, or flagged as impossible, do not count.
    """
    rows = (
        translations_of(project)
        .filter(state__in=SENT, untranslatable="", char_distance__isnull=False)
        .exclude(machine="")
        .order_by()
        .values_list("root__language", "language", "machine", "char_distance", "word_distance")
    )
    rates: dict[tuple[str, str], list[tuple[float, float, bool]]] = defaultdict(list)
    for source, target, machine, characters, words in rows.iterator():
        by_word = (words or 0) / max(1, len(word_list(machine)))
        rate = (characters or 0) / len(machine)
        rates[str(source), target].append((rate, by_word, characters == 0))
    return [
        PairReport(
            source,
            target,
            len(found),
            *(sum(part) / len(found) for part in zip(*found, strict=True)),
        )
        for source in project.languages
        for target in project.languages
        if (found := rates.get((source, target)))
    ]


def pairs_by_source(project: Project, rows: list[PairReport]) -> list[dict[str, Any]]:
    """The report as the paper's table: a row for each source, a cell for each target."""
    found = {(row.source, row.target): row for row in rows}
    return [
        {
            "source": source,
            "cells": [found.get((source, target)) for target in project.languages],
        }
        for source in project.languages
    ]
