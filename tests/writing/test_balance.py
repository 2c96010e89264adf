"""Targets sum up, and what is suggested is what is missing most."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from writing.balance import Share, balance, suggestion, target_shares, targets

LABELS = st.lists(st.sampled_from("ABCDFGH"), min_size=1, unique=True)
SHARES = st.dictionaries(st.sampled_from("ABCDFGH"), st.floats(0, 1))


@given(LABELS, SHARES)
def test_every_label_has_a_share_and_what_is_given_is_kept(labels, given_shares):
    shares = target_shares(labels, given_shares)
    assert list(shares) == labels
    assert all(shares[label] == given_shares[label] for label in labels if label in given_shares)
    assert all(share >= 0 for share in shares.values())


@given(LABELS, SHARES, st.integers(0, 10_000))
def test_targets_make_the_plan_and_are_less_than_one_away_from_their_shares(labels, given_, n):
    shares = target_shares(labels, given_)
    total = sum(shares.values())
    found = targets(shares, n)
    if total == 0:
        assert set(found.values()) == {0}
        return
    assert sum(found.values()) == n
    assert all(abs(found[k] - n * shares[k] / total) < 1 + 1e-6 for k in labels)


def test_a_quarter_each_of_a_hundred():
    assert targets(target_shares("ABCD", {}), 100) == dict.fromkeys("ABCD", 25)


def test_the_first_labels_take_what_cannot_be_divided():
    assert targets(target_shares("ABCD", {}), 6) == {"A": 2, "B": 2, "C": 1, "D": 1}


def test_a_label_of_share_nought_is_never_suggested_and_never_full():
    found = balance({"A": 3}, target_shares("AB", {"B": 0.0}), 4)
    assert found[1] == Share("B", 0, 0.0, 0) and not found[1].full
    assert suggestion(found, 1, 3) == "A"
    assert suggestion(balance({}, {"A": 0.0}, 4), 1, 0) is None
    assert suggestion([], 1, 0) is None


def test_a_label_is_full_when_its_target_is_met():
    a, b = balance({"A": 2, "B": 1}, {"A": 0.5, "B": 0.5}, 4)
    assert (a.full, a.deficit) == (True, 0)
    assert (b.full, b.deficit) == (False, 1)


@given(st.dictionaries(st.sampled_from("ABCD"), st.integers(0, 30)), st.integers(), st.integers())
def test_the_suggestion_is_one_of_those_that_miss_most(counts, seed, step):
    found = balance(counts, target_shares("ABCD", {}), 60)
    chosen = suggestion(found, seed, step)
    assert {s.deficit for s in found if s.label == chosen} == {max(s.deficit for s in found)}
    assert chosen == suggestion(list(reversed(found)), seed, step)


def test_ties_go_to_all_labels_about_as_often():
    found = balance({}, target_shares("ABCD", {}), 100)
    won = Counter(suggestion(found, 7, step) for step in range(400))
    assert set(won) == set("ABCD") and min(won.values()) > 60


def test_who_follows_the_suggestions_ends_balanced():
    counts: Counter[str] = Counter()
    for step in range(100):
        counts[suggestion(balance(counts, target_shares("ABCD", {}), 100), 3, step)] += 1
    assert counts == dict.fromkeys("ABCD", 25)
