"""Imports that outlive a request: started, carried out by a worker, cancelled, run again."""

from __future__ import annotations

import logging
import secrets
import time
from contextlib import ExitStack, closing, suppress
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, close_old_connections, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import access, job_store, source
from annotation.actions.audit import note
from annotation.actions.imports import import_items
from annotation.actions.job_files import remove_old_files
from annotation.actions.picture_sources import open_source
from annotation.errors import Forbidden, Refused, Unknown
from annotation.formats import READABLE, Fault
from annotation.formats.guess import guess_format
from annotation.models import Job, Project, User
from annotation.selectors.jobs import IMPORT, folder_of, may_run_again
from annotation.trouble import StoreAway, disk_is_full

OPTIONS = ("with_annotations", "partial", "dry_run")
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
        if upload is not None and (upload.size or 0) > settings.MAX_UPLOAD_BYTES:
            message = _("%(name)s has more than %(limit)d bytes: use import_items instead.")
            limit = settings.MAX_UPLOAD_BYTES
            raise Refused(("file", message % {"name": upload.name, "limit": limit}))
    parameters: dict[str, Any] = {
        "folder": secrets.token_hex(16),
        "name": file.name,
        "images_name": images.name if images is not None else "",
        "format": format_name,
        **{name: bool(options.get(name)) for name in OPTIONS},
    }
    job = Job(project=project, kind=IMPORT, made_by=by, asked_by=by, parameters=parameters)
    folder = folder_of(job)
    try:
        # Names from outside are shown, never used as paths.
        job_store.keep(folder, job_store.ITEMS, file)
        if images is not None:
            job_store.keep(folder, job_store.IMAGES, images)
        job.save()
    except (OSError, DatabaseError) as error:
        if not isinstance(error, StoreAway):
            job_store.remove_folder(folder)  # half a file helps nobody
        if disk_is_full(error):
            raise Refused(("file", _full())) from None
        raise
    _enqueue(job)
    return job


def _full() -> str:
    return _("The site's disk is full: nothing was imported. Tell whoever looks after the machine.")


def _enqueue(job: Job) -> None:
    from annotation.tasks import run_job  # the task calls this module

    run_job.enqueue(job.pk)


def cancel(by: User | None, job: Job) -> None:
    """Ask a job to stop; one that nobody has begun is cancelled at once."""
    access.check_coordinator(by, job.project)
    if job.state not in (State.WAITING, State.RUNNING):
        raise Refused(("job", _("This job has ended already.")))
    with suppress(StoreAway):  # an import that has its file there ends by itself then
        job_store.touch(folder_of(job), job_store.CANCEL)
    with transaction.atomic():
        waiting = Job.objects.filter(pk=job.pk, state=State.WAITING)
        waiting.update(state=State.CANCELLED, ended_at=timezone.now(), cancel_asked=True)
        Job.objects.filter(pk=job.pk).update(cancel_asked=True)
        note(by, "job.cancelled", job.project, str(job.pk))


def run_again(by: User, job: Job) -> None:
    """Queue a failed or cancelled job anew, or one whose worker died.

    Rows are matched by key and written all or not at all, so nothing comes twice. From now on it
    acts in the name of ``by``.
    """
    access.check_coordinator(by, job.project)
    if not job_store.has(folder_of(job), job_store.ITEMS):
        raise Refused(("job", _("Its file is not kept any more: upload it again.")))
    with transaction.atomic():
        locked = Job.objects.select_for_update().get(pk=job.pk)
        if not may_run_again(locked):
            raise Refused(("job", _("This job is not one that failed.")))
        locked.state, locked.message, locked.report = State.WAITING, "", None
        locked.done = locked.total = 0
        locked.heartbeat = locked.ended_at = None
        locked.cancel_asked = False
        locked.asked_by = by
        locked.save()
        note(by, "job.again", job.project, str(job.pk))
        # in here, so that a store that is away leaves the job as it was
        job_store.remove(folder_of(job), job_store.CANCEL, job_store.BEAT)
    _enqueue(locked)


