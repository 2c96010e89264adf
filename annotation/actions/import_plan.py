"""What a row of a file means for the item that stands stored under its key. No database here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum

from annotation.formats import Fault
from annotation.formats.sheep import METADATA
from annotation.records import AnnotationRecord, ItemRecord

ALL_FIELDS = tuple(
    field.name
    for field in fields(ItemRecord)
    if field.name not in ("key", "state", "annotations", "withheld")
)
# A format that cannot say a field leaves it alone in stored items.
FIELDS_OF = {
    "sheep": (
        "language",
        "response",
        "split",
        "question",
        "image_name",
        "metadata",
        *METADATA.values(),
    )
}
# What people have judged by.
FROZEN = ("response", "question", "image_name", "context", "context_format")


# what an import may still say of an item that was published from a written sample
ADDED_LATER = ("split", "model", "source")


class Kind(Enum):
    NEW = "new"
    SAME = "same"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Stored:
    """An item as it is stored; ``record`` has its annotations where the import brings some."""

    pk: int
    record: ItemRecord
    annotated: bool
    taken: bool


@dataclass(frozen=True, slots=True)
class Change:
    """What a row does: the fields that it changes, the answers and the withheld that it adds."""

    kind: Kind
    fields: tuple[str, ...] = ()
    answers: tuple[AnnotationRecord, ...] = ()
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """What a file can say about an item: all else is left alone in stored ones.

    Without ``whole_metadata`` it says single entries, and the others are left alone too.
    """

    fields: tuple[str, ...]
    whole_metadata: bool = True

    def filled(self, record: ItemRecord, stored: ItemRecord) -> ItemRecord:
        """The record with the stored entries of metadata that the file cannot say."""
        if self.whole_metadata:
            return record
        return replace(record, metadata=stored.metadata | record.metadata)


def said_by(format_name: str) -> Said:
    return Said(FIELDS_OF.get(format_name, ALL_FIELDS))


def said_by_columns(columns: Sequence[str]) -> Said:
    """What a table with these columns can say."""
    fields = tuple(name for name in ALL_FIELDS if name in columns)
    if "metadata" in fields:
        return Said(fields)
    entries = set(columns) - {*ALL_FIELDS, "key", "state", "annotations", "withheld"}
    return Said((*fields, "metadata") if entries else fields, whole_metadata=False)


def compare(record: ItemRecord, stored: Stored | None, said: Said) -> Change:
    """What ``record`` would do; raises `Fault` where that may not happen.

    ``active`` is what a file says that says nothing: it never wakes a held or retired item.
    """
    if stored is None:
        return Change(Kind.NEW, answers=record.annotations, withheld=record.withheld)
    record = said.filled(record, stored.record)
    changed = [
        name for name in said.fields if getattr(record, name) != getattr(stored.record, name)
    ]
    written = "lineage" in stored.record.metadata
    for name in changed:
        if written and name not in ADDED_LATER:
            raise Fault(name, "differs from the stored one, and the item comes from a sample")
        if stored.annotated and name in FROZEN:
            raise Fault(name, "differs from the stored one, and people have annotated this item")
        if stored.taken and name == "language":
            raise Fault(name, "differs from the stored one, and people work on this item")
    answers = _added(record, stored)
    state = _state(record, answers)
    if state not in ("active", stored.record.state):
        changed.append("state")
    withheld = tuple(name for name in record.withheld if name not in stored.record.withheld)
    kind = Kind.CHANGED if changed or answers or withheld else Kind.SAME
    return Change(kind, tuple(changed), answers, withheld)


def _state(record: ItemRecord, answers: tuple[AnnotationRecord, ...]) -> str:
    """The item's state; a report that comes with the row holds an active item."""
    if record.state == "active" and any(answer.state == "reported" for answer in answers):
        return "held"
    return record.state


def state_of_new(record: ItemRecord) -> str:
    return _state(record, record.annotations)


def _added(record: ItemRecord, stored: Stored) -> tuple[AnnotationRecord, ...]:
    """The answers of annotators that the item does not have; a different answer is refused."""
    own = {answer.annotator: answer for answer in stored.record.annotations}
    added = []
    for answer in record.annotations:
        has = own.get(answer.annotator)
        if has is None:
            added.append(answer)
        elif _content(has) != _content(answer):
            raise Fault(
                f"annotations.{answer.annotator}",
                "this annotator has a different answer on this item; stored answers never change",
            )
    return tuple(added)


def _content(answer: AnnotationRecord) -> tuple[object, ...]:
    return answer.spans, answer.comment, answer.no_hallucination


def holds_place(answer: AnnotationRecord) -> bool:
    return answer.state != "set_aside"
