"""What an export reads of an answer is of one moment, also while it is corrected."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections

from annotation.actions import answers, places
from annotation.records import Answer, SpanRecord
from annotation.selectors.records import item_records, one_reading
from tests import factories


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_is_corrected_meanwhile_is_exported_whole(project, annotator):
    """The comment of one version never stands beside the spans of another."""
    factories.make_item(project)
    place = places.claim(annotator, project.slug).place_id
    first, second = (Answer((SpanRecord(0, end, "A"),), f"to {end}") for end in (3, 9))
    answers.save(annotator, place, first, 0, 0, True)
    corrected: list[int] = []

    def correct() -> None:
        answers.save(annotator, place, second, 1, 0, True)
        corrected.append(1)
        connections.close_all()

    def between(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if 'FROM "annotation_span"' in sql and not corrected:
            writer = threading.Thread(target=correct)
            writer.start()
            writer.join()
        return execute(sql, *rest)

    with one_reading(), connection.execute_wrapper(between):
        [item] = item_records(project)
    [annotation] = item.annotations
    assert corrected
    assert annotation.comment == f"to {annotation.spans[0].end}" == "to 3"
    with one_reading():
        [item] = item_records(project)
    assert item.annotations[0].comment == f"to {item.annotations[0].spans[0].end}" == "to 9"
