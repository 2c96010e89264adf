"""What a worker runs."""

from __future__ import annotations

from django_tasks import TaskContext, task

from annotation.actions import jobs


@task(takes_context=True)
def run_job(context: TaskContext, job_id: int) -> None:
    """Carry out the job with that id; its own row says how it went."""
    jobs.run(job_id)
