"""Which place comes next, whatever happened before; and that finding it reads little."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation import access
from annotation.actions import places
from annotation.models import Annotation, Assignment, Item, Participant, Withheld
from annotation.order import starting_point
from annotation.selectors.left import counts_of
from tests import factories
from tests.chance import Chance

pytestmark = pytest.mark.django_db


def one_by_one(person: Participant, after: int | None) -> int | None:
    """The next item by looking at every place: the rule as it is written down."""
    now = timezone.now()
    offered = list(Assignment.objects.filter(project=person.project, offered=1).order_by("pk"))
    held = [p for p in offered if p.state == "claimed" and p.annotator_id == person.pk]
    begun = dict(Annotation.objects.filter(annotator=person).values_list("item", "pk"))
    for place in sorted(held, key=lambda p: begun[p.item_id]):
        if place.pk != after:
            return place.item_id
    barred = set(Annotation.objects.filter(annotator=person).values_list("item_id", flat=True))
    barred |= set(Item.objects.filter(author=person.pseudonym).values_list("pk", flat=True))
    barred |= set(Withheld.objects.filter(participant=person).values_list("item_id", flat=True))
    free = [p for p in offered if p.language in person.roles["annotator"]]
    free = [p for p in free if p.item_id not in barred]
    kinds = (
        [p for p in free if p.state == "claimed" and p.leased_until < now],
        [p for p in free if p.state == "open" and p.begun],
        [p for p in free if p.state == "open" and not p.begun and p.ordinal == 1],
    )
    start = starting_point(person.project.seed, person.pseudonym)
    for found in kinds:
        if found:
            return min(found, key=lambda p: (p.number < start, p.number, p.ordinal)).item_id
    return None


class Claims(Chance):
    """Every claim in a project where anything may happen is the one that the rule names."""

    def claim(self) -> None:
        user = self.chance.choice(self.users)
        person = access.person_in(user, self.project.slug)
        mine = Assignment.objects.filter(annotator=person).order_by("pk")
        after = self.chance.choice([None, *mine.values_list("pk", flat=True)])
        expected = one_by_one(person, after)
        given = places.claim(user, self.project.slug, after)
        assert (given and given.item_id) == expected


@pytest.mark.parametrize("seed", range(6))
def test_every_claim_is_what_looking_at_every_place_gives(seed: int):
    project = factories.make_project("flock", ("en", "fr", "it"), per_item=2, seed=seed)
    for n in range(15):
        factories.make_item(project, f"item-{n}", language=("en", "fr", "it")[n % 3])
    users = [factories.join(project, f"reader-{n}", "annotator") for n in range(3)]
    users.append(factories.join(project, "reader-3", "annotator", ("fr", "it")))
    elsewhere = factories.make_project("elsewhere")
    factories.make_item(elsewhere)
    factories.join(elsewhere, "reader-0", "annotator")
    chance = Claims(project, users, seed)
    for _ in range(60):
        chance.step()


def ahead_of_the_others(count: int) -> tuple:
    """A project where one person has begun ``count`` items that nobody else has looked at."""
    project = factories.make_project("flock", ("en", "fr"))
    first, second = (factories.join(project, name, "annotator") for name in ("first", "second"))
    person = project.participants.get(user=first)
    now = timezone.now()
    for n in range(count + 20):
        factories.make_item(project, f"item-{n}", language=("en", "fr")[n % 2])
    done = list(Assignment.objects.filter(ordinal=1).order_by("number")[:count])
    Assignment.objects.filter(item__in=[p.item_id for p in done]).update(begun=1)
    Assignment.objects.filter(pk__in=[p.pk for p in done]).update(
        state="submitted", annotator=person
    )
    Annotation.objects.bulk_create(
        Annotation(
            item_id=p.item_id,
            annotator=person,
            place=p,
            state="submitted",
            version=1,
            submitted_at=now - timedelta(hours=1),
            saved_at=now,
        )
        for p in done
    )
    return project, first, second


def scans(sql: str) -> list[str]:
    """The tables that a query reads from the first row to the last, for each of several rows.

    On SQLite also those that it reads so once.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            steps = [row[3].split() for row in cursor.fetchall()]
            return [step[1] for step in steps if step[0] == "SCAN"]
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}")
        plan = cursor.fetchone()[0]
    nodes, found = [(json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]], []
    while nodes:
        node = nodes.pop()
        nodes += node.get("Plans", [])
        if node["Node Type"] == "Seq Scan" and node["Actual Loops"] > 1:
            found.append(node["Relation Name"])
    return found


@pytest.mark.parametrize("who", [1, 2])
def test_no_answers_or_places_are_read_from_end_to_end_for_each_place(who: int):
    made = ahead_of_the_others(180)
    with connection.cursor() as cursor:
        # A small table is what PostgreSQL likes to read whole, once for each row of another.
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as asked:
        assert places.claim(made[who], made[0].slug)
        if who == 1:  # whose begun items are all their own; of others' each is looked up
            person = access.person_in(made[who], made[0].slug)
            assert counts_of(person, person.roles["annotator"])["left"]
    read = [
        (table, query["sql"][:60])
        for query in asked.captured_queries
        if query["sql"].lstrip().startswith(("SELECT", "WITH"))
        for table in scans(query["sql"])
    ]
    # Not items: they are looked up by their id, which is as quick in a table as small as this one.
    large = {"annotation_annotation", "annotation_assignment"}
    aliases = {"p", "a", "m"}  # SQLite names them as the query does
    assert [table for table in read if table[0] in large | aliases] == []


def test_who_is_ahead_of_all_others_goes_on_with_what_nobody_has_begun():
    project, first, second = ahead_of_the_others(6)
    begun = set(project.items.filter(places__begun=1).values_list("pk", flat=True))
    assert places.claim(second, project.slug).item_id in begun
    assert places.claim(first, project.slug).item_id not in begun
