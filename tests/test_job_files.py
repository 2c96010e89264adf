"""Files of imports that failed are kept for another try, and not for ever."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from annotation.actions import jobs
from annotation.actions.job_files import remove_old_files
from annotation.models import Item, Job
from annotation.selectors.jobs import KEPT
from tests.files import row
from tests.test_jobs import lines, upload


@pytest.fixture(autouse=True)
def data(settings, tmp_path):
    settings.DATA_DIR = tmp_path


@pytest.fixture
def failed(project, coordinator):
    """A job that failed, since one of its rows has an unknown language."""
    content = lines(row("a"), row("b", language="xx"))
    job = jobs.start_import(coordinator, project, upload(content), None, "", {})
    job.refresh_from_db()
    assert job.state == "failed"
    return job


def jobs_folder() -> Path:
    return Path(settings.DATA_DIR) / "jobs"


def folder_of(job: Job) -> Path:
    return jobs_folder() / job.parameters["folder"]


def age(job: Job, by: timedelta) -> None:
    at = timezone.now() - by
    Job.objects.filter(pk=job.pk).update(ended_at=at, heartbeat=at, made_at=at)


def test_a_job_says_until_when_it_can_run_again_and_then_that_it_cannot(
    failed, coordinator, page_as
):
    page, address = page_as(coordinator), f"/p/flock/jobs/{failed.pk}/"
    shown = page.get(address).text
    assert f"kept until {failed.ended_at + KEPT:%Y-%m-%d %H:%M} UTC" in shown
    assert "Run again" in shown
    age(failed, KEPT + timedelta(minutes=1))
    page.get("/p/flock/jobs/")
    assert not folder_of(failed).exists()
    shown = page.get(address).text
    assert "not kept any more" in shown and "Run again" not in shown
    said = page.post(f"{address}change/", {"do": "again"}, follow=True).text
    assert "not kept any more" in said and Job.objects.get().state == "failed"


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_a_job_that_ended_less_than_two_weeks_ago_keeps_its_file(failed, coordinator, state):
    age(failed, KEPT - timedelta(minutes=1))
    Job.objects.update(state=state)
    assert remove_old_files() == 0
    jobs.run_again(coordinator, failed)
    age(failed, KEPT + timedelta(minutes=1))
    assert remove_old_files() == 1


def test_a_job_that_waits_or_runs_keeps_its_file_however_old_it_is(failed):
    for state, beat in (("waiting", None), ("running", timezone.now())):
        age(failed, 3 * KEPT)
        Job.objects.update(state=state, ended_at=None, heartbeat=beat)
        assert remove_old_files() == 0
    age(failed, 3 * KEPT)
    Job.objects.update(state="running", ended_at=None)
    beat = folder_of(failed) / "beat"
    beat.touch()
    assert remove_old_files() == 0  # its worker gives a sign in the file alone
    os.utime(beat, (0, 0))
    assert remove_old_files() == 1  # the worker died long ago


def test_a_worker_that_carries_out_a_job_removes_what_is_over(failed, project, coordinator):
    age(failed, KEPT + timedelta(minutes=1))
    jobs.start_import(coordinator, project, upload(lines(row("c"))), None, "", {})
    assert Item.objects.count() == 1
    assert list(jobs_folder().iterdir()) == []


def test_files_of_no_job_go_once_they_are_old(failed):
    left, fresh = jobs_folder() / "left", jobs_folder() / "fresh"
    left.mkdir()
    fresh.mkdir()
    os.utime(left, (0, 0))
    assert remove_old_files() == 1
    assert not left.exists() and fresh.exists() and folder_of(failed).exists()


def test_a_list_of_jobs_without_any_folder_is_shown(project, coordinator, page_as):
    assert page_as(coordinator).get("/p/flock/jobs/").status_code == 200
