"""Tables to download: no text runs in a spreadsheet, and every text comes back as it was."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.cells import STARTS, guarded, guarded_row, unguarded
from annotation.models import Job
from annotation.records import ItemRecord
from tests import pages
from tests.format_rows import records, written
from tests.security import hostile, routes
from writing.views.review_csv import TABLES as SAMPLE_TABLES

FORMULA = "=HYPERLINK(0)"
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
risky = st.text(alphabet=st.sampled_from(f"'{STARTS}aé1\\"), max_size=6)


@given(risky | st.text(max_size=20))
def test_every_text_comes_back_from_its_cell(text):
    cell = guarded(text)
    assert unguarded(cell) == text
    assert not cell.startswith(tuple(STARTS))


@given(st.lists(risky | st.integers() | st.floats(allow_nan=False)))
def test_numbers_of_a_row_stay_numbers(row):
    assert [v for v in guarded_row(row) if not isinstance(v, str)] == [
        v for v in row if not isinstance(v, str)
    ]


@given(risky.filter(bool), risky.filter(bool))
def test_an_item_comes_back_from_its_table_whatever_its_texts_begin_with(text, other):
    item = ItemRecord("k", "en", "Two.")
    item = replace(item, question=text, model=other, response=text + "x", author=other)
    content = written("csv", item)
    assert records("csv", content) == [item]
    for row in csv.reader(io.StringIO(content.decode(), newline="")):
        assert not [cell for cell in row if cell.startswith(tuple(STARTS))]


@pytest.mark.parametrize("name", ["jsonl", "sheep"])
def test_json_is_left_as_it_is(name):
    row = json.loads(written(name, ItemRecord("k", "en", FORMULA, question=FORMULA)))
    assert row["response"] == FORMULA and FORMULA in (row.get("question"), row.get("prompt"))


def _downloads(named: dict[str, object]) -> list[str]:
    """Addresses of every table: those of the routes, and the other names that routes take."""
    found = [page.path for name, page in pages.TABLE.items() if name in pages.FILES]
    found += [f"/p/flock/samples/{name}.csv" for name in SAMPLE_TABLES]
    found += [f"/p/flock/agreement/{n}.csv" for n in ("items", "people", "pairs", "lowest")]
    found += ["/p/flock/export/?format=csv", "/p/flock/agreement/report.csv?by=model"]
    return [path.format(**named) for path in found]


def test_no_table_of_the_site_holds_a_cell_that_a_spreadsheet_runs(
    project, page_as, settings, tmp_path, monkeypatch
):
    settings.MEDIA_ROOT = tmp_path
    users = routes.crowd(project)
    named = routes.fill(project, users)
    for name in ("MARKUP", "MARKDOWN"):
        monkeypatch.setattr(hostile, name, FORMULA)
    hostile.poison()
    assert FORMULA in str(Job.objects.get(pk=named["job"]).report)
    coordinator, tables, wrong = page_as(users["coordinator"]), 0, []
    for path in _downloads(named):
        reply = coordinator.get(path)
        if not reply["Content-Type"].startswith("text/csv"):
            continue
        text = reply.getvalue().decode()
        tables += FORMULA in text
        for row in csv.reader(io.StringIO(text, newline="")):
            wrong += [
                (path, cell)
                for cell in row
                if cell.startswith(tuple(STARTS)) and not NUMBER.fullmatch(cell)
            ]
    assert wrong == []
    assert tables > 5  # there was something to guard
