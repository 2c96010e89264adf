"""Offers: which place an annotator is given next, asked in one query."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from itertools import product
from typing import Any

from django.db import connection, transaction
from django.db.models import OuterRef, Subquery

from annotation import access
from annotation.models import Annotation, Assignment, Participant
from annotation.order import RANGE, starting_point
from annotation.selectors.barred import not_barred, not_listed

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
# In their order first, so that the rule is asked of no more than the first that it lets through.
SOONEST = """(
    SELECT soon.id FROM (
        SELECT p.id, p.item_id, p.number < %(start)s AS around, p.number, p.ordinal
        FROM annotation_assignment p
        WHERE p.project_id = %(project)s AND {what} AND p.offered = 1
          AND p.language IN (SELECT walk.language FROM walk)
        ORDER BY around, p.number, p.ordinal LIMIT 1000000) soon
    WHERE {may}
    ORDER BY soon.around, soon.number, soon.ordinal LIMIT 1)""".replace(
    "{may}", not_barred("soon.item_id", "%(person)s", "%(pseudonym)s")
)
HELD = "p.annotator_id = %(person)s AND p.state = 'claimed'"
# What was begun comes back before what was fetched ahead. The order is the annotations', also since
# PostgreSQL would walk through all places in that of their own index.
OWN = f"""(
    SELECT p.id FROM annotation_assignment p
    WHERE {HELD} AND p.offered = 1 AND p.id <> %(after)s
    ORDER BY (SELECT o.id FROM annotation_annotation o
              WHERE o.item_id = p.item_id AND o.annotator_id = p.annotator_id) LIMIT 1)"""  # noqa: S608 - of constants
# Who is ahead of the others has begun most of what is open.
NOT_LISTED = not_listed("p.item_id", "%(person)s")
OTHERS_BEGAN = f"{BEGUN} AND {NOT_LISTED}"
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
# Whoever meets another at a begun item walks on, and does not wait or look again: people who follow
# the same one who is ahead would else meet at each item. An untouched item is not walked past: who
# takes one waits for the rest of its places, with no other place under a lock. The range is one of
# rows, and a few of it are looked at: of two bounds of numbers that it does not know PostgreSQL
# takes so little to lie between them that it would read and sort them all.
NEXT = """
    WITH walk (turn, language, low, high) AS (VALUES {walk}),
    best AS (
        SELECT b.*, CASE WHEN b.walks THEN {end} ELSE b.number END AS last
        FROM (SELECT o.*, o.state = 'open' AND o.begun = 1 AS walks
              FROM annotation_assignment o WHERE o.id = {one}) b)
    SELECT p.* FROM (
        SELECT p.id, p.number, p.ordinal FROM annotation_assignment p
        WHERE p.project_id = %(project)s AND p.offered = 1
          AND p.language = (SELECT language FROM best)
          AND p.state = (SELECT state FROM best) AND p.begun = (SELECT begun FROM best)
          AND (p.number, p.ordinal) >= ((SELECT number FROM best), 0)
          AND (p.number, p.ordinal) <= ((SELECT last FROM best), 32767)
          AND (p.id = (SELECT id FROM best) OR (SELECT walks FROM best) AND {may})
        ORDER BY p.number, p.ordinal LIMIT {near}) near
    JOIN annotation_assignment p ON p.id = near.id
    WHERE p.offered = 1 AND p.language = (SELECT language FROM best)
      AND p.state = (SELECT state FROM best) AND p.begun = (SELECT begun FROM best)
      AND (p.state = 'open' OR {free})
    ORDER BY near.number, near.ordinal LIMIT 1
    {lock}
""".replace("{free}", f"{EXPIRED} OR {HELD}").replace("{may}", f"{NOT_LISTED} AND {MAY}")
WAIT = "FOR NO KEY UPDATE OF p"
LOCK = f"{WAIT} SKIP LOCKED"
CANDIDATE = """
    SELECT p.* FROM annotation_assignment p
    WHERE p.project_id = %(project)s AND p.language = %({language})s AND p.offered = 1
      AND {what} AND {may}
    ORDER BY p.number, p.ordinal LIMIT 1 {lock}
