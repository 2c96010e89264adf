"""PgBouncer in transaction mode, set up as docs/scaling.md says: claims, answers, jobs, exports."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, connections
from rest_framework.test import APIClient

from annotation.actions import jobs
from annotation.models import Annotation, AuditEvent, User
from tests import factories
from tests.files import exported, row
from tests.servers import wait_until
from tests.servers.pooler import PROGRAM, PgBouncer, role_lines

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not Path(PROGRAM).exists(), reason="pgbouncer is not installed"),
    pytest.mark.django_db(transaction=True),
]
PEOPLE, ITEMS = 6, 24


@pytest.fixture
def pooled(transactional_db, monkeypatch):
    """Every connection of this process goes through a pooler with two to the server."""
    if connection.vendor != "postgresql":
        pytest.skip("it stands before PostgreSQL alone")
    given = connections.settings["default"]
    name = connection.ops.quote_name(given["NAME"])
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE {name} SET timezone = 'Europe/Paris'")
        for line in role_lines():
            cursor.execute(f"ALTER ROLE {given['USER']} IN DATABASE {name} {line}")
    connection.close()
    with PgBouncer(given, default_pool_size=2) as pooler:
        wait_until(lambda: pooler.listens() or not pooler.alive(), 10, "pgbouncer")
        assert pooler.alive(), pooler.log.read_text()
        with monkeypatch.context() as changed:
            changed.setitem(given, "PORT", pooler.port)
            changed.setitem(given, "DISABLE_SERVER_SIDE_CURSORS", True)
            yield pooler
            connections.close_all()
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE {name} RESET ALL")
        cursor.execute(f"ALTER ROLE {given['USER']} IN DATABASE {name} RESET ALL")


def answer_all(user: User) -> int:
    """Claim, save and submit until nothing is left; how many answers were taken."""
    api, taken = APIClient(), 0
    api.force_login(user)
    try:
        while place := api.post("/api/v1/projects/flock/claim/", {}, format="json").data:
            sent = {"spans": [], "comment": "", "no_hallucination": True, "active_ms": 1}
            version = place["annotation"]["version"]
            for submit in (False, True):
                sent |= {"version": version, "submit": submit}
                reply = api.put(f"/api/v1/assignments/{place['id']}/", sent, format="json")
                assert reply.status_code == 200, reply.content
                version = reply.data["version"]
            taken += 1
    finally:
        connections.close_all()
    return taken


def test_people_jobs_and_exports_share_two_connections(pooled, monkeypatch):
    with connection.cursor() as cursor:
        for name, value in (("jit", "off"), ("lock_timeout", "20s"), ("timezone", "UTC")):
            cursor.execute(f"SHOW {name}")
            assert cursor.fetchone()[0] == value, name
    project = factories.make_project(per_item=2)
    lead = factories.join(project, "lead", "coordinator")
    people = [factories.join(project, f"reader-{n}", "annotator") for n in range(PEOPLE)]
    monkeypatch.setattr(jobs, "_enqueue", lambda job: None)
    rows = "".join(json.dumps(row(str(n))) + "\n" for n in range(ITEMS))
    file = SimpleUploadedFile("items.jsonl", rows.encode())
    job = jobs.start_import(lead, project, file, None, "", {})
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.message
    with ThreadPoolExecutor(PEOPLE) as threads:
        taken = list(threads.map(answer_all, people))
    assert sum(taken) == 2 * ITEMS == Annotation.objects.filter(state="submitted").count()
    found = [json.loads(line) for line in exported().splitlines()]
    assert [len(item["annotations"]) for item in found] == [2] * ITEMS
    seen = list(AuditEvent.objects.order_by("pk").iterator(chunk_size=1))
    assert len(seen) == AuditEvent.objects.count() > 1
    pids = set()
    for _ in range(20):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            pids |= set(cursor.fetchone())
    assert len(pids) <= 2
