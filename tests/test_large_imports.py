"""Large files: all or nothing beside people who save, and progress that adds up afterwards."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connections
from django.test import Client

from annotation.actions import answers, places, reports
from annotation.models import Annotation, Item, Revision
from annotation.records import Answer, SpanRecord
from annotation.selectors.progress import progress
from tests import factories
from tests.files import jsonl, load, row
from tests.test_progress import assert_adds_up

SAVERS, ITEMS = 10, 20_000


def long_file(path: Path, count: int, broken: int, response: str) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        for n in range(1, count + 1):
            line = json.dumps(row(f"item-{n}", response=f"{n} {response}"))
            file.write("{broken\n" if n == broken else line + "\n")
    return path


def patient(work: Callable[[], Any]) -> Any:
    """As the page does: where the site says that it is busy, the same is sent again."""
    while True:
        try:
            return work()
        except OperationalError:
            continue


@pytest.mark.django_db
def test_a_broken_line_in_a_hundred_thousand_leaves_nothing(project, tmp_path):
    """doccano/doccano#1292: 100,000 lines of 1.2 kB, and line 70,001 is broken."""
    path = long_file(tmp_path / "items.jsonl", 100_000, 70_001, "sheep on a hill. " * 66)
    assert path.stat().st_size > 115_000_000
    code, out, err = load(path)
    assert code == 1
    assert out == "new 0, same 0, changed 0, refused 1\n"
    assert f"{path}:70001: json: broken JSON" in err
    assert not Item.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_ten_savers_beside_an_import_of_20000_lose_nothing(tmp_path):
    """doccano/doccano#1236: what is acknowledged is stored, and pages load meanwhile."""
    project = factories.make_project()
    people = [factories.join(project, f"reader{n}", "annotator") for n in range(SAVERS)]
    owner = factories.join(project, "owner", "coordinator")
    factories.make_item(project, "first", places=SAVERS)
    page = Client()
    page.force_login(owner)
    path = long_file(tmp_path / "items.jsonl", ITEMS, 0, "sheep.")
    imported = threading.Event()

    def save_on(user) -> int:
        """Saves one draft after the other until the import has ended; how many were taken."""
        try:
            annotation = patient(lambda: places.claim(user, project.slug))
            assert annotation is not None
            version = taken = 0
            while not (imported.is_set() and taken > 3):
                said = Answer((SpanRecord(0, 1 + taken % 9, "A"),)), version, 0, False
                saved = patient(partial(answers.save, user, annotation.place_id, *said))
                assert saved.outcome is answers.Outcome.SAVED
                version, taken = saved.annotation.version, taken + 1
            return taken
        finally:
            connections.close_all()

    def bring_in() -> tuple[int, str, str]:
        try:
            return load(path)
        finally:
            imported.set()
            connections.close_all()

    with ThreadPoolExecutor(SAVERS + 1) as pool:
        importing = pool.submit(bring_in)
        saving = [pool.submit(save_on, user) for user in people]
        pages = [page.get("/p/flock/").status_code]
        while not imported.wait(0.2):
            pages.append(page.get("/p/flock/").status_code)
        taken = [one.result() for one in saving]
    assert importing.result()[:2] == (0, f"new {ITEMS}, same 0, changed 0, refused 0\n")
    assert set(pages) == {200}
    assert Revision.objects.count() == sum(taken)
    assert sorted(Annotation.objects.values_list("version", flat=True)) == sorted(taken)
    assert Item.objects.count() == ITEMS + 1


def test_an_import_with_a_surplus_answer_gives_31_places_that_add_up(
    project, annotator, second, tmp_path
):
    """doccano/doccano#486: ten items, one of which came with four annotations."""
    given = [
        {"annotator": f"old-{n}", "state": "submitted", "no_hallucination": True, "spans": []}
        for n in range(4)
    ]
    rows = [row(f"item-{n}", annotations=given if n == 0 else []) for n in range(10)]
    code, _out, err = load(jsonl(tmp_path / "items.jsonl", *rows), "--with-annotations")
    assert code == 0, err
    for _ in range(4):
        mine = places.claim(annotator, project.slug)
        answers.save(annotator, mine.place_id, Answer((SpanRecord(0, 3, "A"),)), 0, 0, True)
    other = places.claim(second, project.slug)
    reports.report(second, other.place_id, "no picture")
    found = progress(project)
    expected = {"open": 22, "claimed": 0, "submitted": 8, "reported": 1, "total": 31}
    assert found["places"] == expected
    assert_adds_up(found)
    rest = {person["name"]: person["submitted"] for person in found["people"]}
    assert rest["annotator"] == 4
    assert sorted(rest[f"old-{n}"] for n in range(4)) == [1, 1, 1, 1]
