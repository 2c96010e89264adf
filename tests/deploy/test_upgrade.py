"""The database of the first release, with its pictures, under today's code: nothing is lost."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from tests.servers import Postgres, manage

pytestmark = pytest.mark.servers

DATA = Path(__file__).resolve().parents[1] / "data"
ARCHIVE = DATA / "first_release.tar"
# What a person does next, through today's pages, on yesterday's rows.
LOOK = """
import io, json
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from annotation.models import Annotation, Assignment, Item, Project, User
settings.ALLOWED_HOSTS = ["testserver"]
models = (Annotation, Assignment, Item, Project, User)
counts = {m._meta.db_table: m.objects.count() for m in models}
exports = {}
for name in ("sheep", "jsonl"):
    out = io.StringIO()
    call_command("export", "demo", "--format", name, stdout=out)
    exports[name] = out.getvalue()
call_command("migrate", "--check", verbosity=0)
connection.check_constraints()
refused = []
for fields in ({"item_id": Item.objects.first().pk, "ordinal": 1}, {"state": "nonsense"}):
    try:
        with transaction.atomic():
            place = Assignment.objects.filter(ordinal=1).first()
            place.pk = None
            place.ordinal = 99
            for name, value in fields.items():
                setattr(place, name, value)
            place.annotator = None
            place.save(force_insert=True)
    except IntegrityError:
        refused.append(sorted(fields))
pages = {}
for user, paths in (
    ("coordinator", ["/p/demo/", "/p/demo/items/", "/p/demo/agreement/", "/p/demo/members/"]),
    ("annotator1", ["/", "/p/demo/label/"]),
):
    client = Client()
    client.force_login(User.objects.get(username=user))
    pages |= {path: client.get(path, follow=True).status_code for path in paths}
assert User.objects.get(username="annotator1").check_password("clover-and-hay-24")
claim = client.post("/api/v1/projects/demo/claim/", content_type="application/json")
item = claim.json()["item"]
picture = b"".join(client.get(item["image_url"]).streaming_content) if item["image_url"] else b""
print(json.dumps({"counts": counts, "exports": exports, "refused": refused, "pages": pages,
                  "claim": claim.status_code, "picture": picture[:4].decode("latin-1")}))
"""


@pytest.fixture(scope="module")
def postgres():
    with Postgres() as server:
        yield server


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_the_first_releases_database_is_migrated_without_a_loss(engine, postgres, tmp_path):
    env = {"SHEEPFOLD_DATA": str(tmp_path / "data")}
    env |= {"DATABASE_URL": postgres.url} if engine == "postgresql" else {}
    manage(env, "restore", str(ARCHIVE))
    found = json.loads(manage(env, "shell", "-v0", "-c", LOOK).stdout.splitlines()[-1])
    held = json.loads(manifest())["tables"]
    assert found["counts"] == {table: held[table]["rows"] for table in found["counts"]}
    for name, text in found["exports"].items():
        assert text == (DATA / f"first_release.{name}").read_bytes().decode(), name
    assert found["refused"] == [["item_id", "ordinal"], ["state"]]
    assert set(found["pages"].values()) == {200}
    assert (found["claim"], found["picture"][1:]) == (200, "PNG")


def manifest() -> bytes:
    with tarfile.open(ARCHIVE) as archive:
        return archive.extractfile("manifest.json").read()
