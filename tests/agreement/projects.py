"""Projects with submitted answers for the tests of reports."""

from __future__ import annotations

from annotation.actions import answers, places
from annotation.models import Annotation, Assignment, Item, Project, User
from annotation.records import Answer, SpanRecord
from tests import factories

TEXT = "Two white sheep stand on a hill."


def mark(user: User, item: Item, *spans: tuple[int, int, str]) -> Annotation:
    """The user's submitted answer on the item, through the actions that the page uses."""
    place = Assignment.objects.filter(item=item, state="open").order_by("ordinal").first()
    assert place is not None
    Assignment.objects.exclude(pk=place.pk).filter(state="open").update(offered=0)
    try:
        held = places.claim(user, item.project.slug)
    finally:
        Assignment.objects.update(offered=1)
    assert held is not None and held.item_id == item.pk
    answer = Answer(tuple(SpanRecord(*span) for span in spans), "why", not spans)
    return answers.save(user, held.place_id, answer, held.version, 10, True).annotation


def flock(project: Project, count: int = 4) -> tuple[list[User], list[Item]]:
    """Three annotators on ``count`` items of two strategies and two languages."""
    project.languages = ["en", "fr"]
    project.save()
    users = [factories.join(project, f"reader-{n}", "annotator") for n in range(3)]
    items = []
    for n in range(count):
        item = factories.make_item(
            project,
            f"item-{n}",
            response=TEXT,
            language=("en", "fr")[n % 2],
            strategy=("random", "map")[n // 2 % 2],
            prelabel=("A", None)[n % 2],
            split="test",
            metadata={"seed": n % 2} if n else {},
        )
        items.append(item)
        mark(users[0], item, (4, 9, "A"))
        mark(users[1], item, *([(4, 15, "A")] if n % 2 else [(4, 9, "B"), (20, 22, "A")]))
        mark(users[2], item, *([] if n % 3 == 0 else [(10, 15, "C")]))
    return users, items