def run(job_id: int) -> None:
    """Carry the job out and keep its report; what a worker calls. A job runs once at a time."""
    remove_old_files()
    begun = Job.objects.filter(pk=job_id, state=State.WAITING)
    if not begun.update(state=State.RUNNING, heartbeat=timezone.now()):
        return
    job = Job.objects.select_related("project", "asked_by").get(pk=job_id)
    state, message = State.FAILED, ""
    try:
        with source.coming_from(source.PAGE):  # where the file was sent
            report = _import(job)
        job.report = report
        state = State.DONE if report["written"] or report["dry_run"] else State.FAILED
        if state == State.FAILED:
            message = _("Nothing was imported: mend the refused rows and import again.")
    except Cancelled:
        state, message = State.CANCELLED, _("Cancelled: nothing was imported.")
    except Fault as fault:  # the zip cannot be read, and never will
        message = fault.reason
        with suppress(StoreAway):
            job_store.remove_folder(folder_of(job))
    except Refused as refused:
        message = "\n".join(problem.message for problem in refused.problems)
    except (Unknown, Forbidden):
        message = _("Whoever started this job does not coordinate the project any more.")
    except FileNotFoundError:
        message = _("Its file is not kept any more: upload it again.")
    except StoreAway as away:
        log.error("job %d: %s", job_id, away)
        message = _(
            "The store of pictures does not answer: nothing was imported. Run the job again."
        )
    except DatabaseError:
        log.exception("job %d", job_id)
        message = _("The database was busy or refused: nothing was imported. Run the job again.")
        close_old_connections()  # where the line to it broke, the next lines need a new one
    except Exception as error:  # noqa: BLE001 - a job that ends without a word helps nobody
        log.exception("job %d", job_id)
        message = _("The import failed and nothing was kept. The site's log says why.")
        if disk_is_full(error):
            message = _full()
    job.state, job.message, job.ended_at = state, message, timezone.now()
    job.save(update_fields=["state", "message", "ended_at", "report"])
    if state == State.DONE:
        with suppress(StoreAway):  # an old file goes when the next job is looked at
            job_store.remove_folder(folder_of(job))


def _import(job: Job) -> dict[str, Any]:
    folder, wanted = folder_of(job), job.parameters
    if job.asked_by is None:
        raise Unknown(str(job.pk))
    with ExitStack() as stack:
        images = None
        if wanted["images_name"]:
            path = stack.enter_context(job_store.at_hand(folder, job_store.IMAGES))
            images = stack.enter_context(closing(open_source(path, wanted["images_name"])))
        path = stack.enter_context(job_store.at_hand(folder, job_store.ITEMS))
        items = stack.enter_context(path.open("rb"))
        format_name = wanted["format"] or guess_format(items, wanted["name"])
        report = import_items(
            job.asked_by,
            job.project,
            items,
            wanted["name"],
            format_name,
            images,
            progress=Watch(job),
            **{name: wanted[name] for name in OPTIONS},
        )
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
        self.last = self.signed = 0.0
        self.every = job_store.every()
        self.writing = False

    def __call__(self, phase: str, done: int, total: int) -> None:
        begins = phase == "write" and not self.writing
        self.writing = phase == "write"
        now = time.monotonic()
        if not begins and now - self.last < min(self.every, job_store.NEAR):
            return
        self.last = now
        if now - self.signed >= self.every:
            self.signed = now
            self._signs()
        if self.writing and not begins:
            return
        message = _("Writing") if self.writing else _("Checking")
        row = Job.objects.filter(pk=self.job.pk)
        row.update(done=done, total=total, message=message, heartbeat=timezone.now())
        if row.filter(cancel_asked=True).exists():
            raise Cancelled()

    def _signs(self) -> None:
        """Look for a cancel, and say that the worker lives."""
        folder = folder_of(self.job)
        if job_store.has(folder, job_store.CANCEL):
            raise Cancelled()
        if job_store.has(folder, job_store.ITEMS):
            job_store.touch(folder, job_store.BEAT)
