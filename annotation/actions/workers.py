"""Signs of life of the workers, and what becomes of a job that lost its database."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Job, Worker

FORGOTTEN_AFTER = timedelta(days=1)  # rows of workers that were killed


def beat(name: str) -> None:
    """The worker of that name lives."""
    Worker.objects.update_or_create(name=name, defaults={"heartbeat": timezone.now()})


def started(name: str) -> None:
    """Its first sign of life; rows of workers that died long ago go."""
    Worker.objects.filter(heartbeat__lt=timezone.now() - FORGOTTEN_AFTER).delete()
    beat(name)


def stopped(name: str) -> None:
    """It ended of its own accord, so nobody need wait for it."""
    Worker.objects.filter(name=name).delete()


def give_up(job_id: int) -> None:
    """A job whose database went away while it ran has failed, and may be run again."""
    Job.objects.filter(pk=job_id, state=Job.State.RUNNING).update(
        state=Job.State.FAILED,
        ended_at=timezone.now(),
        message=_("The database was away while this job ran. Run the job again."),
    )
