"""What the agreement page shows, from a stored answer: words, rows, and names of people."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from agreement.asked import View
from agreement.compute import Comparison
from agreement.describe import SPANS_SHOWN
from agreement.question import written
from agreement.selectors import item_ids, names_of
from agreement.stats import POLICIES
from agreement.tables import EMPTY_PAIRS, Json, cell, few_items, parts
from agreement.views import words
from annotation.models import Project

Found = dict[str, Any]


def page_of(project: Project, found: Found, view: View) -> Found:
    """The page's context."""
    report = found["report"]
    wanted = view.columns()
    names = names_of(project)
    return {
        "report": report,
        "whole": report["groups"][0],
        "heads": _heads(view),
        "blocks": [
            {"fields": words.fields(fields), "rows": [_row(group, wanted) for group in groups]}
            for fields, groups in parts(report)
        ],
        "method": words.method(report),
        "notes": words.undefined(report, wanted),
        "few": few_items(report),
        "view": view,
        "policies": list(POLICIES),
        "empties": list(EMPTY_PAIRS),
        "crossed": [
            (written(fields), words.fields(fields))
            for fields, _groups in parts(report)
            if len(fields) > 1
        ],
        "by": [fields[0] for fields, _groups in parts(report) if len(fields) == 1],
        "fields": [(name, written([name]), words.value(name)) for name in found["fields"]],
        "labels": found["labels"],
        "composition": found["composition"],
        "span_heads": [*map(str, range(SPANS_SHOWN)), _("%d or more") % SPANS_SHOWN],
        "spans": found["spans"],
        "expected": [part for part in found["expected"] if part["rows"]],
        "intended": [_hits(row, names) for row in found["intended"]],
        "people": [_person(row, names) for row in found["people"]],
        "matrix": _matrix(found, names),
        "lowest": _lowest(project, found["lowest"]),
    }


def _heads(view: View) -> list[tuple[Any, Any]]:
    """Kind and exact meaning of the five columns."""
    first = words.POLICIES[view.labels_of]
    return [
        (_("Presence"), _("α free")),
        (_("Label"), _("α unconditional, %s") % first),
        (_("Label"), _("α given a hallucination, %s") % first),
        (_("Span"), _("IoU requiring label match")),
        (_("Span"), _("IoU ignoring labels")),
    ]


def _row(group: Json, wanted: Found) -> Found:
    return {
        "name": words.group(group["by"]),
        "n_items": group["n_items"],
        "n_left_out": group["n_left_out"],
        "cells": [_cell(group["estimates"][name]) for name in wanted],
    }


def _cell(estimate: Json) -> Found:
    value, spread = cell(estimate).partition(" ")[::2]
    return {
        "value": value,
        "spread": spread,
        "sort": "" if estimate["value"] is None else estimate["value"],
        "why": words.reason(estimate["reason"]),
        "n": estimate["n_items"],
    }


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}" if whole else "–"


def _person(row: Found, names: dict[str, str]) -> Found:
    n = row["annotations"]
    return {
        "name": names.get(row["annotator"], row["annotator"]),
        "annotations": n,
        "none": _share(row["none"], n),
        "labels": [_share(count, n) for count in row["labels"]],
    }


def _hits(row: Found, names: dict[str, str]) -> Found:
    n = row["annotations"]
    return row | {
        "name": names.get(row["author"], row["author"]) or words.NONE,
        "hit": _share(row["hit"], n),
        "labelled": _share(row["labelled"], n),
    }


def _matrix(found: Found, names: dict[str, str]) -> Found:
    """People by people: span IoU and how many items it rests on."""
    people = [row["annotator"] for row in found["people"]]
    known = {(p["first"], p["second"]): p for p in found["pairs"]}
    known |= {(p["second"], p["first"]): p for p in found["pairs"]}
    return {
        "heads": [names.get(name, name) for name in people],
        "rows": [
            {
                "name": names.get(one, one),
                "cells": [{"same": one == two, "pair": known.get((one, two))} for two in people],
            }
            for one in people
        ],
    }


def _lowest(project: Project, rows: list[Found]) -> list[Found]:
    ids = item_ids(project, [row["key"] for row in rows])
    return [row | {"pk": ids.get(row["key"])} for row in rows]


def compared(found: Found, asked: Comparison) -> Found:
    """The context of a comparison: a row for each side, then the difference."""
    rows = []
    for side, estimate in ((asked.first, found["first"]), (asked.second, found["second"])):
        rows.append(
            {
                "name": words.group({side.field: side.value} if side.field else {}),
                "statistic": words.statistic(side.statistic),
                "n": estimate["n_items"],
            }
            | _cell(estimate)
        )
    return {
        "found": found,
        "rows": rows,
        "difference": _cell(found | {"n_items": found["n_common"]}),
        "method": words.method(asdict(asked.resampling)),
    }


def sides_of(found: Found) -> list[tuple[str, list[tuple[str, Any]]]]:
    """Groups that can be compared, by field: what a form sends, and what it shows."""
    return [
        (words.value(name), [(json.dumps([name, one]), words.value(one)) for one in values])
        for name, values in found["values"].items()
    ]
