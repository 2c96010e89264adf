"""What is left for a person is counted from sums; it is what asking of every item would give."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from annotation import access
from annotation.models import Annotation, Assignment, Item, Withheld
from annotation.selectors.left import counts_of
from tests import factories
from tests.chance import Chance


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


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has nothing to vacuum")
def test_places_are_vacuumed_long_before_a_fifth_of_them_has_changed(db):
    """What is left is counted from an index alone only where that has been done."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT unnest(reloptions) FROM pg_class WHERE relname = 'annotation_assignment'"
        )
        options = dict(option.split("=") for (option,) in cursor.fetchall())
    assert float(options["autovacuum_vacuum_scale_factor"]) < 0.01
    assert float(options["autovacuum_vacuum_insert_scale_factor"]) < 0.01
