"""Imports by page and API: jobs with report and cancel, limits, streamed exports."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotation import job_store
from annotation.actions import jobs, people
from annotation.errors import Forbidden, Unknown
from annotation.models import AuditEvent, Item, Job
from annotation.selectors.jobs import STALE_AFTER, folder_of
from tests import factories
from tests.files import everything, picture, row

API = "/api/v1/projects/flock/items/"
PAGE = "/p/flock/import/"


def lines(*rows: dict) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in rows)


def upload(content: bytes, name: str = "羊/items.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def post(api, content: bytes, query: str = "", kind: str = "application/x-ndjson"):
    return api.post(API + query, data=content, content_type=kind)


@pytest.mark.parametrize("kind", ["application/x-ndjson", "application/jsonl", "text/plain"])
def test_rows_come_in_by_the_api(api_as, coordinator, kind):
    answer = post(api_as(coordinator), lines(row("a"), row("b")), kind=kind)
    assert answer.status_code == 200
    wanted = {"new": 2, "same": 0, "changed": 0, "refused": 0, "errors": []}
    assert wanted.items() <= answer.json().items()
    listed = json.dumps([row("a"), row("c")]).encode()
    assert post(api_as(coordinator), listed, kind="application/json").json()["new"] == 1


def test_a_refused_row_refuses_the_request_unless_partial(api_as, coordinator):
    content = lines(row("a"), row("b", language="xx"))
    before = everything()
    answer = post(api_as(coordinator), content)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == "2.language"
    assert everything() == before
    assert post(api_as(coordinator), content, "?partial=1&dry_run=1").json()["new"] == 1
    assert everything() == before
    answer = post(api_as(coordinator), content, "?partial=1")
    assert (answer.status_code, answer.json()["new"], answer.json()["refused"]) == (200, 1, 1)
    assert post(api_as(coordinator), lines(row(language="xx")), "?partial=1").status_code == 422
    assert post(api_as(coordinator), b"").status_code == 422


def test_more_than_5000_rows_are_too_many_for_the_api(api_as, coordinator):
    content = lines(*(row(str(i)) for i in range(5001)))
    assert post(api_as(coordinator), content).status_code == 413
    assert not Item.objects.exists()


def test_only_coordinators_import_and_export(api_as, page_as, coordinator, annotator, stranger):
    for user, status in ((annotator, 403), (stranger, 404)):
        assert post(api_as(user), lines(row())).status_code == status
        assert api_as(user).get("/api/v1/projects/flock/export/").status_code == status
        for page in ("import", "jobs", "export"):
            assert page_as(user).get(f"/p/flock/{page}/").status_code == status
    assert post(api_as(None), lines(row())).status_code == 401
    assert not Item.objects.exists()


def test_the_export_is_streamed_by_api_and_page(api_as, page_as, coordinator):
    post(api_as(coordinator), lines(row()))
    for client, path in (
        (api_as(coordinator), "/api/v1/projects/flock/export/?format=sheep&boundaries=sheep"),
        (page_as(coordinator), "/p/flock/export/?format=sheep"),
    ):
        answer = client.get(path)
        assert answer.streaming
        assert json.loads(b"".join(answer.streaming_content))["id"] == "a"
    wrong = api_as(coordinator).get("/api/v1/projects/flock/export/?format=xml")
    assert wrong.status_code == 422
    assert page_as(coordinator).get("/p/flock/export/?format=xml").status_code == 422


def test_a_page_import_is_a_job_with_a_report(page_as, coordinator, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("a.png", picture())
    sent = {"file": upload(lines(row(image_name="a.png"))), "images": upload(buffer.getvalue())}
    page = page_as(coordinator)
    answer = page.post(PAGE, sent)
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/p/flock/jobs/{job.pk}/")
    assert (job.state, job.report["new"], job.report["pictures"]) == ("done", 1, 1)
    assert "items.jsonl" in page.get(answer["Location"]).content.decode()
    assert page.get(answer["Location"] + "?as=json").json()["ended"] is True
    assert page.get("/p/flock/jobs/").status_code == 200


def test_a_failed_job_says_why_and_runs_again_without_doubles(page_as, coordinator):
    page = page_as(coordinator)
    bad = '<img src=x onerror="x()">'
    page.post(PAGE, {"file": upload(lines(row("a"), row("b", language=bad)))})
    job = Job.objects.get()
    assert (job.state, job.report["refused"]) == ("failed", 1)
    shown = page.get(f"/p/flock/jobs/{job.pk}/").content.decode()
    assert "unknown language" in shown
    assert bad not in shown
    table = page.get(f"/p/flock/jobs/{job.pk}/refused.csv")
    assert b'"2","language"' in b"".join(table.streaming_content)
    jobs.run_again(coordinator, job)
    assert Job.objects.get().state == "failed"
    assert not Item.objects.exists()


def test_a_job_whose_file_can_only_fail_again_is_not_offered_another_run(page_as, coordinator):
    page = page_as(coordinator)
    good = upload(lines(row("a")))
    no_zip = SimpleUploadedFile("lines.jsonl", b"{}")
    for sent, reason in (
        ({"file": upload(b"{broken")}, "broken JSON"),
        ({"file": good, "images": no_zip}, "lines.jsonl is neither a folder nor a zip"),
    ):
        shown = page.post(PAGE, sent, follow=True).text
        assert reason in shown and "Run again" not in shown and "upload it again" in shown


def test_a_check_with_refusals_says_that_the_import_would_write_nothing(page_as, coordinator):
    sent = {"file": upload(lines(row("a"), row("b", language="xx"))), "dry_run": "1"}
    assert (
        "The import would write nothing" in page_as(coordinator).post(PAGE, sent, follow=True).text
    )


def test_a_form_without_a_file_is_refused(page_as, coordinator):
    assert page_as(coordinator).post(PAGE, {}).status_code == 422
    page_as(coordinator).post(PAGE, {"file": upload(b"")})
    assert not Job.objects.filter(state="done").exists()


@pytest.fixture
def waiting(project, coordinator, monkeypatch):
    """A job that no worker has begun."""
    monkeypatch.setattr(jobs, "_enqueue", lambda job: None)
    content = lines(*(row(str(i)) for i in range(3000)))
    return jobs.start_import(coordinator, project, upload(content), None, "", {})


def test_a_cancelled_job_imports_nothing(waiting, coordinator, monkeypatch):
    monkeypatch.setattr(job_store, "NEAR", 0)
    job_store.touch(
        folder_of(waiting), job_store.CANCEL
    )  # as a cancel leaves it while the job is running
    jobs.run(waiting.pk)
    waiting.refresh_from_db()
    assert waiting.state == "cancelled"
    assert not Item.objects.exists()
    jobs.run_again(coordinator, waiting)
    jobs.run(waiting.pk)
    assert Item.objects.count() == 3000


def test_a_job_that_runs_again_acts_in_the_name_of_whoever_asked_last(
    project, waiting, coordinator, annotator
):
    """Neither in the name of somebody who has left, nor for somebody without the right."""
    other = factories.join(project, "other", "coordinator")
    jobs.cancel(coordinator, waiting)
    people.remove_member(other, project.participants.get(user=coordinator))
    for nobody, refusal in ((coordinator, Unknown), (annotator, Forbidden)):
        with pytest.raises(refusal):
            jobs.run_again(nobody, waiting)
    jobs.run_again(other, waiting)
    jobs.run(waiting.pk)
    assert Item.objects.count() == 3000
    rows = AuditEvent.objects.order_by("pk").values_list("kind", "target", "actor")
    assert list(rows) == [
        ("job.cancelled", str(waiting.pk), coordinator.pk),
        ("member.removed", "", other.pk),
        ("job.again", str(waiting.pk), other.pk),
        ("import", "jsonl", other.pk),
    ]


def test_whoever_asked_for_a_job_and_lost_the_role_imports_nothing(project, waiting, coordinator):
    factories.join(project, "other", "coordinator")
    people.remove_member(None, project.participants.get(user=coordinator))
    jobs.run(waiting.pk)
    waiting.refresh_from_db()
    assert waiting.state == "failed" and "does not coordinate" in waiting.message
    assert not Item.objects.exists()


def test_a_waiting_job_is_cancelled_at_once_and_no_worker_takes_it(waiting, coordinator):
    jobs.cancel(coordinator, waiting)
    jobs.run(waiting.pk)
    waiting.refresh_from_db()
    assert waiting.state == "cancelled"
    assert not Item.objects.exists()


def test_a_job_whose_worker_died_is_seen_and_runs_again(waiting, coordinator, page_as):
    old = timezone.now() - 2 * STALE_AFTER
    Job.objects.filter(pk=waiting.pk).update(state="running", heartbeat=old)
    page = page_as(coordinator)
    assert "Stopped without a word" in page.get("/p/flock/jobs/").content.decode()
    page.post(f"/p/flock/jobs/{waiting.pk}/change/", {"do": "again"})
    jobs.run(waiting.pk)
    jobs.run(waiting.pk)  # the worker that was thought dead
    assert Item.objects.count() == 3000
    assert Job.objects.get().state == "done"
