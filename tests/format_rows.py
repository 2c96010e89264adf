"""Rows and files for the tests of the formats."""

from __future__ import annotations

import io
import json
from typing import Any

from hypothesis import strategies as st

from annotation.formats import FORMATS, Row, Rules
from annotation.records import (
    CONTEXT_FORMATS,
    ITEM_STATES,
    STRATEGIES,
    AnnotationRecord,
    ItemRecord,
    SpanRecord,
    span_json,
)
from annotation.visible import is_blank

SHEEP = {
    "id": "a-1",
    "split": "train",
    "language": "fr",
    "prompt": "Que fait le chat ?",
    "image_name": "chat.jpg",
    "response": "Chat noir.\r\nDeux chiens.",
    "comments": {"eins": None, "zwei": None},
    "raw_annots": {"eins": "17:23|A", "zwei": "0:4;17:23|B;A"},
    "labels": [],
    "metadata": {"prelabel": "B", "orig_dataset": "web", "model": "m", "strategy": "random"},
}
JSONL = {"key": "a-1", "language": "fr", "response": "Chat noir.\r\nDeux chiens."}
ANY = Rules(with_annotations=True)


def read(name: str, content: bytes, rules: Rules = ANY) -> list[Row]:
    reader = FORMATS[name].read
    assert reader is not None
    return list(reader(io.BytesIO(content), "f", rules))


def lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def refused(name: str, content: bytes, rules: Rules = ANY) -> list[str]:
    """The refusals as people see them."""
    return [str(row) for row in read(name, content, rules) if not isinstance(row, tuple)]


def records(name: str, content: bytes, rules: Rules = ANY) -> list[ItemRecord]:
    """The records of a file of which nothing may be refused."""
    rows = read(name, content, rules)
    assert all(isinstance(row, tuple) for row in rows), rows
    return [row[1] for row in rows if isinstance(row, tuple)]


def written(name: str, *items: ItemRecord, boundaries: str = "exact") -> bytes:
    return "".join(FORMATS[name].write(items, boundaries)).encode()


# emoji with joiners, combining marks, line ends of three systems, a mark of byte order inside
PIECES = [
    "👩‍👩‍👧",
    "🇫🇷",
    "e\u0301",
    "\r\n",
    "\n",
    "\r",
    "\u2028",
    "\ufeff",
    '"',
    ",",
    "\\",
    "他说",
    " ",
    "NA",
]
character = st.characters(exclude_categories=("Cs",), exclude_characters="\x00")
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(character, max_size=5))).map("".join)
filled = texts.filter(lambda text: not is_blank(text))
names = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts)
values = st.recursive(
    scalars.filter(lambda v: v not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
objects = st.dictionaries(texts, values, max_size=3)


@st.composite
def spans_over(draw: st.DrawFn, length: int) -> tuple[SpanRecord, ...]:
    """Disjoint spans, in any marking order."""
    edges = sorted(draw(st.sets(st.integers(0, length), max_size=6)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    label = st.sampled_from(["A", "None", "NA"])
    return tuple(SpanRecord(*pair, draw(label)) for pair in draw(st.permutations(pairs)))


@st.composite
def items(draw: st.DrawFn) -> ItemRecord:
    """An item with all that jsonl keeps."""
    response = draw(filled)
    optional = st.none() | texts

    def answer(annotator: str) -> AnnotationRecord:
        spans = draw(spans_over(len(response)))
        state = draw(st.sampled_from(["submitted", "draft", "reported", "set_aside"]))
        draft = [span_json(span) for span in draw(spans_over(len(response)))]
        return AnnotationRecord(
            annotator,
            spans,
            state,
            comment=draw(texts),
            no_hallucination=not spans and (state == "submitted" or draw(st.booleans())),
            version=draw(st.integers(0, 9)),
            active_ms=draw(st.integers(0, 2**40)),
            submitted_at=draw(st.none() | st.just("2026-01-02T03:04:05.678901+00:00")),
            reason=draw(texts),
            draft=draw(
                st.none()
                | st.just({"spans": draft, "comment": "étrange", "no_hallucination": False})
            ),
        )

    annotators = draw(st.lists(names, unique=True, max_size=3))
    return ItemRecord(
        key=draw(names),
        language=draw(st.sampled_from(["fr", "NA", "zh-Hant"])),
        response=response,
        split=draw(optional),
        question=draw(texts),
        image_name=draw(st.none() | st.just("chats/été 1.jpg")),
        context=draw(optional),
        context_format=draw(st.none() | st.sampled_from(CONTEXT_FORMATS)),
        strategy=draw(st.none() | st.sampled_from(STRATEGIES)),
        model=draw(optional),
        source=draw(optional),
        prelabel=draw(optional),
        author=draw(optional),
        expectation=draw(st.none() | objects),
        metadata=draw(objects),
        state=draw(st.sampled_from(ITEM_STATES)),
        annotations=tuple(answer(name) for name in annotators),
        withheld=tuple(sorted(draw(st.sets(names, max_size=2)))),
    )
