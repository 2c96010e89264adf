"""A project in which anything may happen: for rules that hold whatever happened before."""

from __future__ import annotations

import random
from datetime import timedelta

from django.utils import timezone

from annotation import access
from annotation.actions import answers, places
from annotation.models import Assignment, Project, User, Withheld
from annotation.records import Answer

NOTHING = Answer((), "", True)


class Chance:
    """Something happens in the project."""

    def __init__(self, project: Project, users: list[User], seed: int) -> None:
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
            user = place.annotator.user if place.annotator else None
            assert user is not None
            answers.save(user, place.pk, NOTHING, 0, 0, True)

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
