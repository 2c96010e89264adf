"""Revisions of samples: every accepted write leaves one, in the same transaction."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Project, User
from writing import access
from writing.models import Sample, SampleRevision


def lock_project_of(pk: int) -> None:
    """Lock the project of a sample until the transaction ends: before the sample's own lock."""
    Project.objects.select_for_update(no_key=True).filter(samples=pk).first()


def lock_writing(by: User, pk: int) -> None:
    """Lock the person, then the project of a sample: the order in which roles are ended."""
    access.lock_person_of(by, samples=pk)
    lock_project_of(pk)


def record(sample: Sample, kind: str, who: User | None, at: datetime) -> None:
    """Add the sample's whole content as it is now."""
    SampleRevision.objects.create(
        sample=sample, kind=kind, who=who, at=at, version=sample.version, content=sample.content()
    )
