"""Near-duplicates: what is one, what is only another version, and where the search ends."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from tests.writing import making
from writing.actions import review, samples
from writing.distance import WHOLE, almost_same, likest
from writing.models import Policy, Sample
from writing.selectors import advice as selector
from writing.selectors.advice import advice

NEAR = "near_duplicate"
WORDS = "sheep hill grass gate barn dog wool shepherd white black the a on by near two".split()
HAN = "羊山草门仓狗毛牧白黑的一在旁近和二三"


def long_text(
    draw: random.Random, size: int, words: Sequence[str] = WORDS, between: str = " "
) -> str:
    text = ""
    while len(text) < size:
        text += draw.choice(words) + between
    return text[:size]


def with_changes(draw: random.Random, text: str, share: float) -> str:
    letters = list(text)
    for at in draw.sample(range(len(text)), int(share * len(text))):
        letters[at] = draw.choice("etaoin")
    return "".join(letters)


@given(st.text(min_size=1, max_size=80), st.lists(st.text(max_size=80), max_size=4))
def test_a_near_duplicate_is_as_similar_as_that(text, others):
    wanted = any(fuzz.ratio(text, other) >= 90 for other in others)
    assert almost_same(text, others, 90) == wanted


@pytest.mark.parametrize(("words", "between"), [(WORDS, " "), (HAN, "")])
@pytest.mark.parametrize("size", [200, 4_000])
def test_the_texts_that_are_compared_whole_are_the_likest(size, words, between):
    draw = random.Random(size)
    text = long_text(draw, size, words, between)
    others = [long_text(draw, size, words, between) for _ in range(60)]
    moved = text[size // 20 :] + long_text(draw, size // 20, words, between)
    for near in (with_changes(draw, text, 0.05), moved):
        assert likest(text, [*others, near, *others])[0] == 60
    assert len(likest(text, [text] * 20)) == WHOLE


def test_versions_of_a_sample_are_no_duplicates_of_each_other(project, writer, other, coordinator):
    old = making.published(writer, coordinator, making.make_brief(project, shared=True))
    new = review.revise(coordinator, old.pk)
    for sample in (old, new):
        assert new.text == old.text and "near_duplicate" not in advice(sample)
    copied = making.written(other, old.brief, text=old.text + " ")
    assert "near_duplicate" in advice(copied)
    assert "near_duplicate" in advice(new)
    samples.delete(other, copied.pk)
    assert "near_duplicate" not in advice(new)


def test_long_samples_are_told_apart_and_a_search_ends_at_its_bounds(
    project, writer, other, monkeypatch
):
    draw = random.Random(7)
    texts = [long_text(draw, 900) for _ in range(4)]
    changed = with_changes(draw, texts[0], 0.04)
    for n, text in enumerate([changed, *texts[1:], texts[0][:700]]):
        making.submitted(other, making.make_brief(project, f"b-{n}"), text=text)
    mine = making.written(writer, making.make_brief(project, "mine"), text=texts[0])
    found = set(selector.texts_like(mine))
    assert changed in found and texts[0][:700] not in found
    assert "near_duplicate" in advice(mine)
    monkeypatch.setattr(selector, "CHARACTERS", 1_400)
    assert changed not in set(selector.texts_like(mine))
    assert "near_duplicate" not in advice(mine)


def test_nothing_is_compared_where_the_project_does_not_ask(project, writer, other):
    making.submitted(other, making.make_brief(project, "old"))
    mine = making.written(writer, making.make_brief(project, "mine"))
    assert list(selector.texts_like(mine)) == [making.TEXT]
    mine = Sample.objects.select_related("brief", "label", "project").get(pk=mine.pk)
    counts = []
    for quick, level in ((False, "warn"), (True, "warn"), (False, "off")):
        Policy.objects.update_or_create(project=project, defaults={"checks": {NEAR: level}})
        with CaptureQueriesContext(connection) as queries:
            assert (NEAR in advice(mine, quick=quick)) == (not quick and level == "warn")
        counts.append(len(queries))
    assert counts == [3, 2, 2]


def test_near_duplicates_are_told_on_reading_and_refused_on_sending_but_cost_no_draft(
    project, writer, other, api_as
):
    making.submitted(other, making.make_brief(project, "old"))
    Policy.objects.create(project=project, checks={NEAR: "refuse"})
    mine = samples.start(writer, making.make_brief(project, "mine").pk)
    client, address = api_as(writer), f"/api/v1/samples/{mine.pk}/"
    sent = {"label": "A", "text": making.TEXT, "spans": [{"start": 0, "end": 3}], "version": 0}
    texts = []
    for body in (sent, sent | {"text": making.TEXT + " Yes."}):
        with CaptureQueriesContext(connection) as queries:
            reply = client.put(address, body | {"version": len(texts)}, format="json")
        assert (reply.status_code, reply.json()["advice"]) == (200, [])
        texts.append([one for one in queries if "LENGTH" in one["sql"].upper()])
    assert texts == [[], []]
    assert [one["check"] for one in client.get(address).json()["advice"]] == [NEAR]
    refused = client.put(
        address, sent | {"version": 2, "declared": True, "submit": True}, format="json"
    )
    assert refused.status_code == 422
    assert [one["where"] for one in refused.json()["errors"]] == [NEAR]
