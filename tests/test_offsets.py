"""From a selection on the page to stored places: Python's side of tests/data/offsets.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.offsets import select, text_map, word

CASES = json.loads((Path(__file__).parent / "data" / "offsets.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_selection_becomes_its_places(case: dict[str, Any]) -> None:
    text = text_map(case["text"])
    found = select(text, *case["select"]) if "select" in case else word(text, case["word"])
    quote = found and case["text"][slice(*found)]
    assert (found and {"start": found[0], "end": found[1], "quote": quote}) == case["expect"]


def test_every_case_has_its_own_name() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES) > 40
