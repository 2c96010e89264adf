"""What the people were told against what the database holds, row by row."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import psycopg

from tests.faults.person import Ack, Person, Said

ANNOTATIONS = """
SELECT a.id, a.place_id, a.item_id, a.annotator_id, u.user_id, a.state, a.version, a.comment,
    a.no_hallucination, a.active_ms, p.annotator_id, p.state
FROM annotation_annotation a JOIN annotation_participant u ON u.id = a.annotator_id
LEFT JOIN annotation_assignment p ON p.id = a.place_id ORDER BY a.id
"""
REVISIONS = """
SELECT annotation_id, version, kind, answer FROM annotation_revision
WHERE kind IN ('save', 'submit') ORDER BY id
"""
SPANS = """
SELECT s.annotation_id, s.start, s."end", l.code FROM annotation_span s
JOIN annotation_label l ON l.id = s.label_id ORDER BY s.annotation_id, s.ordinal
"""
PLACES = "SELECT id, item_id, annotator_id, state FROM annotation_assignment"
ITEMS = "SELECT COUNT(*) FROM annotation_item"


def rows(database: str, *queries: str) -> list[list[tuple[Any, ...]]]:
    """The queries' rows as of one moment; ``database`` is a URL or the file of SQLite."""
    if not database.startswith("postgres"):
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            connection.execute("BEGIN")
            return [connection.execute(query).fetchall() for query in queries]
    url = database.replace("postgres://", "postgresql://")
    with psycopg.connect(url) as one:
        one.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return [one.execute(query).fetchall() for query in queries]


@dataclass(frozen=True)
class Found:
    """Faults, each named; all of them are to be empty."""

    lost: list[str]
    twice: list[str]
    half: list[str]
    places: list[str]

    @property
    def clean(self) -> bool:
        return not (self.lost or self.twice or self.half or self.places)


class Books:
    """The database as it stands, put in order."""

    def __init__(self, database: str) -> None:
        found, revisions, spans, self.places, items = rows(
            database, ANNOTATIONS, REVISIONS, SPANS, PLACES, ITEMS
        )
        self.annotations = {row[0]: row for row in found}
        self.items = items[0][0]
        self.spans = defaultdict(list)
        for annotation, start, end, code in spans:
            self.spans[annotation].append({"start": start, "end": end, "label": code})
        self.revisions = defaultdict(list)
        for annotation, version, kind, answer in revisions:
            self.revisions[annotation].append((version, kind, Said.of(json.loads(answer))))

    def lost(self, acks: Iterable[Ack]) -> list[str]:
        """Acknowledged, and not there as it was sent."""
        stored = {
            (row[4], row[1], version, said)
            for pk, row in self.annotations.items()
            for version, _, said in self.revisions[pk]
        }
        submitted = {(row[4], row[1]) for row in self.annotations.values() if row[5] == "submitted"}
        return [
            f"{ack}"
            for ack in acks
            if (ack.user, ack.place, ack.version, ack.said) not in stored
            or (ack.submit and (ack.user, ack.place) not in submitted)
        ]

    def twice(self) -> list[str]:
        """A version, a submission or a person that is there two times."""
        found = []
        for pk, revisions in self.revisions.items():
            versions = Counter(version for version, _, _ in revisions)
            found += [f"annotation {pk} version {v}: {n}" for v, n in versions.items() if n > 1]
            for one, other in zip(revisions, revisions[1:], strict=False):
                if one[1:] == other[1:]:
                    found.append(f"annotation {pk}: {other} again")
        people = Counter((row[2], row[3]) for row in self.annotations.values())
        return found + [f"item and person {key}: {n}" for key, n in people.items() if n > 1]

    def half(self, sent: set[tuple[int, Said]]) -> list[str]:
        """Spans without an annotation, versions without a revision, places without an answer."""
        found = [f"spans of {pk}" for pk in self.spans.keys() - self.annotations.keys()]
        for pk, row in self.annotations.items():
            revisions, place, state, version = self.revisions[pk], row[1], row[5], row[6]
            if [one[0] for one in revisions] != list(range(1, version + 1)):
                found.append(f"annotation {pk} version {version}: {revisions}")
            value = {"spans": self.spans[pk], "comment": row[7], "no_hallucination": bool(row[8])}
            if version and Said.of(value) != revisions[-1][2]:
                found.append(f"annotation {pk}: {value} is not {revisions[-1]}")
            if row[9] < 0:
                found.append(f"annotation {pk}: active for {row[9]} ms")
            holds = row[3] == row[10] and row[11] == {"draft": "claimed"}.get(state, state)
            if state != "set_aside" and not holds:
                found.append(f"annotation {pk}: {state} in a place that is {row[10:]}")
            found += [f"never sent: {one}" for one in revisions if (place, one[2]) not in sent]
        return found

    def places_wrong(self, per_item: int) -> list[str]:
        """Places that do not add up."""
        found = []
        if len(self.places) != self.items * per_item:
            found.append(f"{len(self.places)} places of {self.items} items")
        held = {(row[2], row[3]) for row in self.annotations.values() if row[5] != "set_aside"}
        taken = [(item, who) for _, item, who, state in self.places if state != "open"]
        if sorted(taken) != sorted(held):
            found.append(f"places {set(taken) ^ held}")
        return found


def compare(database: str, people: Iterable[Person], per_item: int) -> Found:
    """Everything that those people were told, against the database."""
    people, books = list(people), Books(database)
    acks = [ack for person in people for _, ack in person.acks]
    sent = {one for person in people for one in person.sent}
    return Found(books.lost(acks), books.twice(), books.half(sent), books.places_wrong(per_item))
