"""The files that imports leave behind: kept for another try, then removed."""

from __future__ import annotations

from django.utils import timezone

from annotation import job_store
from annotation.models import Job
from annotation.selectors.jobs import IMPORT, KEPT, kept_until
from annotation.trouble import StoreAway

State = Job.State


def remove_old_files() -> int:
    """Remove the files of jobs that may not run again any more; how many folders went.

    Those are the files of jobs that ended badly more than `KEPT` ago, of jobs that are done, and of
    no job at all. Whoever lists jobs or carries one out calls it, so that no clock is needed.
    Where the store is away, they stay until the next look.
    """
    try:
        return _remove(set(job_store.folders()))
    except StoreAway:
        return 0


def _remove(folders: set[str]) -> int:
    if not folders:
        return 0
    kept, gone = set(), 0
    for job in Job.objects.defer("report", "message"):
        name = job.parameters.get("folder")
        if name in folders:
            kept.add(name)
            if job.kind == IMPORT and _is_over(job):
                job_store.remove_folder(name)
                gone += 1
    for name in folders - kept:
        if _is_old(name):
            job_store.remove_folder(name)
            gone += 1
    return gone


def _is_over(job: Job) -> bool:
    if job.state == State.DONE:
        return job.ended_at is not None
    until = kept_until(job)
    return until is not None and until < timezone.now()


def _is_old(folder: str) -> bool:
    """Of a folder without a job: one that is being made has none for a moment."""
    changed = job_store.changed_at(folder)
    return changed is not None and changed + KEPT < timezone.now()
