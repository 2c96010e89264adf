"""A site with something in every corner, made by its own commands and actions."""

from __future__ import annotations

import json
from typing import Any

from tests.servers import manage

# Rows where the demo leaves none: a value for every field that must have one.
FILL = """
import datetime as dt, io, json, sys, uuid
from django.apps import apps
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, models, transaction
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
call_command("make_demo", stdout=io.StringIO())
call_command("agreement", "demo", "--resamples", "20", stdout=io.StringIO())

from annotation.models import Participant, Project, User
from backup.rows import kept_models
project = Project.objects.get(slug="demo")
project.guidelines = "a\\r\\nb\\u2028 \\U0001F411 e\\u0301 \\ufeff"
project.save()
gone = User.objects.create_user("gone")
gone.delete()  # its id must not be given again

def value(field):
    if field.is_relation:
        return field.related_model._base_manager.values_list("pk", flat=True).first()
    if isinstance(field, models.DateTimeField):
        return dt.datetime(2026, 2, 3, 4, 5, 6, 789012, dt.UTC)
    if isinstance(field, models.UUIDField):
        return uuid.UUID(int=7)
    if isinstance(field, models.JSONField):
        return {"b": [1, 2.5, None], "a": "\\u7f8a"}
    if isinstance(field, models.BooleanField):
        return True
    if isinstance(field, models.IntegerField | models.FloatField):
        return 1
    if field.choices:
        return field.choices[0][0]
    return ("\\u7f8a" * 3)[: field.max_length]

def fill(model):
    given = {}
    for field in model._meta.concrete_fields:
        if field.primary_key and isinstance(field, models.AutoField):
            continue
        if field.has_default() and not isinstance(field, models.UUIDField):
            continue
        given[field.attname] = value(field)
    with transaction.atomic():
        model._base_manager.bulk_create([model(**given)])

empty = []
for again in range(2):  # a row may point to one that comes later
    for model in kept_models(apps):
        if not model._base_manager.exists():
            try:
                fill(model)
            except Exception as error:
                empty += [f"{model._meta.db_table}: {error}"] if again else []
print(json.dumps(empty))
"""

STATE = """
import hashlib, io, json, pathlib
from django.core.management import call_command
from django.apps import apps
from django.conf import settings
from django.db import connection, models
found = {}
for model in apps.get_models(include_auto_created=True):
    rows = list(model._base_manager.order_by("pk").values())
    text = json.dumps(rows, default=str, sort_keys=True, ensure_ascii=False)
    found[model._meta.db_table] = [len(rows), hashlib.sha256(text.encode()).hexdigest()]
media = pathlib.Path(settings.MEDIA_ROOT)
files = {
    path.relative_to(media).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
    for path in media.rglob("*") if path.is_file()
}
out = io.StringIO()
call_command("export", "demo", "--format", "jsonl", stdout=out)
print(json.dumps({"tables": found, "files": files, "export": out.getvalue()}))
"""


def fill(env: dict[str, str]) -> list[str]:
    """Fill an empty site; the tables that stayed empty all the same."""
    said: list[str] = json.loads(manage(env, "shell", "-v0", "-c", FILL).stdout.splitlines()[-1])
    return said


def state(env: dict[str, str]) -> dict[str, Any]:
    """Count and hash of every table and file, read by other means than the backup's own."""
    found: dict[str, Any] = json.loads(
        manage(env, "shell", "-v0", "-c", STATE).stdout.splitlines()[-1]
    )
    return found


# `restore` ends the process where it is refused.
RESTORE = """
from django.core.management import call_command
call_command("restore", {file!r}, key_file={key!r})
"""
NEW_USER = """
from annotation.models import User
print(User.objects.create_user("new").pk)
"""


def restore(env: dict[str, str], file: str, key: str | None = None) -> dict[str, Any]:
    """Restore into an empty site; what is there then, and `new`: the id that the next user gets."""
    code = RESTORE.format(file=file, key=key) + STATE + NEW_USER
    lines = manage(env, "shell", "-v0", "-c", code).stdout.splitlines()
    found: dict[str, Any] = json.loads(lines[-2])
    return found | {"new": int(lines[-1])}
