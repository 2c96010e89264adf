"""The page that compares two groups or two policies."""

from __future__ import annotations

import json

import pytest

from tests import factories
from tests.agreement.projects import flock, mark

PAGE = "/p/flock/agreement/"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (
            {
                "group_a": '["strategy", "random"]',
                "group_b": '["strategy", "map"]',
                "statistic_a": "span_iou",
                "statistic_b": "span_iou",
            },
            "share no item",
        ),
        (
            {"statistic_a": "label_alpha_first_all", "statistic_b": "label_alpha_longest_all"},
            "in pairs",
        ),
    ],
)
def test_two_groups_or_two_policies_are_compared(project, coordinator, page_as, query, words):
    flock(project)
    reply = page_as(coordinator).get(f"{PAGE}compare/", query)
    assert reply.status_code == 200
    assert words in reply.content.decode() and "First less second" in reply.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        {"statistic_a": "nothing"},
        {"statistic_a": "span_iou", "group_a": '["strategy", "wolf"]'},
        {"statistic_a": "span_iou", "group_a": '["wool", 1]'},
        {"statistic_a": "span_iou", "group_a": "wool"},
        {"statistic_a": "span_iou", "group_a": "[1, 2]"},
    ],
)
def test_a_comparison_with_nothing_is_refused(project, coordinator, page_as, query):
    flock(project)
    reply = page_as(coordinator).get(f"{PAGE}compare/", query | {"statistic_b": "span_iou"})
    assert reply.status_code == 422 and 'class="error"' in reply.content.decode()


@pytest.mark.parametrize("value", ["", "a=b", "line\nbreak", "<b>", 1, True, None, [1, "a"]])
def test_any_value_of_a_field_can_be_compared(project, coordinator, page_as, value):
    users = [factories.join(project, f"reader-{n}", "annotator") for n in range(2)]
    for n, one in enumerate((value, "other")):
        item = factories.make_item(project, f"item-{n}", metadata={"a=b": one})
        for user in users:
            mark(user, item, (0, 3, "A"))
    query = {"group_a": json.dumps(["a=b", value]), "group_b": json.dumps(["a=b", "other"])}
    page = page_as(coordinator)
    reply = page.get(
        f"{PAGE}compare/", query | {"statistic_a": "span_iou", "statistic_b": "span_iou"}
    )
    assert reply.status_code == 200
    assert "share no item" in reply.content.decode()
    assert page.get(PAGE, {"by": "a=b"}).status_code == 200
