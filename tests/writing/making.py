"""Briefs straight in the database; samples of every state through the actions."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

from django.db import connections

from annotation.models import Project, User
from writing.actions import review, samples, translations
from writing.actions.samples import Content
from writing.models import Brief, Sample

TEXT = "Two white sheep stand on a green hill."
ERROR = (0, 3)


def make_brief(project: Project, key: str = "brief-1", **fields: Any) -> Brief:
    fields = {
        "language": "en",
        "question": "What is there?",
        "context": "A hill with three sheep.",
        "context_format": "plain",
        "number": Brief.objects.count(),
    } | fields
    return Brief.objects.create(project=project, key=key, **fields)


def content(text: str = TEXT, label: str | None = "A", **fields: Any) -> Content:
    """A whole sample: the first word is the error."""
    return Content(**{"text": text, "label": label, "spans": (ERROR,), "declared": True} | fields)


def written(writer: User, brief: Brief, **fields: Any) -> Sample:
    """A draft that was saved."""
    sample = samples.start(writer, brief.pk)
    return samples.save(writer, sample.pk, content(**fields), sample.version).sample


def submitted(writer: User, brief: Brief, **fields: Any) -> Sample:
    sample = samples.start(writer, brief.pk)
    return samples.submit(writer, sample.pk, content(**fields), sample.version).sample


def accepted(writer: User, coordinator: User, brief: Brief, **fields: Any) -> Sample:
    return review.accept(coordinator, submitted(writer, brief, **fields).pk)


def published(writer: User, coordinator: User, brief: Brief, **fields: Any) -> Sample:
    sample = accepted(writer, coordinator, brief, **fields)
    review.publish(coordinator, sample.pk)
    return Sample.objects.get(pk=sample.pk)


def tasks_of(project: Project, root: Sample) -> dict[str, Sample]:
    """The translations of a sample by language, made where they are missing."""
    translations.make_tasks(None, project)
    return {task.language: task for task in Sample.objects.filter(root=root)}


def lines(*rows: Any) -> BytesIO:
    """A file of JSON values, one a line."""
    return BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


def at_once(*works: Any) -> list[Any]:
    """What each work gives, all run at the same moment in threads; an exception is a result."""

    def one(work: Any) -> Any:
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=len(works)) as pool:
        return list(pool.map(one, works))
