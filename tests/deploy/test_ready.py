"""What probes are told: /healthz of the process alone, /readyz of each part, never a secret."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from annotation.actions import workers
from annotation.models import Job, Worker
from tests import factories


def parts(client: Client) -> tuple[int, dict]:
    reply = client.get("/readyz")
    assert reply["Cache-Control"] == "no-store" and not reply.cookies
    return reply.status_code, reply.json()["parts"]


@pytest.fixture
def ready(db, client):
    """A client of a site whose worker beats."""
    call_command("createcachetable")
    workers.beat("here-1")
    return client


def test_the_process_answers_without_a_database(client):
    """Without the fixture ``db`` any query would fail this test."""
    reply = client.get("/healthz", headers={"Host": "10.0.0.7:81"})
    assert (reply.status_code, reply.json()) == (200, {"alive": True})
    assert not reply.cookies


def test_a_site_without_a_worker_is_not_ready(ready):
    Worker.objects.all().delete()
    status, found = parts(ready)
    assert status == 503 and found["worker"] == {"ok": False, "reason": "no worker has started"}
    assert all(part["ok"] for name, part in found.items() if name != "worker")


def test_a_worker_that_fell_silent_is_seen(ready):
    Worker.objects.update(heartbeat=timezone.now() - timedelta(minutes=3))
    status, found = parts(ready)
    assert status == 503 and 179 < found["worker"]["age_seconds"] < 200


def test_a_worker_whose_job_beats_lives_though_the_database_takes_no_second_writer(ready):
    Worker.objects.update(heartbeat=timezone.now() - timedelta(minutes=3))
    Job.objects.create(
        project=factories.make_project(),
        kind="import",
        state="running",
        heartbeat=timezone.now(),
        parameters={"folder": "none"},
    )
    assert parts(ready)[0] == 200


def test_a_migration_that_is_not_applied_is_named(ready):
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM django_migrations WHERE app = 'annotation' AND name LIKE '0002%'"
        )
    status, found = parts(ready)
    assert status == 503
    assert found["migrations"] == {"ok": False, "unapplied": ["annotation.0002_place_offer_covers"]}


def test_a_folder_that_takes_no_file_is_seen(ready, settings, tmp_path):
    (tmp_path / "file").write_text("")
    settings.DATA_DIR = tmp_path / "file"
    status, found = parts(ready)
    assert status == 503 and found["storage"]["reason"] in ("FileExistsError", "NotADirectoryError")


def test_a_database_that_refuses_is_told_by_the_kind_of_its_error_alone(ready):
    def refuse(*_: object) -> None:
        raise DatabaseError("no password for postgres://sheepfold:hay77@db")

    with connection.execute_wrapper(refuse):
        reply = ready.get("/readyz")
    assert reply.status_code == 503 and b"hay77" not in reply.content
    assert reply.json()["parts"]["database"] == {"ok": False, "reason": "DatabaseError"}


def test_a_ready_site_says_so_and_asks_the_database_little(ready, django_assert_max_num_queries):
    parts(ready)
    with django_assert_max_num_queries(8):
        assert parts(ready)[0] == 200


def test_only_reading_is_answered(client):
    assert client.post("/healthz").status_code == 405
    assert client.head("/healthz").status_code == 200


def test_a_worker_that_stops_leaves_no_row_and_rows_of_dead_ones_go(db):
    Worker.objects.create(name="long-dead", heartbeat=timezone.now() - timedelta(days=2))
    workers.started("here-1")
    assert list(Worker.objects.values_list("name", flat=True)) == ["here-1"]
    workers.stopped("here-1")
    assert not Worker.objects.exists()
