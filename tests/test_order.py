"""The order of offers follows from the seed alone."""

from annotation.order import RANGE, item_number, starting_point


def test_the_same_seed_gives_the_same_order():
    assert item_number(7, "a") == item_number(7, "a")
    assert starting_point(7, "p") == starting_point(7, "p")


def test_another_seed_gives_another_order():
    keys = [str(i) for i in range(50)]
    assert sorted(keys, key=lambda k: item_number(1, k)) != sorted(
        keys, key=lambda k: item_number(2, k)
    )
    assert all(0 <= item_number(1, k) < RANGE for k in keys)
