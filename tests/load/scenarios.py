"""What is measured, and what runs beside it."""

from __future__ import annotations

from dataclasses import dataclass

THINK, NONE, BRISK = (20.0, 40.0), (0.0, 0.0), (1.0, 2.0)
SIZES = {"p2000": 2_000, "p20000": 20_000, "p200000": 200_000}
ANSWERED, ANSWERED_ITEMS = "answered", 20_000


@dataclass(frozen=True)
class Scenario:
    name: str
    words: str
    people: int
    think: tuple[float, float]
    seconds: float
    slug: str = "p20000"
    beside: str = ""


SCENARIOS = (
    Scenario("12", "12 annotators, think time 20 to 40 s", 12, THINK, 60),
    Scenario("100", "100 annotators, think time 20 to 40 s", 100, THINK, 60),
    Scenario("300", "300 annotators, think time 20 to 40 s", 300, THINK, 90),
    Scenario("50", "50 annotators without think time", 50, NONE, 30),
    Scenario("2000", "12 in a project of 2,000 items", 12, BRISK, 30, "p2000"),
    Scenario("20000", "12 in a project of 20,000 items", 12, BRISK, 30, "p20000"),
    Scenario("200000", "12 in a project of 200,000 items", 12, BRISK, 30, "p200000"),
    Scenario("export", "100 beside exports of 20,000 x 3", 100, THINK, 45, beside="export"),
    Scenario("agreement", "100 beside agreement reports", 100, THINK, 45, beside="agreement"),
    # Last, since the project grows by it.
    Scenario("import", "100 beside an import of 20,000", 100, THINK, 45, beside="import"),
)


def projects(wanted: tuple[Scenario, ...]) -> dict[str, int]:
    """Slug -> items of what has to be filled."""
    found = {one.slug: SIZES[one.slug] for one in wanted}
    if any(one.beside in ("export", "agreement") for one in wanted):
        found[ANSWERED] = ANSWERED_ITEMS
    return found
