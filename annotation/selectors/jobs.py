"""Jobs as pages show them, and whether their worker still lives."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import job_store
from annotation.models import Job, Project
from annotation.trouble import StoreAway

IMPORT = "import"  # the kind of these jobs
STALE_AFTER = timedelta(minutes=2)
KEPT = timedelta(days=14)  # how long the files of a job that failed wait for another try
State = Job.State


def folder_of(job: Job) -> str:
    """Where the job's files lie in the store of jobs."""
    return str(job.parameters["folder"])


def last_sign(job: Job) -> datetime | None:
    """The worker's last sign of life, in the row or in its file; None for a job that waits."""
    signs = [job.heartbeat] if job.heartbeat else []
    if at := job_store.touched_at(folder_of(job), job_store.BEAT):
        signs.append(at)
    return max(signs, default=None)


def is_stale(job: Job) -> bool:
    """A running job whose worker gave no sign for `STALE_AFTER`: it died."""
    if job.state != State.RUNNING:
        return False
    sign = last_sign(job)
    return sign is None or sign < timezone.now() - STALE_AFTER


def may_run_again(job: Job) -> bool:
    """Whether its state lets the job run again; its files are another question."""
    return job.state in (State.FAILED, State.CANCELLED) or is_stale(job)


def kept_until(job: Job) -> datetime | None:
    """Until when the files of a job that ended badly are kept; None where they are gone.

    A job that waits or runs keeps its files without an end.
    """
    if not may_run_again(job):
        return None
    try:
        if not job_store.has(folder_of(job), job_store.ITEMS):
            return None
    except StoreAway:  # it is asked again before the job runs
        pass
    return (job.ended_at or last_sign(job) or job.made_at) + KEPT


def jobs_of(project: Project) -> QuerySet[Job]:
    """The project's jobs, newest first."""
    return project.jobs.select_related("made_by").order_by("-pk")


def job_json(job: Job) -> dict[str, Any]:
    """``{state, text, done, total, message, ended}`` for the page that watches a job."""
    stale = is_stale(job)
    ended = stale or job.state not in (State.WAITING, State.RUNNING)
    return {
        "state": "failed" if stale else job.state,
        "text": _("Stopped without a word") if stale else job.get_state_display(),
        "done": job.done,
        "total": job.total,
        "message": job.message,
        "ended": ended,
        "cancel_asked": job.cancel_asked,
    }
