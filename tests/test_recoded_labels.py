"""A label's new code reaches what items say of the error that is meant to be in them."""

from __future__ import annotations

import json

from agreement.selectors import units_of
from annotation.actions import labels
from annotation.models import AuditEvent, Project
from tests.files import exported, jsonl, load, row


def test_what_is_expected_of_an_item_follows_the_code_of_its_label(
    project, coordinator, annotator, tmp_path
):
    marks = {"label": "A", "spans": [{"start": 0, "end": 3, "label": "A"}], "A": "A", "note": ["A"]}
    rows = [
        row("both", expectation=marks, prelabel="A"),
        row("other", expectation={"label": "B"}, prelabel="B"),
        row("longer", expectation={"label": "AA"}, prelabel="AA"),
        row("loose", expectation={"spans": "A", "label": ["A"]}, prelabel=None),
    ]
    assert load(jsonl(tmp_path / "a.jsonl", *rows))[0] == 0
    version = Project.objects.get(pk=project.pk).items_version
    labels.change_label(coordinator, project.labels.get(code="A"), code="Invented")
    found = {each["key"]: each for each in map(json.loads, exported().splitlines())}
    assert found["both"]["prelabel"] == "Invented"
    recoded = marks | {"label": "Invented", "spans": [{"start": 0, "end": 3, "label": "Invented"}]}
    assert found["both"]["expectation"] == recoded
    for kept in rows[1:]:
        assert found[kept["key"]].get("expectation") == kept["expectation"]
        assert found[kept["key"]].get("prelabel") == kept["prelabel"]
    units = units_of(project)
    assert dict(zip(units.keys, units.field("expected"), strict=True))["both"] == "Invented"
    assert "Invented" in [*units.labels]
    assert Project.objects.get(pk=project.pk).items_version > version
    event = AuditEvent.objects.get(kind="label.changed")
    assert (event.target, event.detail["items"]) == ("A", 1)