""".replace("{may}", MAY)
STILL = f"SELECT p.id FROM annotation_assignment p WHERE p.id = %(place)s AND {MAY}"  # noqa: S608
KINDS = (EXPIRED, BEGUN, UNTOUCHED)
ANY = (EXPIRED, "p.state = 'open'")
HALVES = ("p.number >= %(start)s", "p.number < %(start)s")
NEAR = 16  # places that others may have locked at a time: more than a host answers people at once
TRIES = 100  # each in vain is a place that another got meanwhile


@cache
def _next_query(languages: int, lock: str) -> str:
    parts = (WALK.format(language=f"%(language{at})s", end=RANGE) for at in range(languages))
    return NEXT.format(walk=", ".join(parts), one=BEST, end=RANGE, near=NEAR, lock=lock)


def next_place(person: Participant, now: datetime, after: int | None) -> Assignment | None:
    """The next place for the annotator, locked; None where `waited_place` is to be asked.

    A place the person holds comes first, but for ``after``. The rest kind by kind (expired, begun
    by others, untouched): upward from the person's starting point, then around; past begun items
    that others have locked. Run it in a transaction, and end that where the answer is None:
    PostgreSQL keeps the lock of a row that somebody else took just now, and whoever waited with it
    would stop others.
    """
    languages = _languages(person)
    if not languages:
        return None
    lock = LOCK if connection.features.has_select_for_update_skip_locked else ""
    values = _values(person, now, languages) | {"after": after or 0}
    for place in Assignment.objects.raw(_next_query(len(languages), lock), values):
        # An import that the query did not see yet may have changed the language.
        if place.annotator_id == person.pk or place.language in languages.values():
            return place
    return None


def waited_place(person: Participant, now: datetime, after: int | None) -> Assignment | None:
    """The same where others have places locked, waiting for them; None when nothing is left."""
    held = _held(person, after)
    languages = _languages(person)
    if held or not languages:
        return held
    values = _values(person, now, languages)
    skip = connection.features.has_select_for_update_skip_locked
    found = _unlocked(languages, values) if skip else None
    return found or _waited_for(languages, values)


def _languages(person: Participant) -> dict[str, str]:
    found = access.languages_of(person, access.Role.ANNOTATOR)
    return {f"language{at}": language for at, language in enumerate(found)}


def _values(person: Participant, now: datetime, languages: Mapping[str, str]) -> dict[str, Any]:
    return {
        **languages,
        "project": person.project_id,
        "person": person.pk,
        "pseudonym": person.pseudonym,
        "start": starting_point(person.project.seed, person.pseudonym),
        "now": connection.ops.adapt_datetimefield_value(now),
    }


def _held(person: Participant, after: int | None) -> Assignment | None:
    """A place the person holds, once nobody else changes it."""
    held = Assignment.objects.filter(annotator=person, state=Assignment.State.CLAIMED, offered=1)
    others = held if after is None else held.exclude(pk=after)
    begun = Annotation.objects.filter(item=OuterRef("item"), annotator=person).values("pk")
    # One at a time: whoever waited for the second with a vain lock on the first would stop those
    # who lock places by id.
    for pk in list(others.order_by(Subquery(begun)).values_list("pk", flat=True)):
        with transaction.atomic():
            place = others.filter(pk=pk).select_for_update(no_key=True).first()
            if place is not None:
                return place
            transaction.set_rollback(True)  # as in `_once_free`
    return None


def _unlocked(languages: Iterable[str], values: dict[str, Any]) -> Assignment | None:
    """The next place that nobody else has under a lock, where the best one was: kind by kind."""
    for kind, half in product(KINDS, HALVES):
        with transaction.atomic():
            found = [
                place
                for language in languages
                for place in Assignment.objects.raw(
                    CANDIDATE.format(lock=LOCK, what=f"{kind} AND {half}", language=language),
                    values,
                )
            ]
            if found:
                return min(found, key=lambda place: place.number)
            transaction.set_rollback(True)  # as in `_once_free`
    return None


def _waited_for(languages: Mapping[str, str], values: dict[str, Any]) -> Assignment | None:
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
    for _try in range(TRIES):
        left = [place for query in each for place in Assignment.objects.raw(query, values)]
        if not left:
            return None
        place = _once_free(left[0].pk, languages, values)
        if place is not None:
            if place.state == Assignment.State.OPEN and not place.begun and place.ordinal > 1:
                log.warning("place %d was not on offer: others of its item are taken", place.pk)
            return place
        found = _unlocked(languages, values) if locks else None  # the one waited for is taken
        if found is not None:
            return found
    return None


def _once_free(pk: int, languages: Mapping[str, str], values: dict[str, Any]) -> Assignment | None:
    """The place, locked, if the person may still have it once nobody else has it locked.

    PostgreSQL keeps the lock of a row that turns out to be taken. Whoever went on to wait for the
    next place with it would stop those who lock all places by id: so it is given back.
    """
    lock = WAIT if connection.features.has_select_for_update else ""
    asked = values | {"place": pk}
    with transaction.atomic():
        for place in Assignment.objects.raw(FREE.format(one="%(place)s", lock=lock), asked):
            # What was waited for may have barred the item to the person, or changed its language.
            if place.language in languages.values() and list(Assignment.objects.raw(STILL, asked)):
                return place
        transaction.set_rollback(True)
    return None
