"""The client's line is cut before, during and after a submit."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.faults.conftest import LONG
from tests.faults.team import Site, statuses
from tests.servers import Line
from tests.servers.line import CUTS


# The short form cuts here and there in one go.
@pytest.mark.parametrize("cuts", [[cut] for cut in CUTS] if LONG else [CUTS])
def test_the_line_is_cut_while_people_submit(site: Site, cuts: Sequence[str]):
    chance = random.Random("".join(cuts))

    def choose(request: bytes) -> str:
        return chance.choice(cuts) if request.startswith(b"PUT") and chance.random() < 0.3 else ""

    with (
        Line(site.web.port, choose) as line,
        site.at_work(f"line cut {', '.join(cuts)} a save", line.port) as team,
    ):
        site.some_saves(5 if LONG else 3)
    assert all(line.counts[cut] > 1 for cut in cuts) and statuses(team) <= {200, 0, 409}
