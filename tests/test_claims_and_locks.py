"""Who waited for a lock goes by what is so afterwards, and stops nobody who waits for another."""

from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation import access
from annotation.actions import answers, aside, imports, people, places, reports, settings
from annotation.actions.places import lock_places
from annotation.actions.withheld import withhold
from annotation.models import Annotation, Assignment, Item, Project, User
from annotation.order import starting_point
from annotation.records import Answer, SpanRecord
from annotation.selectors.left import counts_of
from tests import factories
from tests.plans import in_vain, steps_of
from tests.test_offers import ahead_of_the_others
from tests.test_people_at_once import wait_for
from tests.test_roles_at_once import is_refused, meanwhile, waiting

pytestmark = pytest.mark.django_db(transaction=True)
CLEAN = Answer(no_hallucination=True)


def bring(project: Project, item: Item, **fields: object) -> None:
    row = {"key": item.key, "language": item.language, "response": item.response} | fields
    file = io.BytesIO(json.dumps(row).encode())
    imports.import_items(None, project, file, "x.jsonl", "jsonl", None, True)


def lock_all(project: Project) -> None:
    with transaction.atomic():
        lock_places(Item.objects.filter(project=project))


@pytest.mark.parametrize("what", ["language", "author", "withheld"])
def test_a_claim_that_waited_for_an_import_goes_by_what_it_changed(what: str):
    project = factories.make_project(languages=("en", "fr"))
    reader = factories.join(project, "reader", "annotator", ("en",))
    name = project.participants.get().pseudonym
    item = factories.make_item(project)
    change = {"language": "fr", "author": name, "withheld": [name]}[what]
    told = meanwhile(
        lambda: bring(project, item, **{what: change}), [lambda: places.claim(reader, project.slug)]
    )
    assert told == [None]


def test_a_claim_that_waited_for_a_change_of_roles_goes_by_the_roles_that_are_left():
    project = factories.make_project(languages=("en", "fr"), per_item=1)
    items = {code: factories.make_item(project, code, language=code) for code in ("en", "fr")}
    users = {
        name: factories.join(project, name, "annotator", languages)
        for name, languages in {"other": ("en",), "ended": ("fr",), "more": ("en",)}.items()
    }
    for user in users.values():
        factories.join(project, user.username, "writer")
    person = {name: project.participants.get(user=user) for name, user in users.items()}
    assert places.claim(users["more"], project.slug).item_id == items["en"].pk

    def change() -> None:
        people.change_roles(None, person["other"], {"annotator": ["fr"]})
        people.change_roles(None, person["ended"], {"writer": []})
        people.add_member(None, project, "more", "annotator", ["fr"])

    work = [
        lambda: places.claim(users["other"], project.slug),
        is_refused(places.claim, users["ended"], project.slug),
    ]
    given, refused = meanwhile(change, work)
    assert given.item_id == items["fr"].pk and refused
    places.release_place(None, given.place)
    held = Assignment.objects.get(annotator=person["more"])
    given = meanwhile(
        lambda: people.add_member(None, project, "more", "annotator", []),
        [lambda: places.claim(users["more"], project.slug, held.pk)],
    )
    assert [answer.item_id for answer in given] == [items["fr"].pk]


def test_who_holds_a_place_that_somebody_has_locked_waits_for_it_and_gets_no_other():
    project = factories.make_project()
    user = factories.join(project, "reader", "annotator")
    for n in range(3):
        factories.make_item(project, f"item-{n}")
    held = places.claim(user, project.slug)
    told = meanwhile(
        lambda: lock_places([held.item_id]), [lambda: places.claim(user, project.slug)]
    )
    assert told == [held]


@pytest.mark.parametrize("locked", [1, 2, 3])
def test_who_meets_others_at_begun_items_walks_on_and_waits_for_nobody(locked: int):
    """The second place of the first begun item; its third, too; and one of the next item."""
    project = factories.make_project()
    users = [factories.join(project, f"reader-{n}", "annotator") for n in range(2)]
    start = starting_point(project.seed, project.participants.get(user=users[1]).pseudonym)
    for n in range(4):
        item = factories.make_item(project, f"item-{n}")
        Assignment.objects.filter(item=item).update(number=start + n)
    first = places.claim(users[0], project.slug)
    begun = [first.item_id, places.claim(users[0], project.slug, first.place_id).item_id]
    free = Assignment.objects.filter(item__in=begun, state="open").order_by("number", "ordinal")
    ordered = list(free.values_list("pk", flat=True))

    def counted() -> tuple[Annotation | None, int]:
        with CaptureQueriesContext(connection) as asked:
            return places.claim(users[1], project.slug), len(asked)

    taken = Assignment.objects.filter(pk__in=ordered[:locked]).select_for_update(no_key=True)
    [(given, queries)] = meanwhile(lambda: list(taken), [counted])
    # SQLite has one writer at a time.
    assert given.place_id == ordered[locked if connection.vendor == "postgresql" else 0]
    assert queries <= 7  # as many as where nobody is met


