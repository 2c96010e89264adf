"""The projects of the load, in the PostgreSQL of the environment; JSON on standard output.

python -m tests.load.fill '{"people": 300, "projects": {"p20000": 20000}, "answered": "p20000"}'
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from PIL import Image as Pillow  # noqa: E402

from annotation.models import Image, Membership, Participant, Project, User  # noqa: E402
from tests import factories  # noqa: E402
from tests.benchmarks.fill import answer_everything, response  # noqa: E402

PICTURES, BYTES = 40, 200_000
TEXTS = 200
ITEMS = """
INSERT INTO annotation_item (project_id, key, language, question, response, image_name, image_id,
    metadata, state, number{more})
SELECT %(project)s, 'item-' || lpad(n::text, 6, '0'), CASE n %% 2 WHEN 0 THEN 'en' ELSE 'fr' END,
    'What can be seen in picture ' || n || '?', (%(texts)s::text[])[1 + n %% %(many)s],
    (%(names)s::text[])[1 + n %% %(pictures)s], (%(images)s::bigint[])[1 + n %% %(pictures)s],
    '{{}}', 'active', floor(random() * 9.2e18)::bigint{values}
FROM generate_series(1, %(count)s) n
"""
PLACES = """
INSERT INTO annotation_assignment
    (item_id, ordinal, state, project_id, language, number, begun, offered)
SELECT i.id, o, 'open', i.project_id, i.language, i.number, 0, 1
FROM annotation_item i CROSS JOIN generate_series(1, 3) o WHERE i.project_id = %s
ORDER BY i.id, o
"""
SIDE = 1400


def picture(chance: random.Random) -> bytes:
    """A JPEG of about 200 kB."""
    small = Pillow.frombytes("RGB", (SIDE // 5,) * 2, chance.randbytes((SIDE // 5) ** 2 * 3))
    large = small.resize((SIDE, SIDE), Pillow.Resampling.BICUBIC)
    content = b""
    for quality in range(20, 96, 5):
        file = io.BytesIO()
        large.save(file, "JPEG", quality=quality)
        content = file.getvalue()
        if len(content) >= BYTES:
            break
    return content


def pictures(project: Project) -> list[Image]:
    chance = random.Random(7)
    folder = Path(settings.MEDIA_ROOT) / "pictures" / str(project.pk)
    folder.mkdir(parents=True)
    rows = []
    for n in range(PICTURES):
        (folder / f"{n}.jpg").write_bytes(picture(chance))
        file = f"pictures/{project.pk}/{n}.jpg"
        row = {"name": f"{n}.jpg", "file": file, "width": SIDE, "height": SIDE}
        rows.append(Image(project=project, sha256=f"{n:064}", **row))
    return Image.objects.bulk_create(rows)


def project(slug: str, count: int, users: list[User]) -> Project:
    """Items of ordinary length with pictures of 200 kB, and annotators."""
    made = factories.make_project(slug, ("en", "fr"))
    images = pictures(made)
    texts = [response(n) for n in range(TEXTS)]
    more, values = _defaults()
    with connection.cursor() as cursor:
        cursor.execute(
            ITEMS.format(more=more, values=values),
            {
                "project": made.pk, "count": count, "texts": texts, "many": TEXTS,
                "names": [image.name for image in images],
                "images": [image.pk for image in images], "pictures": PICTURES,
            },
        )  # fmt: skip
        cursor.execute(PLACES, [made.pk])
    people = Participant.objects.bulk_create(
        Participant(project=made, user=user, pseudonym=f"{slug}-{n:03}")
        for n, user in enumerate(users)
    )
    Membership.objects.bulk_create(
        Membership(participant=person, role="annotator") for person in people
    )
    factories.join(made, "coordinator", "coordinator")
    return made


def _defaults() -> tuple[str, str]:
    """Columns of an item that must be filled and that this file does not know."""
    known = "id project_id key language question response image_name image_id metadata state number"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type FROM information_schema.columns "
            "WHERE table_name = 'annotation_item' AND is_nullable = 'NO' "
            "AND column_default IS NULL AND is_identity = 'NO'"
        )
        rest = [(name, kind) for name, kind in cursor.fetchall() if name not in known.split()]
    values = ["'[]'" if kind == "text" else "0" for _, kind in rest]
    return "".join(f", {name}" for name, _ in rest), "".join(f", {value}" for value in values)


def session(user: User) -> str:
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def main() -> None:
    wanted: dict[str, Any] = json.loads(sys.argv[1])
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    users = User.objects.bulk_create(
        User(username=f"annotator-{n}", password="!") for n in range(wanted["people"])
    )
    for slug, count in wanted["projects"].items():
        made = project(slug, count, users)
        if slug == wanted.get("answered"):
            answer_everything(made)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    coordinator = User.objects.get(username="coordinator")
    found = {"sessions": [session(user) for user in users], "coordinator": session(coordinator)}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
