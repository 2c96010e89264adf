"""Units for tests: written by hand, drawn by Hypothesis, or read from the published data sets."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from agreement.units import Units, units_from_records
from annotation.records import AnnotationRecord, ItemRecord, SpanRecord

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
# annotator -> spans (start, end, label)
Answers = Mapping[str, Sequence[tuple[int, int, str]]]


def needs(name: str) -> Path:
    path = DATA / name
    if not DATA.is_dir():
        pytest.skip("../shared/data is not there")
    return path


def item(key: str, length: int, answers: Answers, **fields: Any) -> ItemRecord:
    annotations = tuple(
        AnnotationRecord(name, tuple(SpanRecord(*span) for span in spans))
        for name, spans in answers.items()
    )
    return ItemRecord(key, "en", "x" * length, annotations=annotations, **fields)


def units(*answers: Answers, length: int = 20) -> Units:
    """One item for each, ``0``, ``1``, ..."""
    return units_from_records(item(str(i), length, one) for i, one in enumerate(answers))


def answers_of(*marks: str) -> Answers:
    """``"A", "", "AB"``: the first annotator marked A, the second nothing, the third A, then B."""
    return {
        str(i): [(3 * j, 3 * j + 2, label) for j, label in enumerate(labels)]
        for i, labels in enumerate(marks)
    }


LENGTH = 12


@st.composite
def answers(draw: st.DrawFn, least: int = 0, most: int = 4, labels: str = "ABC") -> Answers:
    edge = st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).filter(lambda e: e[0] < e[1])
    span = st.tuples(edge, st.sampled_from(labels)).map(lambda s: (*s[0], s[1]))
    given = draw(st.lists(st.lists(span, max_size=4), min_size=least, max_size=most))
    names = draw(st.permutations([str(i) for i in range(most)]))
    return dict(zip(names, given, strict=False))


many_answers = st.lists(answers(), max_size=6)


def drawn(found: Sequence[Answers]) -> Units:
    return units(*found, length=LENGTH)


FAITHBENCH = ("Unwanted", "Questionable", "Benign")


def _faithbench_label(labels: Sequence[str]) -> str:
    for wanted in FAITHBENCH:
        if any(label.split(".")[0] == wanted for label in labels):
            return wanted
    return "other"


def faithbench() -> Units:
    """Batches 1 and 3; every annotator of a batch is taken to have read all of its samples."""
    return units_from_records(one for batch in (1, 3) for one in _batch(batch))


def _batch(batch: int) -> Iterable[ItemRecord]:
    path = needs(f"faithbench/batch_{batch}.json")
    samples = json.loads(path.read_text(encoding="utf-8"))["samples"]
    panel = sorted({a["annotator_id"] for s in samples for a in s["annotations"]})
    for sample in samples:
        found: dict[str, list[tuple[int, int, str]]] = {name: [] for name in panel}
        for mark in sample["annotations"]:
            span = (mark["summary_start"], mark["summary_end"], _faithbench_label(mark["label"]))
            found[mark["annotator_id"]].append(span)
        yield item(f"{batch}-{sample['sample_id']}", len(sample["summary"]), found)


def xsum() -> Units:
    """A summary of a system for a document is an item; three workers each."""
    path = needs("xsum_faithfulness/hallucination_annotations_xsum_summaries.csv")
    found: dict[tuple[str, str], dict[str, list[tuple[int, int, str]]]] = {}
    texts = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = row["bbcid"], row["system"]
            texts[key] = row["summary"].replace("\\'", "'")
            spans = found.setdefault(key, defaultdict(list))[row["worker_id"]]
            if row["hallucination_type"] != "NULL":
                start, end = (
                    int(row[f"hallucinated_span_{edge}"]) - 1 for edge in ("start", "end")
                )
                spans.append((start, end, row["hallucination_type"]))
    return units_from_records(
        item("-".join(key), len(texts[key]), answers) for key, answers in found.items()
    )


def mu_shroom(language: str) -> Units:
    path = needs(f"mu_shroom/mushroom.{language}-val.v2.extra.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return units_from_records(
        item(
            row["id"],
            len(row["model_output_text"]),
            {name: [(*span, "x") for span in spans] for name, spans in row["annotations"].items()},
        )
        for row in rows
    )
