"""Text and spans follow from the edits alone, for every text that people can type."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from writing import balance, edits
from writing.edits import BadEdit, Edit, Edited, apply, changed_share, pairs, places

ODD = "🐑👩‍🌾e\u0301\r\n \tשלום中文"
TEXTS = st.text(st.sampled_from(ODD) | st.characters(exclude_categories=["Cs"]), max_size=40)


@st.composite
def edited(draw) -> tuple[str, list[Edit]]:
    """A text, and edits of it in order that change something each."""
    clean = draw(TEXTS)
    cuts = sorted(draw(st.lists(st.integers(0, len(clean)), max_size=8)))
    found = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        words = draw(TEXTS)
        if words != clean[start:end]:
            found.append(Edit(start, end, words))
    return clean, found


@given(edited())
def test_the_spans_hold_the_replacements_and_the_rest_is_unchanged(case):
    clean, changes = case
    made = apply(clean, changes)
    rest, at = [], 0
    for edit, (start, end) in zip(changes, made.spans, strict=True):
        if edit.hallucinated:
            assert made.text[start:end] == edit.hallucinated
            rest.append(made.text[at:start])
            at = end
    kept, last = [], 0
    for edit in changes:
        if edit.hallucinated:
            kept.append(clean[last : edit.start])
            last = edit.end
    if all(edit.hallucinated for edit in changes):
        assert [*rest, made.text[at:]] == [*kept, clean[last:]]
    moved = sum(len(e.hallucinated) - (e.end - e.start) for e in changes)
    assert len(made.text) == len(clean) + moved


@given(edited())
def test_the_pairs_lead_back_to_the_correct_answer(case):
    clean, changes = case
    text = apply(clean, changes).text
    for pair in pairs(clean, changes):  # each one before is put back already: offsets agree
        start, end = pair["start"], pair["start"] + len(pair["hallucinated"])
        assert text[start:end] == pair["hallucinated"]
        text = text[:start] + pair["original"] + text[end:]
    assert text == clean


@given(edited())
def test_what_is_stored_lies_in_the_text_in_order_and_never_overlaps(case):
    made = apply(*case)
    stored = places(made)
    assert all(0 <= start < end <= len(made.text) for start, end in stored)
    assert all(a[1] <= b[0] for a, b in zip(stored, stored[1:], strict=False))
    covered = {i for span in made.spans for i in range(*span)}
    assert covered == {i for span in stored for i in range(*span)}


@pytest.mark.parametrize(
    ("clean", "edit", "marked"),
    [
        ("Two white sheep", Edit(4, 10, ""), "o s"),
        ("Two white sheep", Edit(4, 9, ""), "o  s"),
        ("Two white sheep", Edit(0, 4, ""), "w"),
        ("Two white sheep", Edit(9, 15, ""), "e"),
        ("a\r\n\r\nb c", Edit(5, 6, ""), "a\r\n\r\n c"),
    ],
)
def test_a_deletion_is_marked_over_the_gap_with_the_letters_beside_it(clean, edit, marked):
    text, [(start, end)] = (made := apply(clean, [edit])).text, made.spans
    assert text[start:end] == marked


def test_nothing_is_marked_where_everything_was_deleted():
    assert places(apply("abc", [Edit(0, 3, "")])) == []


def test_a_deletion_beside_a_replacement_is_one_place():
    made = apply("one two three", [Edit(0, 4, ""), Edit(4, 7, "2")])
    assert made == Edited("2 three", ((0, 1), (0, 1))) and places(made) == [(0, 1)]


def test_the_same_words_are_told_apart_by_their_position():
    clean = "sheep, sheep and sheep"
    assert apply(clean, [Edit(7, 12, "goats")]) == Edited("sheep, goats and sheep", ((7, 12),))


@pytest.mark.parametrize(
    ("changes", "index", "code"),
    [
        ([Edit(0, 3, "Two")], 0, "same"),
        ([Edit(4, 4, "")], 0, "same"),
        ([Edit(0, 99, "x")], 0, "outside"),
        ([Edit(-1, 2, "x")], 0, "outside"),
        ([Edit(3, 2, "x")], 0, "outside"),
        ([Edit(0, 5, "x"), Edit(4, 9, "y")], 1, "crosses"),
        ([Edit(4, 9, "y"), Edit(0, 3, "x")], 1, "crosses"),
    ],
)
def test_an_edit_that_cannot_be_is_refused_by_its_number(changes, index, code):
    with pytest.raises(BadEdit) as error:
        apply("Two white sheep", changes)
    assert (error.value.index, error.value.code, error.value.length) == (index, code, 15)


def test_the_changed_share_counts_what_goes_or_what_comes():
    assert changed_share("0123456789", [Edit(0, 2, "x"), Edit(5, 5, "abc")]) == 0.5
    assert changed_share("ab", [Edit(0, 2, "much longer")]) == 1
    assert changed_share("", [Edit(0, 0, "x")]) == 1
    assert changed_share("abc", []) == 0


@pytest.mark.parametrize("module", [edits, balance])
def test_the_examples_in_the_code_hold(module):
    assert doctest.testmod(module).failed == 0
