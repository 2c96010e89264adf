"""Projects, people and items for tests, made straight in the database."""

from __future__ import annotations

from typing import Any

from annotation.models import Assignment, Item, Label, Membership, Participant, Project, User
from annotation.order import item_number
from annotation.pseudonyms import pseudonym

LABELS = [
    ("A", "Invention", "#a84300"),
    ("B", "Mischaracterization", "#005b8f"),
    ("C", "OCR Problem", "#00704f"),
    ("D", "Miscounting", "#8a2f7b"),
    ("E", "Other", "#595959"),
]
PASSWORD = "wool-and-hay-77"


def make_project(
    slug: str = "flock", languages: tuple[str, ...] = ("en",), **fields: Any
) -> Project:
    project = Project.objects.create(
        slug=slug,
        name=slug.title(),
        languages=list(languages),
        seed=fields.pop("seed", 1),
        **fields,
    )
    for position, (code, name, colour) in enumerate(LABELS):
        Label.objects.create(
            project=project,
            code=code,
            name=name,
            colour=colour,
            key=code.lower(),
            position=position,
            writable=code != "E",
            comment_required=code == "E",
        )
    return project


def make_user(name: str) -> User:
    return User.objects.create_user(name, password=PASSWORD)


def join(project: Project, name: str, role: str, languages: tuple[str, ...] = ()) -> User:
    """An account (made where it is missing) with a role in the project."""
    user = User.objects.filter(username=name).first() or make_user(name)
    person, _ = Participant.objects.get_or_create(
        project=project,
        user=user,
        defaults={"pseudonym": pseudonym(project.pseudonym_key, f"user:{user.pk}")},
    )
    Membership.objects.create(participant=person, role=role, languages=list(languages))
    return user


def make_item(
    project: Project, key: str = "item-1", places: int | None = None, **fields: Any
) -> Item:
    """An item with its places."""
    fields = {
        "language": "en",
        "question": "What is there?",
        "response": "Two white sheep.",
    } | fields
    item = Item.objects.create(
        project=project, key=key, number=item_number(project.seed, key), **fields
    )
    Assignment.objects.bulk_create(
        Assignment(
            item=item,
            ordinal=ordinal,
            project=project,
            language=item.language,
            number=item.number,
            offered=int(item.state == "active" and not (item.image_name and not item.image_id)),
        )
        for ordinal in range(1, (places or project.per_item) + 1)
    )
    return item
