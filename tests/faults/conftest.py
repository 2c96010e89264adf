"""One site for all faults: ``FAULTS=long`` takes more people and longer faults than the short form.

A table of what was acknowledged, lost, twice or half stands at the end of the run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import table
from tests.faults.team import Site, fill
from tests.load.document import write
from tests.servers import Postgres, Web

HERE = Path(__file__).parent
LONG = os.environ.get("FAULTS") == "long"
found: list[table.Row] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("faults")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if found:
        terminalreporter.section("faults")
        terminalreporter.write(table.render(found))
        if LONG and os.environ.get("WRITE"):
            write(Path(terminalreporter.config.rootpath, "docs/faults.md"), table.render(found))


def on_sqlite(data: Path, folder: Path, people: int) -> Site:
    """A site on a file of its own; its web server is to be started by the caller."""
    env = {"SHEEPFOLD_DATA": str(data), "SECRET_KEY": "only-for-this-run" * 4}
    made = fill(env, people, 1000)
    web = Web(env, folder)
    return Site(env, folder, str(data / "sheepfold.sqlite3"), made, web, people, LONG, found)


@pytest.fixture(scope="session")
def long() -> bool:
    return LONG


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """It waits for the disk, as a real one does: what it acknowledged outlives its crash."""
    with Postgres(durable=True, options={"max_connections": 30}) as server:
        yield server


@pytest.fixture(scope="session")
def site(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("faults")
    env = {
        "DATABASE_URL": postgres.url,
        "SHEEPFOLD_DATA": str(folder / "data"),
        "SECRET_KEY": "only-for-this-run" * 4,
    }
    people = 12 if LONG else 6
    made = fill(env, people + 1, 4000 if LONG else 1500)
    with Web(env, folder) as web:
        yield Site(env, folder, postgres.url, made, web, people, LONG, found)
