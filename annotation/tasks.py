"""What a worker runs."""

from __future__ import annotations

from django_tasks import TaskContext, task

from annotation.actions import jobs, password_mail


@task(takes_context=True)
def run_job(context: TaskContext, job_id: int) -> None:
    """Carry out the job with that id; its own row says how it went."""
    jobs.run(job_id)


@task()
def send_password_links(accounts: list[int], origin: str) -> None:
    """Send the accounts a link to set a forgotten password; for none of them send nothing."""
    password_mail.send_links(accounts, origin)
