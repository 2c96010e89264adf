"""Offers: which place an annotator is given next, asked in one query."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby, product
from operator import itemgetter
from typing import Any

from django.db import connection

from annotation import access
from annotation.models import Assignment, Participant
from annotation.order import starting_point
from annotation.selectors.barred import not_barred

log = logging.getLogger(__name__)

# Written by hand, because building these queries anew cost more than all the rest of a claim.
CANDIDATE = """
    SELECT {columns} FROM annotation_assignment p
    WHERE p.project_id = %(project)s AND p.language = %({language})s AND p.offered = 1 AND {what}
      AND {may}
    ORDER BY p.number, p.ordinal LIMIT 1 {lock}
""".replace("{may}", not_barred("p.item_id", "%(person)s", "%(pseudonym)s"))
KEYS = "p.id, {rank} AS rank, p.number, p.ordinal"
BRANCH = "SELECT * FROM ({query}) c{at}"
# What was free when the query looked may be another's when its row is locked: look once more.
FREE = """
    SELECT p.* FROM annotation_assignment p
    WHERE p.id = {one}
      AND p.offered = 1 AND (p.state = 'open' OR p.state = 'claimed' AND p.leased_until < %(now)s)
    {lock}
"""
BEST = "(SELECT c.id FROM ({candidates}) c ORDER BY c.rank, c.number, c.ordinal LIMIT 1)"
WAIT = "FOR NO KEY UPDATE OF p"
LOCK = f"{WAIT} SKIP LOCKED"
TRIES = 100  # each in vain is a place that another got meanwhile
# Of an untouched item only the first place is looked at, so that two people who come at once lock
# different items.
KINDS = (
    "p.state = 'claimed' AND p.leased_until < %(now)s",
    "p.state = 'open' AND p.begun = 1",
    "p.state = 'open' AND p.begun = 0 AND p.ordinal = 1",
)
ANY = (KINDS[0], "p.state = 'open'")
HALVES = ("p.number >= %(start)s", "p.number < %(start)s")


def next_place(person: Participant, now: datetime) -> Assignment | None:
    """The next place for the annotator, locked; None when nothing is left. Run it in a transaction.

    Kind by kind (expired, begun by others, untouched): upward from the person's starting point,
    then around. Each language is asked by itself: the index gives its first row at once.
    """
    languages = {
        f"language{at}": language
        for at, language in enumerate(access.languages_of(person, access.Role.ANNOTATOR))
    }
    if not languages:
        return None
    values = languages | {
        "project": person.project_id,
        "person": person.pk,
        "pseudonym": person.pseudonym,
        "start": starting_point(person.project.seed, person.pseudonym),
        "now": connection.ops.adapt_datetimefield_value(now),
    }
    asked = [
        {"rank": rank, "what": f"{kind} AND {half}", "language": language}
        for rank, (kind, half) in enumerate(product(KINDS, HALVES))
        for language in languages
    ]
    skip = connection.features.has_select_for_update_skip_locked
    each = [CANDIDATE.format(columns=KEYS.format(**part), lock="", **part) for part in asked]
    # SQLite takes an ORDER BY in a part of a UNION only in a subquery.
    one = " UNION ALL ".join(BRANCH.format(query=query, at=at) for at, query in enumerate(each))
    query = FREE.format(one=BEST.format(candidates=one), lock=LOCK if skip else "")
    for place in Assignment.objects.raw(query, values):
        return place
    found = _unlocked(asked, values) if skip else None
    return found or _waited_for(asked, values)


def _unlocked(asked: Sequence[dict[str, Any]], values: dict[str, Any]) -> Assignment | None:
    """The next place that nobody else has under a lock, where the best one was: kind by kind."""
    for _rank, parts in groupby(asked, key=itemgetter("rank")):
        found = [
            place
            for part in parts
            for place in Assignment.objects.raw(
                CANDIDATE.format(columns="p.*", lock=LOCK, **part), values
            )
        ]
        if found:
            return min(found, key=lambda place: place.number)
    return None


def _waited_for(asked: Sequence[dict[str, Any]], values: dict[str, Any]) -> Assignment | None:
    """A place that somebody else has locked, once they are done; None when nothing is left.

    Who imports, frees or changes the number of places may hold all of them for a moment: nobody is
    to read meanwhile that everything is done. Every open place is looked at, whatever its row says
    of its item, so that none is lost to all.
    """
    languages = {part["language"] for part in asked}
    locks = connection.features.has_select_for_update
    each = [
        CANDIDATE.format(columns="p.*", lock="", what=what, language=language)
        for what in ANY
        for language in sorted(languages)
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
        found = _unlocked(asked, values) if locks else None  # the one waited for is taken
        if found is not None:
            return found
    return None
