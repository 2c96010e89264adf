"""Refusals of actions as errors of a command: the reasons on standard error, exit code 1."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from annotation.errors import Refused
from annotation.models import Project, User


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        lines = (f"{p.where}: {p.message}" if p.where else p.message for p in refused.problems)
        raise CommandError("\n".join(lines)) from None


def project_named(slug: str) -> Project:
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        raise CommandError(f"There is no project {slug}: make it with create_project.")
    return project


def account_named(name: str) -> User:
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no account {name}.")
    return user
