"""A project's submitted answers as `Units`."""

from __future__ import annotations

from operator import itemgetter

import numpy as np

from agreement.expectation import expectation_fields
from agreement.stats import Units, units_from_columns
from annotation.models import Project
from annotation.selectors.columns import answer_columns
from annotation.selectors.records import one_reading


def units_of(project: Project) -> Units:
    """Units of the submitted answers of people, in a constant number of queries.

    ``fields`` has the item fields of `annotation.selectors.columns.FIELDS`, and those of
    `agreement.expectation.FIELDS`.
    """
    with one_reading():
        found = answer_columns(project)
    # what was submitted while the columns were read on SQLite has no row in an earlier one
    items = {pk: i for i, pk in enumerate(found.item_ids)}
    kept = [(pk, *answer) for pk, answer in zip(found.answer_ids, found.answers, strict=True)]
    kept = [row for row in kept if row[1] in items and row[2] in found.pseudonyms]
    answers = {row[0]: i for i, row in enumerate(kept)}
    people = {pk: i for i, pk in enumerate(found.pseudonyms)}
    labels = {pk: i for i, pk in enumerate(found.labels)}
    spans = [span for span in found.spans if span[0] in answers and span[3] in labels]
    owners, starts, ends, codes = map(itemgetter, range(4))
    return units_from_columns(
        keys=found.keys,
        lengths=found.lengths,
        annotators=list(found.pseudonyms.values()),
        labels=list(found.labels.values()),
        item_of=[items[row[1]] for row in kept],
        annotator_of=[people[row[2]] for row in kept],
        annotation_of=[answers[pk] for pk in map(owners, spans)],
        starts=np.fromiter(map(starts, spans), np.int64, len(spans)),
        ends=np.fromiter(map(ends, spans), np.int64, len(spans)),
        codes=[labels[pk] for pk in map(codes, spans)],
        fields=found.fields
        | expectation_fields(found.expectations, found.fields["prelabel"], found.fields["author"]),
        metadata=found.metadata,
    )


COMMON = ("strategy", "language", "model")


def common_groupings(project: Project) -> list[str]:
    """Those of `COMMON` that tell at least two groups of items apart; what a page shows first."""
    items = project.items.exclude(state="retired").order_by()
    return [name for name in COMMON if len(items.values_list(name).distinct()[:2]) > 1]


def names_of(project: Project) -> dict[str, str]:
    """Pseudonym -> the name that coordinators know; on pages only, never in a download."""
    people = project.participants.select_related("user")
    return {person.pseudonym: str(person) for person in people}


def item_ids(project: Project, keys: list[str]) -> dict[str, int]:
    return dict(project.items.filter(key__in=keys).values_list("key", "pk"))
