"""An item gets as many answers as its project wants, whatever was freed, imported or set since."""

from __future__ import annotations

import io
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import answers, aside, imports, people, places, reports, settings
from annotation.errors import Refused
from annotation.models import Annotation, Assignment, Item, Project, User
from annotation.records import Answer
from annotation.selectors.progress import progress
from tests import factories
from tests.chance import Chance

pytestmark = pytest.mark.django_db
CLEAN = Answer(no_hallucination=True)


class Team:
    """A project with one item and people who annotate."""

    def __init__(self, per_item: int, size: int = 4) -> None:
        self.project = factories.make_project(per_item=per_item)
        self.item = factories.make_item(self.project)
        self.users = [factories.join(self.project, f"reader-{n}", "annotator") for n in range(size)]

    def submit(self, user: User) -> Annotation:
        given = places.claim(user, self.project.slug)
        assert given is not None
        answers.save(user, given.place_id, CLEAN, given.version, 0, True)
        return Annotation.objects.get(pk=given.pk)

    def want(self, number: int) -> None:
        fresh = Project.objects.get(pk=self.project.pk)
        settings.change_settings(None, fresh, ["en"], per_item=number)

    def place(self, answer: Annotation) -> Assignment:
        return Assignment.objects.get(pk=answer.place_id)

    def claims(self, user: User) -> bool:
        return places.claim(user, self.project.slug) is not None

    def counted(self) -> dict[str, int]:
        return progress(self.project)["places"]


def freed(how: str, team: Team, held: Annotation, user: User) -> None:
    if how == "released":
        places.release_place(None, team.place(held))
    elif how == "withdrawn":
        aside.withdraw(None, held.annotator)
    elif how == "removed":
        people.remove_member(None, held.annotator)
    elif how == "set aside":
        answers.save(user, held.place_id, CLEAN, 0, 0, True)
        aside.set_aside(None, Annotation.objects.get(pk=held.pk))
    elif how == "reported":
        reports.report(user, held.place_id, "Black.")
        reports.put_back(None, team.item)
    else:
        Assignment.objects.filter(pk=held.place_id).update(
            leased_until=timezone.now() - timedelta(seconds=1)
        )


HOW = ("released", "withdrawn", "removed", "set aside", "reported", "expired")


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("before", [True, False])
def test_a_place_that_is_freed_is_not_filled_where_the_item_has_enough(how: str, before: bool):
    team = Team(2)
    team.submit(team.users[0])
    held = places.claim(team.users[1], team.project.slug)
    for change in (lambda: team.want(1), lambda: freed(how, team, held, team.users[1]))[
        :: 1 if before else -1
    ]:
        change()
    assert not team.claims(team.users[2]) and not team.claims(team.users[3])
    assert team.counted() == {"open": 0, "claimed": 0, "submitted": 1, "reported": 0, "total": 1}


def test_of_more_answers_than_are_wanted_one_set_aside_is_not_replaced_but_adopted_again():
    team = Team(1)
    row = {"key": "many", "language": "en", "response": "Two sheep."}
    row["annotations"] = [
        {"annotator": name, "spans": [], "no_hallucination": True} for name in ("x", "y", "z")
    ]
    file = io.BytesIO(json.dumps(row).encode())
    imports.import_items(None, team.project, file, "x.jsonl", "jsonl", None, True)
    team.submit(team.users[0])
    one = Annotation.objects.filter(item__key="many").first()
    aside.set_aside(None, one)
    assert not team.claims(team.users[1])
    assert aside.adopt(None, Annotation.objects.get(pk=one.pk)) == ""
    assert team.counted()["submitted"] == team.counted()["total"] == 4


def test_what_is_still_sent_to_a_closed_place_is_kept_aside():
    team = Team(2)
    team.submit(team.users[0])
    held = places.claim(team.users[1], team.project.slug)
    team.want(1)
    places.release_place(None, team.place(held))
    assert team.place(held).state == "closed"
    saved = answers.save(team.users[1], held.place_id, CLEAN, 0, 0, True)
    assert saved.outcome is answers.Outcome.TOO_LATE
    assert Annotation.objects.get(pk=held.pk).no_hallucination


