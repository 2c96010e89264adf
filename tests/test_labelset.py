"""The label set ``sheep``: five errors, their rules, and the guidelines that go with them."""

from __future__ import annotations

import pytest

from annotation.errors import Refused
from annotation.labelsets import check_label_set, load_label_set


@pytest.mark.parametrize("field", ["name", "key"])
def test_a_name_or_key_that_nobody_can_see_is_refused(field):
    with pytest.raises(Refused) as refused:
        check_label_set([{"code": "A", field: "\u202e"}])
    assert [problem.where for problem in refused.value.problems] == [f"labels[0].{field}"]


def labels() -> dict:
    return {label["code"]: label for label in load_label_set("sheep")["labels"]}


def test_a_label_set_that_does_not_exist_is_refused_with_the_names_of_those_that_do():
    with pytest.raises(Refused, match="sheep"):
        load_label_set("goat")


def test_the_set_has_the_five_labels_in_order_and_no_label_for_none():
    names = [(code, label["name"]) for code, label in labels().items()]
    assert names == [
        ("A", "Invention"),
        ("B", "Mischaracterization"),
        ("C", "OCR Problem"),
        ("D", "Miscounting"),
        ("E", "Other"),
    ]


def test_each_label_says_what_it_is_and_how_to_decide():
    for code, label in labels().items():
        assert label["description"] and label["rule"], code


def test_each_label_has_its_own_key_and_colour():
    assert [label["key"] for label in labels().values()] == list("abcde")
    assert len({label["colour"] for label in labels().values()}) == 5


def test_only_other_asks_for_a_comment_and_only_other_is_not_for_writers():
    assert [code for code, label in labels().items() if label["comment_required"]] == ["E"]
    assert [code for code, label in labels().items() if not label["writable"]] == ["E"]


@pytest.mark.parametrize(
    "words", ["few characters", "content", "own span", "uncertainty", "No hallucination", "comment"]
)
def test_the_guidelines_tell_annotators_the_rules_of_marking(words):
    assert words in load_label_set("sheep")["guidelines"]


def test_writers_have_guidelines_of_their_own():
    assert load_label_set("sheep")["writer_guidelines"].strip()
