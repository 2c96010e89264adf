"""Two who change the places of one item at the same moment leave them as one after the other would.

A place whose row says of its item what is not so is offered to nobody, or to too many.
"""

from __future__ import annotations

import io
import json
from contextlib import suppress
from itertools import product

import pytest

from annotation.actions import answers, aside, imports, places, reports, settings
from annotation.errors import Refused, Unknown
from annotation.models import Annotation, Assignment, Item, Project
from annotation.records import Answer
from annotation.selectors.progress import progress
from tests import factories
from tests.test_roles_at_once import meanwhile

pytestmark = pytest.mark.django_db(transaction=True)
CLEAN = Answer(no_hallucination=True)


def flags_of(project: Project) -> list[tuple]:
    """What the rows of the places say of their items, where it is not so."""
    wrong: list[tuple] = []
    for item in Item.objects.filter(project=project):
        rows = list(item.places.order_by("ordinal"))
        begun = int(any(row.state != "open" for row in rows))
        offered = int(item.state == "active")
        wrong += [
            (item.key, row.ordinal, row.state, row.begun, row.offered)
            for row in rows
            if (row.begun, row.offered) != (begun, offered)
        ]
        wrong += [(item.key, "no first place")] if rows[0].ordinal != 1 else []
    return wrong


class Flock:
    """A project whose first item has one place submitted, one held and one open."""

    def __init__(self) -> None:
        self.project = factories.make_project(f"flock-{Project.objects.count()}", per_item=3)
        names = [f"{self.project.slug}-{n}" for n in range(4)]
        self.people = [factories.join(self.project, name, "annotator") for name in names]
        self.item = factories.make_item(self.project, "one")
        first = places.claim(self.people[0], self.project.slug)
        answers.save(self.people[0], first.place_id, CLEAN, 0, 0, True)
        self.held = places.claim(self.people[1], self.project.slug)

    def fit(self, per_item: int) -> None:
        fresh = Project.objects.get(pk=self.project.pk)
        settings.change_settings(None, fresh, ["en"], per_item=per_item)

    def act(self, name: str) -> None:
        """One of `ACTS`; what comes too late is refused, and that is right."""
        slug = self.project.slug
        held = Assignment.objects.get(pk=self.held.place_id)
        submitted = Annotation.objects.get(annotator__user=self.people[0])
        row = {"key": "one", "language": "en", "response": self.item.response, "model": "other"}
        acts = {
            "claim": lambda: places.claim(self.people[2], slug),
            "more": lambda: self.fit(5),
            "fewer": lambda: self.fit(1),
            "release": lambda: places.release_place(None, held),
            "set aside": lambda: aside.set_aside(None, submitted),
            "report": lambda: reports.report(self.people[1], held.pk, "No picture."),
            "retire": lambda: reports.retire(None, self.item),
            "import": lambda: imports.import_items(
                None, self.project, io.BytesIO(json.dumps(row).encode()), "x.jsonl", "jsonl"
            ),
        }
        with suppress(Refused):
            acts[name]()


ACTS = ("claim", "more", "fewer", "release", "set aside", "report", "retire", "import")


def test_whatever_two_do_to_one_item_at_once_its_places_stay_true():
    wrong = {}
    for first, second in product(ACTS, ACTS):
        flock = Flock()
        meanwhile(lambda: flock.act(first), [lambda: flock.act(second)])  # noqa: B023
        found = flags_of(flock.project)
        if found:
            wrong[first, second] = found
    assert wrong == {}


def test_nobody_reads_that_all_is_done_while_the_number_of_places_changes():
    flock = Flock()
    slug = flock.project.slug
    told = meanwhile(
        lambda: flock.fit(5),
        [lambda user=user: places.claim(user, slug) for user in flock.people[2:]],
    )
    assert all(told) and progress(flock.project)["places"]["claimed"] == 3


def test_a_place_that_its_row_hides_is_found_before_all_is_said_to_be_done(caplog):
    flock = Flock()
    Assignment.objects.update(begun=0)
    assert places.claim(flock.people[2], flock.project.slug) is not None
    assert "was not on offer" in caplog.text
    assert flags_of(flock.project) == []


def test_taking_places_away_leaves_a_first_one_that_can_be_offered():
    flock = Flock()
    for old, new in ((3, 9), (1, 3), (9, 1)):  # the open one comes first
        Assignment.objects.filter(ordinal=old).update(ordinal=new)
    flock.fit(2)
    assert list(flock.item.places.order_by("ordinal").values_list("ordinal", flat=True)) == [1, 3]
    places.release_place(None, Assignment.objects.get(pk=flock.held.place_id))
    submitted = Annotation.objects.get(annotator__user=flock.people[0])
    aside.set_aside(None, submitted)
    assert places.claim(flock.people[2], flock.project.slug) is not None


def test_an_answer_goes_back_to_its_own_place_or_is_followed_to_another():
    """Whoever has the page open goes on saving, whatever the place's number has become."""
    flock = Flock()
    user = flock.people[0]
    mine = Annotation.objects.get(annotator__user=user)
    address = mine.place_id
    aside.set_aside(None, mine)
    aside.adopt(None, mine)
    assert mine.place_id == address
    aside.set_aside(None, mine)
    assert all(places.claim(other, flock.project.slug) for other in flock.people[2:])
    places.release_place(None, Assignment.objects.get(pk=flock.held.place_id))
    aside.adopt(None, mine)
    assert mine.place_id != address
    answer = Answer(comment="None at all.", no_hallucination=True)
    late = answers.save(user, address, answer, 1, 0, True)
    assert late.outcome is answers.Outcome.CONFLICT and late.annotation.pk == mine.pk
    saved = answers.save(user, address, answer, mine.version, 0, True)
    assert saved.outcome is answers.Outcome.SAVED
    stored = Annotation.objects.get(pk=mine.pk)
    assert (stored.comment, stored.place_id) == (answer.comment, mine.place_id)
    with pytest.raises(Unknown):
        answers.save(flock.people[1], address, answer, 1, 0, True)
