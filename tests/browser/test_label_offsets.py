"""From a selection to stored places: the page's side of tests/data/offsets.json, in Chromium."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
CASES = json.loads((Path(__file__).parents[1] / "data" / "offsets.json").read_text())
RUN = """async (cases) => {
  const { textMap, snap, wordAt, stored } = await import('/static/js/label/offsets.js');
  return cases.map((one) => {
    const map = textMap(one.text, 'en');
    const found = one.select ? snap(map, ...one.select) : wordAt(map, one.word);
    if (!found) return null;
    const { start, end } = stored(map, found);
    return { start, end, quote: [...one.text].slice(start, end).join('') };
  });
}"""
EDGES = """async ([text, range, which, step]) => {
  const { textMap, moveEdge } = await import('/static/js/label/offsets.js');
  return moveEdge(textMap(text, 'en'), range, which, step);
}"""


@pytest.fixture
def modules(live_server, page):
    page.goto(f"{live_server.url}/accounts/login/")
    return page


def test_the_page_finds_the_places_that_python_finds(modules):
    found = modules.evaluate(RUN, CASES)
    named = {case["name"]: result for case, result in zip(CASES, found, strict=True)}
    assert named == {case["name"]: case["expect"] for case in CASES}


def test_a_double_click_takes_one_chinese_word(modules):
    case = {"text": "草地上有两只白羊。", "word": 0}
    assert modules.evaluate(RUN, [case])[0]["quote"] in ("草地", "草地上")


@pytest.mark.parametrize(
    ("text", "moved", "expect"),
    [
        ("one two", ([0, 3], "end", 1), [0, 5]),
        ("one two", ([0, 5], "end", -1), [0, 3]),
        ("one two", ([4, 7], "start", -1), [2, 7]),
        ("one two", ([0, 3], "start", -1), None),
        ("one two", ([0, 1], "end", -1), None),
        ("a 👍🏽 b", ([2, 6], "end", -1), None),
        ("cafe\u0301 x", ([0, 3], "end", 1), [0, 5]),
    ],
)
def test_an_edge_moves_by_whole_characters_past_blanks(modules, text, moved, expect):
    assert modules.evaluate(EDGES, [text, *moved]) == expect
