"""Offers: which place an annotator is given next, asked in one query."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from itertools import product
from typing import Any

from django.db import connection

from annotation import access
from annotation.models import Assignment, Participant
from annotation.order import RANGE, starting_point
from annotation.selectors.barred import not_barred, unanswered

log = logging.getLogger(__name__)

# Written by hand, because building these queries anew cost more than all the rest of a claim.
MAY = not_barred("p.item_id", "%(person)s", "%(pseudonym)s")
EXPIRED = "p.state = 'claimed' AND p.leased_until < %(now)s"
BEGUN = "p.state = 'open' AND p.begun = 1"
# Of an untouched item only the first place is looked at, so that two people who come at once lock
# different items.
UNTOUCHED = "p.state = 'open' AND p.begun = 0 AND p.ordinal = 1"
# The walk upward from the person's starting point, then around. Each language is asked by itself:
# the index gives its first row at once. The parts of the walk are rows, and not queries of their
# own, since PostgreSQL takes longer to plan a query than to run it.
WALK = "(0, {language}, %(start)s, {end}), (1, {language}, 0, %(start)s)"
# The limit is never reached: without it PostgreSQL would look for each place twice, and with a join
# for the number it would read all places.
FIRST = """(
    SELECT found.id FROM (
        SELECT walk.turn, (
            SELECT p.id FROM annotation_assignment p
            WHERE p.project_id = %(project)s AND p.language = walk.language AND p.offered = 1
              AND {what} AND p.number >= walk.low AND p.number < walk.high AND {may}
            ORDER BY p.number, p.ordinal LIMIT 1) AS id
        FROM walk LIMIT 1000000) found
    WHERE found.id IS NOT NULL
    ORDER BY found.turn, (SELECT f.number FROM annotation_assignment f WHERE f.id = found.id)
    LIMIT 1)"""
SOONEST = """(
    SELECT p.id FROM annotation_assignment p
    WHERE p.project_id = %(project)s AND {what} AND p.offered = 1
      AND p.language IN (SELECT walk.language FROM walk) AND {may}
    ORDER BY p.number < %(start)s, p.number, p.ordinal LIMIT 1)"""
HELD = "p.annotator_id = %(person)s AND p.state = 'claimed'"
OWN = f"""(
    SELECT p.id FROM annotation_assignment p
    WHERE {HELD} AND p.offered = 1 AND p.id <> %(after)s
    ORDER BY p.id LIMIT 1)"""  # noqa: S608 - of constants
# Who is ahead of the others has begun most of what is open.
OTHERS_BEGAN = f"{BEGUN} AND {unanswered('p.item_id', '%(person)s')}"
REST = ((SOONEST, EXPIRED), (FIRST, OTHERS_BEGAN), (FIRST, UNTOUCHED))
BEST = "COALESCE({})".format(
    ", ".join([OWN, *(query.format(what=what, may=MAY) for query, what in REST)])
)
# What was free when the query looked may be another's when its row is locked: look once more.
FREE = """
    SELECT p.* FROM annotation_assignment p
    WHERE p.id = {one} AND p.offered = 1 AND (p.state = 'open' OR {free})
    {lock}
""".replace("{free}", f"{EXPIRED} OR {HELD}")
NEXT = "WITH walk (turn, language, low, high) AS (VALUES {walk})" + FREE
WAIT = "FOR NO KEY UPDATE OF p"
LOCK = f"{WAIT} SKIP LOCKED"
CANDIDATE = """
    SELECT p.* FROM annotation_assignment p
    WHERE p.project_id = %(project)s AND p.language = %({language})s AND p.offered = 1
      AND {what} AND {may}
    ORDER BY p.number, p.ordinal LIMIT 1 {lock}
""".replace("{may}", MAY)
KINDS = (EXPIRED, BEGUN, UNTOUCHED)
ANY = (EXPIRED, "p.state = 'open'")
HALVES = ("p.number >= %(start)s", "p.number < %(start)s")
TRIES = 100  # each in vain is a place that another got meanwhile


@cache
def _next_query(languages: int, lock: str) -> str:
    parts = (WALK.format(language=f"%(language{at})s", end=RANGE) for at in range(languages))
    return NEXT.format(walk=", ".join(parts), one=BEST, lock=lock)


def next_place(person: Participant, now: datetime, after: int | None) -> Assignment | None:
    """The next place for the annotator, locked; None when nothing is left. Run it in a transaction.

    A place the person holds comes first, but for ``after``. The rest kind by kind (expired, begun
    by others, untouched): upward from the person's starting point, then around.
    """
    languages = {
        f"language{at}": language
        for at, language in enumerate(access.languages_of(person, access.Role.ANNOTATOR))
    }
    if not languages:
        return _held(person, after)
    values = languages | {
        "project": person.project_id,
        "person": person.pk,
        "pseudonym": person.pseudonym,
        "start": starting_point(person.project.seed, person.pseudonym),
        "now": connection.ops.adapt_datetimefield_value(now),
        "after": after or 0,
    }
    skip = connection.features.has_select_for_update_skip_locked
    for place in Assignment.objects.raw(_next_query(len(languages), LOCK if skip else ""), values):
        return place
    found = _held(person, after) or (_unlocked(languages, values) if skip else None)
    return found or _waited_for(languages, values)


def _held(person: Participant, after: int | None) -> Assignment | None:
    """A place the person holds, once nobody else changes it."""
    held = Assignment.objects.filter(annotator=person, state=Assignment.State.CLAIMED, offered=1)
    others = held if after is None else held.exclude(pk=after)
    return others.select_for_update(no_key=True).order_by("id").first()


def _unlocked(languages: Iterable[str], values: dict[str, Any]) -> Assignment | None:
    """The next place that nobody else has under a lock, where the best one was: kind by kind."""
    for kind, half in product(KINDS, HALVES):
        found = [
            place
            for language in languages
            for place in Assignment.objects.raw(
                CANDIDATE.format(lock=LOCK, what=f"{kind} AND {half}", language=language), values
            )
        ]
        if found:
            return min(found, key=lambda place: place.number)
    return None


def _waited_for(languages: Iterable[str], values: dict[str, Any]) -> Assignment | None:
    """A place that somebody else has locked, once they are done; None when nothing is left.

    Who imports, frees or changes the number of places may hold all of them for a moment: nobody is
    to read meanwhile that everything is done. Every open place is looked at, whatever its row says
    of its item, so that none is lost to all.
    """
    locks = connection.features.has_select_for_update
    each = [
        CANDIDATE.format(lock="", what=what, language=language)
        for what in ANY
        for language in languages
    ]
    chosen = FREE.format(one="%(place)s", lock=WAIT if locks else "")
    for _try in range(TRIES):
        left = [place for query in each for place in Assignment.objects.raw(query, values)]
        if not left:
            return None
        for place in Assignment.objects.raw(chosen, values | {"place": left[0].pk}):
            if place.state == Assignment.State.OPEN and not place.begun and place.ordinal > 1:
                log.warning("place %d was not on offer: others of its item are taken", place.pk)
            return place
        found = _unlocked(languages, values) if locks else None  # the one waited for is taken
        if found is not None:
            return found
    return None
