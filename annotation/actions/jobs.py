"""Imports that outlive a request: started, carried out by a worker, cancelled, run again."""

from __future__ import annotations

import logging
import secrets
import shutil
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.imports import import_items
from annotation.actions.job_files import remove_old_files
from annotation.actions.picture_sources import open_source
from annotation.errors import Forbidden, Refused, Unknown
from annotation.formats import READABLE, Fault
from annotation.formats.guess import guess_format
from annotation.models import Job, Project, User
from annotation.selectors.jobs import IMPORT, beat_file, cancel_file, folder_of, may_run_again

OPTIONS = ("with_annotations", "partial", "dry_run")
EVERY = 0.5  # seconds between two notes of progress
log = logging.getLogger(__name__)
State = Job.State


class Cancelled(Exception):
    """Somebody asked the job to stop."""


def start_import(
    by: User,
    project: Project,
    file: UploadedFile | None,
    images: UploadedFile | None,
    format_name: str,
    options: dict[str, bool],
) -> Job:
    """Keep the uploaded files and queue their import; the job is at hand at once.

    An empty ``format_name`` is guessed. Raises `Refused` without a file or for an unknown format.
    """
    access.check_coordinator(by, project)
    if file is None or not file.name:
        raise Refused(("file", _("Choose the file with the items.")))
    if format_name and format_name not in READABLE:
        raise Refused(("format", _("Unknown format %r.") % format_name))
    for upload in (file, images):
        if upload is not None and (upload.size or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            message = _("%(name)s has more than %(limit)d bytes: use import_items instead.")
            limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            raise Refused(("file", message % {"name": upload.name, "limit": limit}))
    parameters: dict[str, Any] = {
        "folder": secrets.token_hex(16),
        "name": file.name,
        "images_name": images.name if images is not None else "",
        "format": format_name,
        **{name: bool(options.get(name)) for name in OPTIONS},
    }
    job = Job(project=project, kind=IMPORT, made_by=by, parameters=parameters)
    folder = folder_of(job)
    folder.mkdir(parents=True)
    # Names from outside are shown, never used as paths.
    _keep(file, folder / "items")
    if images is not None:
        _keep(images, folder / "images")
    job.save()
    _enqueue(job)
    return job


def _keep(upload: UploadedFile, path: Path) -> None:
    with path.open("wb") as file:
        for chunk in upload.chunks():
            file.write(chunk)


def _enqueue(job: Job) -> None:
    from annotation.tasks import run_job  # the task calls this module

    run_job.enqueue(job.pk)


def cancel(by: User | None, job: Job) -> None:
    """Ask a job to stop; one that nobody has begun is cancelled at once."""
    access.check_coordinator(by, job.project)
    if job.state not in (State.WAITING, State.RUNNING):
        raise Refused(("job", _("This job has ended already.")))
    cancel_file(job).touch()
    waiting = Job.objects.filter(pk=job.pk, state=State.WAITING)
    waiting.update(state=State.CANCELLED, ended_at=timezone.now(), cancel_asked=True)
    Job.objects.filter(pk=job.pk).update(cancel_asked=True)


def run_again(by: User | None, job: Job) -> None:
    """Queue a failed or cancelled job anew, or one whose worker died.

    Rows are matched by key and written all or not at all, so nothing comes twice.
    """
    access.check_coordinator(by, job.project)
    if not (folder_of(job) / "items").exists():
        raise Refused(("job", _("Its file is not kept any more: upload it again.")))
    with transaction.atomic():
        locked = Job.objects.select_for_update().get(pk=job.pk)
        if not may_run_again(locked):
            raise Refused(("job", _("This job is not one that failed.")))
        locked.state, locked.message, locked.report = State.WAITING, "", None
        locked.done = locked.total = 0
        locked.heartbeat = locked.ended_at = None
        locked.cancel_asked = False
        locked.save()
    for file in (cancel_file(job), beat_file(job)):
        file.unlink(missing_ok=True)
    _enqueue(locked)


def run(job_id: int) -> None:
    """Carry the job out and keep its report; what a worker calls. A job runs once at a time."""
    remove_old_files()
    begun = Job.objects.filter(pk=job_id, state=State.WAITING)
    if not begun.update(state=State.RUNNING, heartbeat=timezone.now()):
        return
    job = Job.objects.select_related("project", "made_by").get(pk=job_id)
    state, message = State.FAILED, ""
    try:
        report = _import(job)
        job.report = report
        state = State.DONE if report["written"] or report["dry_run"] else State.FAILED
        if state == State.FAILED:
            message = _("Nothing was imported: mend the refused rows and import again.")
    except Cancelled:
        state, message = State.CANCELLED, _("Cancelled: nothing was imported.")
    except (Refused, Fault) as error:
        message = _said(error)
    except (Unknown, Forbidden):
        message = _("Whoever started this job does not coordinate the project any more.")
    except FileNotFoundError:
        message = _("Its file is not kept any more: upload it again.")
    except DatabaseError:
        log.exception("job %d", job_id)
        message = _("The database was busy or refused: nothing was imported. Run the job again.")
    except Exception:  # noqa: BLE001 - a job that ends without a word helps nobody
        log.exception("job %d", job_id)
        message = _("The import failed and nothing was kept. The site's log says why.")
    job.state, job.message, job.ended_at = state, message, timezone.now()
    job.save(update_fields=["state", "message", "ended_at", "report"])
    if state == State.DONE:
        shutil.rmtree(folder_of(job), ignore_errors=True)


def _said(error: Refused | Fault) -> str:
    if isinstance(error, Refused):
        return "\n".join(problem.message for problem in error.problems)
    return error.reason


def _import(job: Job) -> dict[str, Any]:
    folder, wanted = folder_of(job), job.parameters
    if job.made_by is None:
        raise Unknown(str(job.pk))
    images = None
    if wanted["images_name"]:
        images = open_source(folder / "images")
    try:
        with (folder / "items").open("rb") as source:
            format_name = wanted["format"] or guess_format(source, wanted["name"])
            report = import_items(
                job.made_by,
                job.project,
                source,
                wanted["name"],
                format_name,
                images,
                progress=Watch(job),
                **{name: wanted[name] for name in OPTIONS},
            )
    finally:
        if images is not None:
            images.close()
    return report.as_json() | {
        "format": format_name,
        "dry_run": wanted["dry_run"],
        "notes": report.notes(),
    }


class Watch:
    """Notes a job's progress and sees that somebody cancels it.

    While the rows are written the job's row stays as it is (SQLite takes one writer): the worker
    touches its file instead, and looks for the file that a cancel leaves.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.last = 0.0
        self.writing = False

    def __call__(self, phase: str, done: int, total: int) -> None:
        begins = phase == "write" and not self.writing
        self.writing = phase == "write"
        if not begins and time.monotonic() - self.last < EVERY:
            return
        self.last = time.monotonic()
        folder = folder_of(self.job)
        if cancel_file(self.job).exists():
            raise Cancelled()
        if folder.exists():
            beat_file(self.job).touch()
        if self.writing and not begins:
            return
        message = _("Writing") if self.writing else _("Checking")
        row = Job.objects.filter(pk=self.job.pk)
        row.update(done=done, total=total, message=message, heartbeat=timezone.now())
        if row.filter(cancel_asked=True).exists():
            raise Cancelled()
