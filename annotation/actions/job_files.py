"""The files that imports leave behind: kept for another try, then removed."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from django.utils import timezone

from annotation.models import Job
from annotation.selectors.jobs import IMPORT, KEPT, jobs_folder, kept_until

State = Job.State


def remove_old_files() -> int:
    """Remove the files of jobs that may not run again any more; how many folders went.

    Those are the files of jobs that ended badly more than `KEPT` ago, of jobs that are done, and of
    no job at all. Whoever lists jobs or carries one out calls it, so that no clock is needed.
    """
    try:
        folders = {path.name: path for path in jobs_folder().iterdir() if path.is_dir()}
    except OSError:
        return 0
    if not folders:
        return 0
    kept, gone = set(), 0
    for job in Job.objects.defer("report", "message"):
        name = job.parameters.get("folder")
        if name in folders:
            kept.add(name)
            if job.kind == IMPORT and _is_over(job):
                shutil.rmtree(folders[name], ignore_errors=True)
                gone += 1
    for name in folders.keys() - kept:
        if _is_old(folders[name]):
            shutil.rmtree(folders[name], ignore_errors=True)
            gone += 1
    return gone


def _is_over(job: Job) -> bool:
    if job.state == State.DONE:
        return job.ended_at is not None
    until = kept_until(job)
    return until is not None and until < timezone.now()


def _is_old(folder: Path) -> bool:
    """Of a folder without a job: one that is being made has none for a moment."""
    try:
        changed = datetime.fromtimestamp(folder.stat().st_mtime, UTC)
    except OSError:
        return False
    return changed + KEPT < timezone.now()
