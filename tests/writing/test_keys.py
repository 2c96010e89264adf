"""Keys of published samples look like the imported ones and are never taken."""

from __future__ import annotations

import doctest
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation import browsers, visible
from annotation.actions.places import claim
from annotation.api.assignments import assignment_json
from annotation.formats import broken, output
from tests import factories
from tests.writing import making
from writing import keys

prefixes = st.sampled_from(["", "en-", "a1-", "x.y_", "é", "q\n-"])
secrets = st.text(max_size=8)


@pytest.mark.parametrize("module", [keys, visible, browsers, broken, output])
def test_the_examples_hold(module):
    assert doctest.testmod(module).failed == 0


@settings(deadline=None)
@given(
    prefixes, st.integers(1, 5), st.sets(st.integers(0, 400), min_size=2, max_size=30), secrets,
    st.data(),
)  # fmt: skip
def test_a_key_follows_the_common_pattern_and_is_free(prefix, width, numbers, secret, data):
    numbers = {n for n in numbers if len(str(n)) <= width} | {0, 1}
    named = [f"{prefix}{n:0{width}d}" for n in sorted(numbers)]
    more = data.draw(st.sets(st.integers(0, 500), max_size=20))
    taken = {*named, *(f"{prefix}{n:0{width}d}" for n in more)}
    made = keys.numbered_key(named, taken, secret)
    if made is None:
        assert width < 3, "there is room in three digits"
        return
    assert made not in taken
    digits = re.fullmatch(re.escape(prefix) + "([0-9]+)", made)[1]
    if width > 1:
        assert len(digits) == width
    low, high = min(numbers), max(numbers)
    free = [n for n in range(low, high) if f"{prefix}{n:0{width}d}" not in taken]
    assert not free or low < int(digits) < high, "a gap is filled first"
    assert made == keys.numbered_key(named, taken, secret)


@given(
    st.lists(st.text("ab0-", min_size=1, max_size=5), unique=True, max_size=6), secrets,
    st.sets(st.text(max_size=4), max_size=3),
)  # fmt: skip
def test_whatever_the_keys_are_a_free_one_is_found(named, secret, more):
    taken = {*named, *more}
    made = keys.numbered_key(named, taken, secret) or keys.hashed_key("en", taken, secret)
    assert made not in taken
    assert keys.hashed_key("en", {made, *taken}, secret) not in {made, *taken}


@pytest.mark.parametrize(
    "named", [[], ["en-1"], ["en-1", "fr-2"], ["en-01", "en-1"], ["en-1", "other"], ["a", "b"]]
)
def test_keys_without_one_pattern_give_a_hash(named):
    assert keys.numbered_key(named, set(named), "wool") is None


def test_published_samples_are_not_told_by_their_keys(
    project, writer, coordinator, annotator, api_as, page_as
):
    for n in (1, 2, 3, 5, 6):
        factories.make_item(project, f"en-{n:04d}")
    factories.make_item(project, "fr-x", language="fr")
    first = making.published(writer, coordinator, making.make_brief(project))
    second = making.published(
        writer, coordinator, making.make_brief(project, "b-2"), text="A tram in the rain, alone."
    )
    assert first.item.key == "en-0004"
    assert re.fullmatch("en-[0-9]{4}", second.item.key) and second.item.key > "en-0006"
    mine = claim(annotator, "flock")
    assert assignment_json(mine)["item"]["key"] == mine.item.key, "the contract holds it"
    assert mine.item.key not in page_as(annotator).get("/p/flock/label/").text
    assert mine.item.key not in page_as(annotator).get("/").text


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "\ufeff \u2060", "\u3164", "\u2800\ufe0f"])
def test_what_nobody_sees_is_blank(text):
    assert visible.is_blank(text) and not visible.is_blank(text + "a") and not visible.is_blank("é")