def test_who_holds_a_place_beyond_the_number_finishes_it():
    team = Team(2)
    team.submit(team.users[0])
    held = places.claim(team.users[1], team.project.slug)
    team.want(1)
    assert places.claim(team.users[1], team.project.slug) == held
    saved = answers.save(team.users[1], held.place_id, CLEAN, 0, 0, True)
    assert saved.outcome is answers.Outcome.SAVED and team.counted()["submitted"] == 2


def test_a_closed_place_opens_again_when_more_are_wanted_or_fewer_taken():
    team = Team(3)
    first, second = (team.submit(user) for user in team.users[:2])
    team.want(1)
    aside.set_aside(None, second)
    assert team.place(second).state == "closed"
    team.want(2)
    assert team.place(second).state == "open" and team.item.places.count() == 2
    team.want(1)
    aside.set_aside(None, first)
    assert sorted(team.item.places.values_list("state", flat=True)) == ["closed", "open"]
    assert not team.claims(team.users[0])  # had an answer here
    team.submit(team.users[2])
    assert not team.claims(team.users[3])
    assert team.counted()["total"] == 1


def test_an_answer_without_a_place_of_its_own_is_not_adopted_into_a_closed_one():
    team = Team(2)
    first = team.submit(team.users[0])
    second = team.submit(team.users[1])
    team.want(1)
    aside.set_aside(None, second)
    aside.set_aside(None, first)
    team.submit(team.users[2])
    other = next(a for a in (first, second) if team.place(a).state != "closed")
    with pytest.raises(Refused, match="Every place of this item is taken"):
        aside.adopt(None, Annotation.objects.get(pk=other.pk))


class Numbers(Chance):
    """Anything may happen, the number of places too."""

    def change(self) -> None:
        if self.chance.random() < 0.5:
            super().change()
            return
        project = Project.objects.get(pk=self.project.pk)
        number = self.chance.randint(1, 4)
        settings.change_settings(None, project, project.languages, per_item=number)

    def release(self) -> None:
        submitted = list(Annotation.objects.filter(state="submitted").order_by("pk"))
        if submitted and self.chance.random() < 0.5:
            aside.set_aside(None, self.chance.choice(submitted))
        else:
            super().release()


@pytest.mark.parametrize("seed", range(4))
def test_no_item_ever_has_more_to_fill_than_it_lacks_and_all_are_filled_in_the_end(seed: int):
    project = factories.make_project("flock", ("en", "fr"), per_item=2)
    for n in range(5):
        factories.make_item(project, f"item-{n}", language=("en", "fr")[n % 2])
    users = [factories.join(project, f"reader-{n}", "annotator") for n in range(3)]
    chance = Numbers(project, users, seed)
    for _ in range(50):
        chance.step()
        wanted = Project.objects.get(pk=project.pk).per_item
        for item in project.items.all():
            states = list(item.places.values_list("state", flat=True))
            taken = sum(state in ("claimed", "submitted", "reported") for state in states)
            assert states.count("open") == max(wanted - taken, 0)
    Item.objects.update(state="active", author=None)
    places.refresh_offers(list(project.items.values_list("pk", flat=True)))
    fresh = [factories.join(project, f"fresh-{n}", "annotator") for n in range(4)]
    while any(_next(user, project) for user in (*users, *fresh)):
        pass
    done = progress(project)["places"]
    assert done["submitted"] == done["total"] >= 5 * Project.objects.get(pk=project.pk).per_item


def _next(user: User, project: Project) -> bool:
    given = places.claim(user, project.slug)
    if given is not None:
        answers.save(user, given.place_id, CLEAN, given.version, 0, True)
    return given is not None
