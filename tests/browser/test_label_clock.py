"""Active time: while the page is seen and the person did something not long ago."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

SCENE = """async (steps) => {
  const { Clock } = await import("/static/js/label/clock.js");
  const page = new EventTarget();
  page.hidden = false;
  let now = 0;
  const clock = new Clock(60, () => now);
  clock.watch(page);
  const taken = [];
  for (const [at, what] of steps) {
    now = at * 1000;
    if (what === "take") taken.push(clock.take());
    else if (what === "back") clock.giveBack(taken.at(-1));
    else if (what === "hide" || what === "show") {
      page.hidden = what === "hide";
      page.dispatchEvent(new Event("visibilitychange"));
    } else page.dispatchEvent(new Event(what));
  }
  return taken;
}"""


@pytest.mark.parametrize(
    ("steps", "taken"),
    [
        pytest.param([(30, "take")], [30_000], id="reading for half a minute counts"),
        pytest.param([(9 * 3600, "take")], [60_000], id="a night in an open tab counts a minute"),
        pytest.param(
            [(3600, "keydown"), (3610, "take")], [70_000], id="the pause itself does not count"
        ),
        pytest.param([(5, "hide"), (50, "take")], [5_000], id="a hidden tab counts nothing"),
        pytest.param(
            [(5, "hide"), (50, "show"), (52, "take")], [7_000], id="a tab seen again counts on"
        ),
        pytest.param([(10, "take"), (20, "take")], [10_000, 10_000], id="nothing is counted twice"),
        pytest.param(
            [(10, "take"), (10, "back"), (15, "take")],
            [10_000, 15_000],
            id="a save that failed gives its time back",
        ),
    ],
)
def test_active_time_stops_with_the_person(desk, project, steps, taken):
    page = desk(project)
    assert page.page.evaluate(SCENE, steps) == taken
