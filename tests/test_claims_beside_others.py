"""Claims while others import, adopt, or change the number of people per item; what they read."""

from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation import access
from annotation.actions import answers, aside, imports, offers, places, settings
from annotation.actions.places import lock_places
from annotation.models import Annotation, Assignment, Project
from annotation.order import starting_point
from annotation.records import Answer
from tests import factories
from tests.plans import in_vain, steps_of
from tests.test_claims_and_locks import bring
from tests.test_claims_at_once import in_threads
from tests.test_offers import ahead_of_the_others
from tests.test_people_at_once import wait_for
from tests.test_roles_at_once import meanwhile, waiting

pytestmark = pytest.mark.django_db(transaction=True)
CLEAN = Answer(no_hallucination=True)


def expired(**where):
    Assignment.objects.filter(state="claimed", **where).update(
        leased_until=timezone.now() - timedelta(minutes=1)
    )


def claim(user, slug):
    """In a thread of its own."""
    try:
        return places.claim(user, slug)
    finally:
        connections.close_all()


def surplus_project(slug="flock", readers=4):
    """One item, three expired places, one of them wanted."""
    project = factories.make_project(slug, per_item=3)
    item = factories.make_item(project)
    for n in range(3):
        places.claim(factories.join(project, f"{slug}-old-{n}", "annotator"), project.slug)
    expired(project=project)
    settings.change_settings(None, Project.objects.get(pk=project.pk), ["en"], per_item=1)
    users = [factories.join(project, f"{slug}-new-{n}", "annotator") for n in range(readers)]
    return project, item, users


def test_of_expired_places_too_many_those_who_come_at_once_leave_as_many_as_are_wanted():
    for n in range(8):
        project, item, users = surplus_project(f"flock-{n}")
        told = in_threads(lambda user: places.claim(user, project.slug), users)  # noqa: B023
        states = sorted(item.places.values_list("state", flat=True))
        assert states == ["claimed", "closed", "closed"] and sum(map(bool, told)) == 1


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one writer at a time")
def test_who_closes_a_place_too_many_waits_for_nobody_with_it():
    """Somebody else has the first item's places and then wants the second's, as an import does."""
    project = factories.make_project(per_item=2)
    crowded = factories.make_item(project)
    olds = [factories.join(project, f"old-{n}", "annotator") for n in range(3)]
    first = places.claim(olds[0], project.slug)
    answers.save(olds[0], first.place_id, CLEAN, 0, 0, True)
    places.claim(olds[1], project.slug)
    settings.change_settings(None, Project.objects.get(pk=project.pk), ["en"], per_item=1)
    other = factories.make_item(project, "other", places=1)
    places.claim(olds[2], project.slug)
    expired(project=project)
    user = factories.join(project, "new", "annotator")
    start = starting_point(project.seed, project.participants.get(user=user).pseudonym)
    Assignment.objects.filter(item=other).update(number=start)
    Assignment.objects.filter(item=crowded).update(number=start + 1)
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            lock_places([other.pk])
            claimed = pool.submit(claim, user, project.slug)
            wait_for(lambda: waiting() == 1 or claimed.done())
            lock_places([crowded.pk])
        assert claimed.result().item_id == other.pk
    assert sorted(crowded.places.values_list("state", flat=True)) == ["closed", "submitted"]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one writer at a time")
def test_who_waited_for_a_held_place_in_vain_waits_for_the_next_without_it():
    """The first is taken away while it is waited for; who has the second then wants the first."""
    project = factories.make_project()
    user = factories.join(project, "reader", "annotator")
    start = starting_point(project.seed, project.participants.get().pseudonym)
    for n in range(2):  # the second item's places have the lower numbers: it is begun first
        item = factories.make_item(project, f"item-{n}")
        Assignment.objects.filter(item=item).update(number=start + 1 - n)
    begun = places.claim(user, project.slug)
    ahead = places.claim(user, project.slug, begun.place_id)
    assert ahead.place_id < begun.place_id
    locked, go = Event(), Event()

    def take_away():
        try:
            with transaction.atomic():
                first = Assignment.objects.filter(pk=begun.place_id)
                first.update(annotator=None, state="open", leased_until=None)
                locked.set()
                go.wait(20)
        finally:
            connections.close_all()

    with ThreadPoolExecutor() as pool:
        taken = pool.submit(take_away)
        assert locked.wait(20)
        with transaction.atomic():
            lock_places([ahead.item_id])
            claimed = pool.submit(claim, user, project.slug)
            wait_for(lambda: waiting() == 1)
            go.set()
            taken.result()
            wait_for(lambda: waiting() == 1)  # for the second now
            lock_places([begun.item_id])
        assert claimed.result() == ahead


