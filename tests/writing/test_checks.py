"""Each check finds its fault and leaves a good sample alone."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from writing.checks import CHECKS, OFF, REFUSE, WARN, Draft, found
from writing.distance import distances, word_list
from writing.edits import Edit

GOOD = Draft(
    text="Two black sheep stand on the hill beside a wooden fence, and a dog looks at them.",
    language="en",
    label="B",
    spans=[(4, 9)],
    clean="Two white sheep stand on the hill beside a wooden fence, and a dog looks at them.",
    edits=[Edit(4, 9, "black")],
    evidence="What stands on the hill?",
    others=["Somebody wrote about a tram in the rain."],
    places=[0.9, 0.5, 0.1],
)


def draft(**fields) -> Draft:
    return dataclasses.replace(GOOD, **fields)


FAULTY = {
    "too_short": draft(text="black", spans=[(0, 5)]),
    "near_duplicate": draft(others=["x", GOOD.text.replace("dog", "cow")]),
    "same_place": draft(places=[0.1, 0.05, 0.0]),
    "wrong_language": draft(
        text="Deux moutons noirs se tiennent sur la colline, et un chien les regarde."
    ),
    "text_in_picture": draft(label="C", has_picture=False),
    "large_change": draft(edits=[Edit(0, 60, "x" * 50)]),
    "in_evidence": draft(edits=[Edit(4, 9, " Hill ")]),
    "hint_words": draft(text="Two black sheep, which is incorrect, stand there on the hill."),
    "repeated_original": draft(clean="A hill and a hill.", edits=[Edit(13, 17, "lake")]),
}


def test_a_good_sample_passes_every_check():
    assert found(GOOD, {}) == {}
    assert FAULTY.keys() == CHECKS.keys()


@pytest.mark.parametrize("name", FAULTY)
def test_a_check_finds_its_fault_as_strictly_as_the_project_says(name):
    assert found(FAULTY[name], {})[name] == WARN
    assert found(FAULTY[name], {name: REFUSE})[name] == REFUSE
    assert name not in found(FAULTY[name], {name: OFF})


@pytest.mark.parametrize(
    ("language", "text", "hinted"),
    [
        ("en", "This is a falsetto, not a mistaken belief.", False),
        ("en", "That would be WRONG.", True),
        ("fr", "Un faux mouton.", True),
        ("fr", "Un fauxbourdon là tortue.", False),
        ("fr", "Il est, à tort, blanc.", True),
        ("zh", "这是错误的。", True),
        ("zh-Hant", "三只羊。", False),
        ("eo", "This is wrong.", False),
    ],
)
def test_hint_words_are_whole_words_of_the_language(language, text, hinted):
    assert ("hint_words" in found(draft(language=language, text=text), {})) == hinted


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("fr", FAULTY["wrong_language"].text, False),
        ("it", "Due pecore bianche stanno sulla collina accanto a un recinto di legno.", False),
        ("zh", "两只白色的绵羊站在绿色的山坡上，旁边有一只狗在看着它们，天空是蓝色的。", False),
        ("zh", GOOD.text, True),
        ("en", "Oui oui.", False),
        ("en", "🐑" * 40, False),
    ],
)
def test_the_language_is_told_only_where_there_is_enough_to_tell(language, text, wrong):
    assert ("wrong_language" in found(draft(language=language, text=text), {})) == wrong


def test_a_short_chinese_answer_is_long_enough():
    sample = draft(language="zh", text="山上有三只黑羊。", spans=[(3, 5)], edits=[])
    assert "too_short" not in found(sample, {})


@given(st.text(max_size=60), st.text(max_size=60))
def test_distances_are_distances(one, other):
    characters, words = distances(one, other)
    assert distances(other, one) == (characters, words)
    assert (characters == 0) == (one == other)
    assert words <= max(len(word_list(one)), len(word_list(other)))


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("Two sheep stand", "Two goats stand", (5, 1)),
        ("两只羊", "三只羊", (1, 1)),
        ("שתי כבשים", "שתי עיזים", (3, 1)),
        ("e\u0301", "\u00e9", (2, 1)),
        ("a\r\nb", "a\nb", (1, 0)),
        ("", "two words", (9, 2)),
    ],
)
def test_distances_of_a_few_texts(one, other, wanted):
    assert distances(one, other) == wanted
