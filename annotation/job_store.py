"""Where files of jobs wait: what was uploaded, and signs between those who watch and the worker.

They go through a storage of their own, ``jobs``, so that a worker on another machine finds what a
web process was sent. On one machine it is a folder, `LocalFiles`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

ITEMS, IMAGES = "items", "images"
BEAT = "beat"  # touched by the worker while its transaction keeps the database to itself
CANCEL = "cancel"  # seen by the worker while the database takes no second writer
NEAR, FAR = 0.5, 5.0  # seconds between two signs, in a folder and over the network


class LocalFiles(FileSystemStorage):
    """The folder ``jobs`` beside the database, wherever the settings say that is."""

    def __init__(self) -> None:
        super().__init__(allow_overwrite=True)

    @property
    def base_location(self) -> str:  # type: ignore[override]
        return str(Path(settings.DATA_DIR) / "jobs")

    @property
    def location(self) -> str:  # type: ignore[override]
        return os.path.abspath(self.base_location)


def store() -> Storage:
    return storages["jobs"]


def every() -> float:
    """Seconds between two signs: a store on another machine is asked less often."""
    return NEAR if isinstance(store(), FileSystemStorage) else FAR


def keep(folder: str, name: str, content: File) -> None:
    store().save(f"{folder}/{name}", content)


def touch(folder: str, name: str) -> None:
    store().save(f"{folder}/{name}", ContentFile(b"."))


def has(folder: str, name: str) -> bool:
    return store().exists(f"{folder}/{name}")


def touched_at(folder: str, name: str = "") -> datetime | None:
    """When the file, or the folder, was written last; None where there is none."""
    place = f"{folder}/{name}" if name else folder
    try:
        return store().get_modified_time(place) if store().exists(place) else None
    except OSError:
        return None


def remove(folder: str, *names: str) -> None:
    for name in names:
        store().delete(f"{folder}/{name}")


def folders() -> list[str]:
    try:
        return store().listdir("")[0]
    except FileNotFoundError:
        return []


def changed_at(folder: str) -> datetime | None:
    """When anything in the folder was written last."""
    found = [touched_at(folder)]
    found += [touched_at(folder, name) for name in _names(folder)]
    return max((at for at in found if at is not None), default=None)


def _names(folder: str) -> list[str]:
    try:
        return store().listdir(folder)[1]
    except (FileNotFoundError, NotADirectoryError):
        return []


def remove_folder(folder: str) -> None:
    """All of it; what is gone meanwhile is no fault."""
    jobs = store()
    if isinstance(jobs, FileSystemStorage):
        shutil.rmtree(jobs.path(folder), ignore_errors=True)
    else:
        remove(folder, *_names(folder))


@contextmanager
def at_hand(folder: str, name: str) -> Iterator[Path]:
    """A path on this machine with the file's content; `FileNotFoundError` where it is gone."""
    jobs, place = store(), f"{folder}/{name}"
    if isinstance(jobs, FileSystemStorage):
        yield Path(jobs.path(place))
        return
    with tempfile.NamedTemporaryFile(prefix="sheepfold-job-") as here:
        with jobs.open(place) as there:
            shutil.copyfileobj(there, here, 1 << 20)
        here.flush()
        yield Path(here.name)
