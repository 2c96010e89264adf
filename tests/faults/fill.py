"""A project with people in the database of the environment; JSON on standard output.

python -m tests.faults.fill PEOPLE ITEMS [PER_ITEM]
"""

from __future__ import annotations

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from django.test import Client  # noqa: E402

from annotation.api.auth import digest  # noqa: E402
from annotation.models import ApiToken, Assignment, Item, Project, User  # noqa: E402
from annotation.order import item_number  # noqa: E402
from tests import factories  # noqa: E402

SLUG = "flock"
RESPONSE = "Two white sheep and a dog stand by the old red gate. " * 40


def items(project: Project, count: int, prefix: str = "item") -> None:
    """Text items with their places."""
    made = Item.objects.bulk_create(
        Item(
            project=project,
            key=f"{prefix}-{n:05}",
            language="en",
            question=f"What is there, {n}?",
            response=RESPONSE,
            number=item_number(project.seed, f"{prefix}-{n:05}"),
        )
        for n in range(count)
    )
    Assignment.objects.bulk_create(
        Assignment(
            item=item,
            ordinal=ordinal,
            project=project,
            language="en",
            number=item.number,
        )
        for item in made
        for ordinal in range(1, project.per_item + 1)
    )


def session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def main() -> None:
    people, count, per_item = (int(word) for word in (*sys.argv[1:], "3")[:3])
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a quick one
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    with transaction.atomic():
        project = factories.make_project(SLUG, per_item=per_item)
        tokens = {}
        for n in range(people):
            user = factories.join(project, f"annotator-{n}", "annotator")
            token = f"token-of-annotator-{n}"
            ApiToken.objects.create(user=user, digest=digest(token))
            tokens[user.pk] = token
        coordinator = factories.join(project, "coordinator", "coordinator")
        ApiToken.objects.create(user=coordinator, digest=digest("token-of-the-coordinator"))
        items(project, count)
        found = {"slug": SLUG, "tokens": tokens, "coordinator": "token-of-the-coordinator"}
        found |= {"session": session(coordinator), "items": count, "per_item": per_item}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