# A look at who is withheld waits until the importer is done.
PAUSE = """
CREATE SCHEMA slow;
CREATE FUNCTION slow.rows() RETURNS SETOF public.annotation_withheld LANGUAGE plpgsql STABLE AS
    'BEGIN PERFORM pg_advisory_lock_shared(42); PERFORM pg_advisory_unlock_shared(42);
     RETURN QUERY SELECT * FROM public.annotation_withheld; END';
CREATE VIEW slow.annotation_withheld AS SELECT * FROM slow.rows();
"""


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one writer at a time")
@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("what", ["author", "withheld"])
def test_what_an_import_bars_while_a_claim_looks_is_not_given(what, begun):
    project = factories.make_project()
    reader = factories.join(project, "reader", "annotator")
    name = project.participants.get().pseudonym
    item = factories.make_item(project)
    if begun:
        places.claim(factories.join(project, "other", "annotator"), project.slug)
    with connection.cursor() as cursor:
        cursor.execute(PAUSE)

    def claims():
        with connection.cursor() as cursor:
            cursor.execute("SET search_path = slow, public")
        return claim(reader, project.slug)

    fields = {"author": name} if what == "author" else {"withheld": [name]}
    with ThreadPoolExecutor() as pool, connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(42)")
        try:
            claimed = pool.submit(claims)
            wait_for(lambda: waiting() == 1)
            bring(project, item, question=item.question, **fields)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(42)")
        assert claimed.result() is None
        cursor.execute("DROP SCHEMA slow CASCADE")


@pytest.mark.parametrize(("before", "after"), [(3, 4), (4, 3)])
def test_an_answer_adopted_while_the_number_changes_goes_by_the_new_number(before, after):
    project = factories.make_project(per_item=before)
    item = factories.make_item(project)
    user = factories.join(project, "reader", "annotator")
    mine = places.claim(user, project.slug)
    answers.save(user, mine.place_id, CLEAN, 0, 0, True)
    aside.set_aside(None, Annotation.objects.get(pk=mine.pk))
    fresh = Project.objects.get(pk=project.pk)
    meanwhile(
        lambda: settings.change_settings(None, fresh, ["en"], per_item=after),
        [lambda: aside.adopt(None, Annotation.objects.get(pk=mine.pk))],
    )
    states = sorted(item.places.values_list("state", flat=True))
    assert states == ["open"] * (after - 1) + ["submitted"]


@pytest.mark.parametrize("wanted", [2, 4])
def test_an_import_that_was_read_while_the_number_changed_makes_the_new_number(wanted):
    project = factories.make_project(per_item=3)
    factories.make_item(project)
    fresh, read_before = (Project.objects.get(pk=project.pk) for _ in range(2))

    def comes():
        row = {"key": "new", "language": "en", "response": "Two sheep."}
        file = io.BytesIO(json.dumps(row).encode())
        imports.import_items(None, read_before, file, "x.jsonl", "jsonl", None, True)

    meanwhile(lambda: settings.change_settings(None, fresh, ["en"], per_item=wanted), [comes])
    assert project.items.get(key="new").places.count() == wanted


def places_read(sql: str) -> int:
    """How many rows of places PostgreSQL reads for the query."""
    steps = [s for s in steps_of(sql) if s.get("Relation Name") == "annotation_assignment"]
    return int(sum((s["Actual Rows"] + in_vain(s)) * s["Actual Loops"] for s in steps))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="of PostgreSQL's plans")
@pytest.mark.parametrize("analysed", ["before anybody began", "now"])
@pytest.mark.parametrize("locked", [False, True])
def test_who_is_behind_reads_few_places_whatever_is_known_and_locked(analysed, locked):
    def analyse():
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")

    project, _first, second = ahead_of_the_others(600)
    if analysed == "now":
        analyse()
    else:
        Assignment.objects.filter(project=project).update(begun=0)
        analyse()
        begun = Assignment.objects.filter(project=project, state="submitted").values("item")
        Assignment.objects.filter(item__in=list(begun.values_list("item", flat=True))).update(
            begun=1
        )

    def read():
        with CaptureQueriesContext(connection) as queries, transaction.atomic():
            person = access.person_in(second, project.slug)
            offers.next_place(person, timezone.now(), None)
        [sql] = [q["sql"] for q in queries if q["sql"].lstrip().startswith("WITH")]
        return places_read(sql)

    items = project.items.all() if locked else []
    assert meanwhile(lambda: lock_places(items), [read])[0] < 100
