"""A small site for the servers under test; says on standard output what there is, as JSON.

Run with the site's environment: ``python -m tests.deploy.fill``.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from typing import Any

import django

PASSWORD = "wool-and-hay-77"


def prepare() -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def _picture(project: Any, name: str) -> Any:
    from django.core.files.base import ContentFile
    from django.core.files.storage import default_storage
    from PIL import Image as Pillow

    from annotation.models import Image

    buffer = io.BytesIO()
    Pillow.new("RGB", (64, 48), "#446688").save(buffer, "PNG")
    kept = default_storage.save(name, ContentFile(buffer.getvalue()))
    digest = hashlib.sha256(buffer.getvalue()).hexdigest()
    return Image.objects.create(
        project=project, name=name, file=kept, width=64, height=48, sha256=digest
    )


def fill() -> dict[str, Any]:
    from annotation.actions import people
    from tests import factories

    project = factories.make_project(per_item=1)
    person = factories.join(project, "everything", "coordinator")
    factories.join(project, "everything", "annotator")
    shown = factories.make_item(project, "shown", image=_picture(project, "field é.png"))
    # To send it fails: its kind is none that the site knows, and its name is words of people.
    odd = factories.make_item(project, "odd", image=_picture(project, "odd.purple unicorns"))
    for number in range(1500):
        factories.make_item(project, f"item-{number}", places=1, response="Two white sheep. " * 60)
    newcomer = people.add_member(None, project, "newcomer", "annotator", [])[0]
    return {
        "shown": shown.pk,
        "odd": odd.pk,
        "token": people.make_token(person),
        "link": people.new_password_link(None, newcomer),
    }


if __name__ == "__main__":
    django.setup()
    prepare()
    sys.stdout.write(json.dumps(fill()))
