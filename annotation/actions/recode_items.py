"""The code of a label in what items say of the error that is meant to be in them."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import F, Q, TextField
from django.db.models.functions import Cast

from annotation.models import Item, Label, Project

PART = 500


def recode_items(label: Label, before: str) -> int:
    """Write the label's code where items name it by the one before; how many changed.

    Those are ``prelabel`` and ``expectation``, with which answers are compared. Hold the project's
    lock: an import would read the old code meanwhile.
    """
    field = "label" if label.facet == Label.Facet.LABEL else "sublabel"
    named = Q(said__contains=json.dumps(before))
    if field == "label":
        named |= Q(prelabel=before)
    rows = Item.objects.filter(project=label.project_id)
    rows = rows.annotate(said=Cast("expectation", TextField())).filter(named).order_by("pk")
    changed = []
    for item in rows.only("pk", "prelabel", "expectation"):
        was = (item.prelabel, item.expectation)
        if field == "label" and item.prelabel == before:
            item.prelabel = label.code
        item.expectation = _recoded(item.expectation, field, before, label.code)
        if (item.prelabel, item.expectation) != was:
            changed.append(item)
    Item.objects.bulk_update(changed, ["prelabel", "expectation"], batch_size=PART)
    if changed:
        versions = Project.objects.filter(pk=label.project_id)
        versions.update(items_version=F("items_version") + 1)
    return len(changed)


def _recoded(expectation: Any, field: str, before: str, after: str) -> Any:
    """A copy with the new code in the object itself and in its spans; all else as it came."""
    if not isinstance(expectation, dict):
        return expectation
    found = dict(expectation)
    if found.get(field) == before:
        found[field] = after
    if isinstance(found.get("spans"), list):
        found["spans"] = [_recoded(span, field, before, after) for span in found["spans"]]
    return found
