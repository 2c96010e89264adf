"""The writers' part of the demo project: briefs, a sample in each state, and translations."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from annotation.actions.demo import Part
from annotation.demo.records import span_of
from annotation.errors import Refused
from annotation.models import Project, User
from writing.actions import review, samples
from writing.actions.briefs import import_briefs
from writing.actions.samples import Content
from writing.actions.translations import import_translations, live
from writing.edits import Edit
from writing.models import Brief, Sample

FOLDER = Path(__file__).parent.parent / "demo"
WRITER, EDITOR = "writer1", "editor1"
State = Sample.State


def read_samples() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((FOLDER / "samples.json").read_text(encoding="utf-8"))
    return rows


def fill(project: Project, coordinator: User) -> None:
    """Import the briefs, and write and review what stands in ``samples.json``."""
    with (FOLDER / "briefs.jsonl").open("rb") as source:
        report = import_briefs(None, project, source, "briefs.jsonl")
    if report.refusals:
        raise Refused(*(("demo", str(refusal)) for refusal in report.refusals))
    writer = User.objects.get(username=WRITER)
    for row in read_samples():
        brief = Brief.objects.get(project=project, key=row["brief"])
        sample = samples.start(writer, brief.pk)
        _write(writer, sample, content_of(row, brief), row["state"] != State.DRAFT)
        _review(coordinator, sample, row)
        if "translation" in row:
            _translate(project, sample, row["translation"])


def content_of(row: dict[str, Any], brief: Brief) -> Content:
    """What the writer says; words to mark or to replace stand once in the text or the answer."""
    counted = {"pasted": row["pasted"], "declared": True}
    if "edits" in row:
        edits = []
        for original, hallucinated in row["edits"]:
            place = span_of(brief.answer, original, "")
            edits.append(Edit(place["start"], place["end"], hallucinated))
        return Content(
            label=row["label"],
            correct=brief.answer,
            edits=tuple(edits),
            edit_mode=True,
            typed=sum(len(edit.hallucinated) for edit in edits),
            **counted,
        )
    return Content(
        label=row["label"],
        text=row["text"],
        spans=_spans(row),
        typed=len(row["text"]) - row["pasted"],
        **counted,
    )


def _spans(row: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    found = (span_of(row["text"], words, "") for words in row["marks"])
    return tuple((place["start"], place["end"]) for place in found)


def _write(by: User, sample: Sample, content: Content, send: bool) -> None:
    change = samples.submit if send else samples.save
    change(by, sample.pk, content, sample.version)


def _review(by: User, sample: Sample, row: dict[str, Any]) -> None:
    if row["state"] == State.RETURNED:
        review.send_back(by, sample.pk, row["comment"])
    if row["state"] in (State.ACCEPTED, State.PUBLISHED):
        review.accept(by, sample.pk)
    if row["state"] == State.PUBLISHED:
        review.publish(by, sample.pk)


def _translate(project: Project, root: Sample, row: dict[str, Any]) -> None:
    """Import the machine's text; where a post-edited one is given, it is sent."""
    line = {
        "sample": root.key,
        "language": row["language"],
        "text": row["machine"],
        "question": row["question"],
    }
    report = import_translations(
        None, project, io.BytesIO(json.dumps(line).encode()), "translations.jsonl"
    )
    if report.refusals:
        raise Refused(*(("demo", str(refusal)) for refusal in report.refusals))
    if "text" in row:
        task = live(root, row["language"]).get()
        said = Content(text=row["text"], spans=_spans(row), question=row["question"], declared=True)
        _write(User.objects.get(username=EDITOR), task, said, True)


PART = Part({WRITER: ("writer", ["en"]), EDITOR: ("writer", ["fr"])}, fill)