def test_a_claim_that_waited_in_vain_stops_nobody_who_locks_all_places():
    for n in range(3):
        project = factories.make_project(f"flock-{n}", per_item=1)
        users = [factories.join(project, f"reader-{n}-{m}", "annotator") for m in range(2)]
        for m in range(2):
            item = factories.make_item(project, f"item-{m}")
            # The last by id is the first to be waited for.
            Assignment.objects.filter(item=item).update(number=10 - m)
        told = meanwhile(
            lambda: lock_all(project),  # noqa: B023
            [lambda user=user: places.claim(user, project.slug) for user in users]  # noqa: B023
            + [lambda: lock_all(project)],  # noqa: B023
        )
        assert all(told[:2])


def test_withdrawing_somebodys_work_waits_for_an_import_and_does_not_stop_it(
    monkeypatch,
):
    """The import has the later item's places already, and comes to the earlier one's then."""
    project = factories.make_project()
    user = factories.join(project, "reader", "annotator")
    items = [factories.make_item(project, f"item-{n}") for n in range(2)]
    first = places.claim(user, project.slug)
    places.claim(user, project.slug, first.place_id)
    person = project.participants.get()
    same = ("key", "language", "question", "response")
    rows = [
        {name: getattr(item, name) for name in same} | {"split": "late"} for item in items[::-1]
    ]
    monkeypatch.setattr(imports, "ROWS", 1)
    told = []

    def withdraw() -> int:
        try:
            return aside.withdraw(None, person)
        finally:
            connections.close_all()

    def progress(step: str, done: int, total: int) -> None:
        if (step, done) == ("write", 1):
            told.append(pool.submit(withdraw))
            wait_for(lambda: connection.vendor != "postgresql" or waiting() == 1)

    file = io.BytesIO("\n".join(map(json.dumps, rows)).encode())
    with ThreadPoolExecutor() as pool:
        imports.import_items(None, project, file, "x.jsonl", "jsonl", progress=progress)
    assert [answer.result() for answer in told] == [2]
    assert set(project.items.values_list("split", flat=True)) == {"late"}


def adoptable(project: Project, users: list[User]) -> Annotation:
    """An answer that was set aside, whose place somebody else has; one before it is free."""
    held = places.claim(users[1], project.slug)
    mine = places.claim(users[0], project.slug)
    answers.save(users[0], mine.place_id, CLEAN, 0, 0, True)
    aside.set_aside(None, Annotation.objects.get(pk=mine.pk))
    assert places.claim(users[2], project.slug).place_id == mine.place_id
    places.release_place(None, Assignment.objects.get(pk=held.place_id))
    return Annotation.objects.get(pk=mine.pk)


def test_a_save_follows_an_answer_that_is_adopted_and_stops_nobody_who_locks_its_item():
    for n in range(3):
        project = factories.make_project(f"flock-{n}")
        item = factories.make_item(project)
        users = [factories.join(project, f"reader-{n}-{m}", "annotator") for m in range(3)]
        mine = adoptable(project, users)
        address = mine.place_id
        saved, _retired = meanwhile(
            lambda: aside.adopt(None, mine),  # noqa: B023
            [
                lambda: answers.save(users[0], address, CLEAN, mine.version, 0, True),  # noqa: B023
                lambda: reports.retire(None, item),  # noqa: B023
            ],
        )
        assert mine.place_id < address and saved.outcome is answers.Outcome.SAVED


def test_a_save_that_waited_goes_by_the_settings_that_stand_then():
    project = factories.make_project(overlap_allowed=True)
    user = factories.join(project, "reader", "annotator")
    factories.make_item(project)
    held = places.claim(user, project.slug)
    spans = (SpanRecord(0, 5, "A", None), SpanRecord(2, 8, "B", None))
    changed = Project.objects.get(pk=project.pk)
    told = meanwhile(
        lambda: settings.change_settings(None, changed, ["en"], per_item=5, overlap_allowed=False),
        [is_refused(answers.save, user, held.place_id, Answer(spans), 0, 0, True)],
    )
    assert told == [True]


def thrown_away(sql: str) -> int:
    """How many rows PostgreSQL reads in vain for the query; SQLite does not say."""
    if connection.vendor != "postgresql":
        return 0
    return sum(in_vain(step) * step["Actual Loops"] for step in steps_of(sql))


def test_no_claim_or_count_reads_all_that_somebody_has_whatever_is_known_of_it():
    project, *users = ahead_of_the_others(150)
    factories.join(project, "third", "annotator")
    first, second, third = project.participants.order_by("pk")
    begun = list(project.items.filter(places__annotator=first).values_list("pk", flat=True))
    Assignment.objects.filter(item__in=begun, ordinal=3).update(
        state="claimed", annotator=third, leased_until=timezone.now() + timedelta(hours=1)
    )
    withhold((item, first.pk) for item in begun)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    withhold((item, second.pk) for item in begun)  # of the second person nothing is known
    with CaptureQueriesContext(connection) as asked, transaction.atomic():
        for user in users:
            assert places.claim(user, project.slug).item_id not in begun
            person = access.person_in(user, project.slug)
            assert counts_of(person, person.roles["annotator"])["left"] == 20
        transaction.set_rollback(True)
    large = [q["sql"] for q in asked if q["sql"].lstrip().startswith(("WITH", "SELECT\n"))]
    for sql in large:  # each begun item is looked at for a few reasons, and once for each
        most = 4 if sql.startswith("WITH") else 6
        assert thrown_away(sql) < most * len(begun), sql
    assert len(large) == 4
