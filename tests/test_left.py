"""What is left for a person is counted from sums; it is what asking of every item would give."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation import access
from annotation.actions import answers, places
from annotation.models import Annotation, Assignment, Item, Withheld
from annotation.records import Answer
from annotation.selectors.left import counts_of
from tests import factories

NOTHING = Answer((), "", True)


def one_by_one(person, languages) -> dict[str, int]:
    """The same by looking at every place and every answer."""
    now = timezone.now()
    mine = Assignment.objects.filter(project=person.project, annotator=person)
    held = {p.item_id for p in mine if p.state == "claimed" and p.offered}
    had = set(Annotation.objects.filter(annotator=person).values_list("item_id", flat=True))
    had |= set(Item.objects.filter(author=person.pseudonym).values_list("pk", flat=True))
    had |= set(Withheld.objects.filter(participant=person).values_list("item_id", flat=True))
    free = {
        p.item_id
        for p in Assignment.objects.filter(project=person.project, language__in=languages)
        if p.offered and (p.state == "open" or (p.state == "claimed" and p.leased_until < now))
    }
    done = mine.filter(state="submitted").exclude(item__state="retired").count()
    return {"submitted": done, "claimed": len(held), "left": len(free - had | held)}


class Chance:
    """Something happens in the project."""

    def __init__(self, project, users, seed: int) -> None:
        self.project, self.users, self.chance = project, users, random.Random(seed)

    def step(self) -> None:
        steps = (self.claim, self.claim, self.submit, self.expire, self.release, self.change)
        self.chance.choice(steps)()

    def claim(self) -> None:
        places.claim(self.chance.choice(self.users), self.project.slug)

    def _claimed(self) -> list[Assignment]:
        found = list(Assignment.objects.filter(state="claimed", offered=1).order_by("pk"))
        return self.chance.sample(found, min(1, len(found)))

    def submit(self) -> None:
        for place in self._claimed():
            answers.save(place.annotator.user, place.pk, NOTHING, 0, 0, True)

    def expire(self) -> None:
        for place in self._claimed():
            place.leased_until = timezone.now() - timedelta(minutes=1)
            place.save()

    def release(self) -> None:
        for place in self._claimed():
            places.release_place(None, place)

    def change(self) -> None:
        item = self.chance.choice(list(self.project.items.order_by("pk")))
        person = access.person_in(self.chance.choice(self.users), self.project.slug)
        what = self.chance.randrange(4)
        if what == 0:
            item.author = person.pseudonym
        elif what == 1:
            item.author = "somebody " * 400
        elif what == 2:
            item.state = self.chance.choice(["active", "held", "retired"])
        else:
            Withheld.objects.get_or_create(item=item, participant=person)
        item.save()
        places.refresh_offers([item.pk])


@pytest.mark.parametrize("seed", range(3))
def test_the_sums_are_what_asking_of_every_item_gives(db, seed: int):
    project = factories.make_project("flock", ("en", "fr"), per_item=2)
    for n in range(9):
        factories.make_item(project, f"item-{n}", language=("en", "fr")[n % 2])
    users = [factories.join(project, f"reader-{n}", "annotator") for n in range(3)]
    users.append(factories.join(project, "reader-3", "annotator", ("fr",)))
    elsewhere = factories.make_project("elsewhere")
    factories.make_item(elsewhere)
    factories.join(elsewhere, "reader-0", "annotator")
    chance = Chance(project, users, seed)
    for _ in range(40):
        chance.step()
        for user in users:
            person = access.person_in(user, project.slug)
            languages = person.roles["annotator"]
            assert counts_of(person, languages) == one_by_one(person, languages)
