"""Stored items by key, as an import compares rows with them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from django.db.models import Exists, OuterRef

from annotation.models import Annotation, Assignment, Item, Project
from annotation.records import ItemRecord
from annotation.selectors.records import ITEM_FIELDS, answers_of, withheld_of


def stored_rows(
    project: Project, keys: Collection[str], with_annotations: bool
) -> dict[str, tuple[int, ItemRecord, bool, bool]]:
    """Key -> (id, record, has any annotation, has a place that is taken).

    The record's annotations and who is withheld are read on request alone. One query, or five with
    annotations.
    """
    annotated = Exists(Annotation.objects.filter(item=OuterRef("pk")))
    taken = Exists(
        Assignment.objects.filter(item=OuterRef("pk")).exclude(state__in=Assignment.UNFILLED)
    )
    rows = list(
        Item.objects.filter(project=project, key__in=keys)
        .annotate(annotated=annotated, taken=taken)
        .order_by()
        .values_list("pk", *ITEM_FIELDS, "annotated", "taken")
    )
    answers = answers_of(project, [row[0] for row in rows], True) if with_annotations else {}
    withheld = withheld_of([row[0] for row in rows]) if with_annotations else {}
    found = {}
    for row in rows:
        record = ItemRecord(*row[1:-2])
        if row[0] in answers:
            record = replace(record, annotations=tuple(answers[row[0]]))
        if row[0] in withheld:
            record = replace(record, withheld=withheld[row[0]])
        found[record.key] = (row[0], record, row[-2], row[-1])
    return found
