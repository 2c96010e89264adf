"""What every format is made of: rules of the project, faults of a row, and the registry's entry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from annotation.records import ItemRecord, Refusal


def gettext_noop(text: str) -> str:
    """The text as it is, marked for translation: the pages translate it, formats know no Django."""
    return text


Row = tuple[int, ItemRecord] | Refusal


@dataclass(frozen=True, slots=True)
class Rules:
    """What a project demands of a row; None takes any language or label.

    ``left_out`` hears of annotations that a reader passes over for want of ``with_annotations``,
    ``columns`` of the header of a table, before its first row: what has no column is not said.
    """

    languages: Collection[str] | None = None
    labels: Collection[str] | None = None
    sublabels: Collection[str] | None = None
    overlap_allowed: bool = False
    with_annotations: bool = False
    left_out: Callable[[int], None] | None = None
    columns: Callable[[Sequence[str]], None] | None = None

    def leave_out(self, annotations: int) -> None:
        """Tell the import how many annotations of a row are passed over."""
        if self.left_out is not None and annotations:
            self.left_out(annotations)


class Fault(ValueError):
    """A row is refused: ``field`` names the place, the message the reason and the mend.

    ``line`` counts from 1 within the text that was read.
    """

    def __init__(self, field: str, reason: str, line: int = 1) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: ``read`` gives rows with line numbers, ``write`` gives pieces of text.

    ``rows`` takes a project to what ``write`` is given; where there is none, its items are. A
    ``brief`` format writes of an item's answers only the submitted ones, and of them only
    annotator, spans and comment: no other is read for it.
    """

    name: str
    description: str
    extension: str
    content_type: str
    write: Callable[[Iterable[Any], str], Iterator[str]]
    read: Callable[[BinaryIO, str, Rules], Iterator[Row]] | None = None
    rows: Callable[[Any], Iterable[Any]] | None = None
    brief: bool = False
