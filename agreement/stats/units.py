"""Annotations as arrays, made once: what every statistic reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers = NDArray[np.int64]
Counts = NDArray[np.int32]  # how often each item was drawn: half the memory to write and read
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


class UnknownField(ValueError):
    """No item has a field or a metadata key of that name; ``known`` lists those there are."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"No item has {name!r}: known are {', '.join(known)}.")
        self.name = name
        self.known = tuple(known)


@dataclass(frozen=True, slots=True)
class Units:
    """Items, the annotations they have, and the spans of those.

    Attributes
    ----------
    keys : list of str, n_items
    lengths : int64, shape (n_items,)
        Code points of each response.
    annotators, labels : list of str
        What ``annotator_of`` and ``codes`` count.
    item_of : int64, shape (n_annotations,), ascending
    annotator_of : int64, shape (n_annotations,)
    span_starts_at : int64, shape (n_annotations + 1,)
        The spans of annotation ``i`` are ``span_starts_at[i]`` to ``span_starts_at[i + 1]``.
        An annotation without a span is an answer; who has not answered has no annotation.
    starts, ends, codes : int64, shape (n_spans,)
        Code points, end exclusive, inside the response, none empty; in marking order.
    fields : mapping of str to a list of n_items values
    metadata : list of n_items mappings

    Examples
    --------
    >>> units = units_from_columns(
    ...     keys=["a"], lengths=[10], annotators=["x", "y"], labels=["A"],
    ...     item_of=[0, 0], annotator_of=[0, 1],
    ...     annotation_of=[0, 0], starts=[-1, 10], ends=[4, 12], codes=[0, 0],
    ... )
    >>> units.starts, units.ends, units.span_starts_at
    (array([0]), array([4]), array([0, 1, 1]))
    """

    keys: list[str]
    lengths: Integers
    annotators: list[str]
    labels: list[str]
    item_of: Integers
    annotator_of: Integers
    span_starts_at: Integers
    starts: Integers
    ends: Integers
    codes: Integers
    fields: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    metadata: Sequence[Mapping[str, Any]] = ()

    def __len__(self) -> int:
        """The number of items."""
        return len(self.keys)

    @property
    def per_item(self) -> Integers:
        """Annotations of each item: int64, shape (n_items,)."""
        return np.bincount(self.item_of, minlength=len(self.keys)).astype(np.int64)

    def field(self, name: str) -> list[Any]:
        """The values of an item field or metadata key, None where an item lacks it.

        Raises
        ------
        UnknownField
            If it is no field and no item has it in its metadata.
        """
        if name in self.fields:
            return list(self.fields[name])
        if any(name in one for one in self.metadata):
            return [one.get(name) for one in self.metadata]
        known = dict.fromkeys(chain(self.fields, *self.metadata))
        raise UnknownField(name, list(known))

    def take(self, items: ArrayLike) -> Units:
        """These items alone, in the order they have here.

        Parameters
        ----------
        items : bool, shape (n_items,), or int, shape (m,)
            A mask or indices; an index that comes twice counts once.
        """
        wanted = np.asarray(items)
        mask = np.zeros(len(self.keys), dtype=bool)
        mask[wanted if wanted.dtype == bool else wanted.astype(np.int64)] = True
        places: list[int] = np.flatnonzero(mask).tolist()
        answers = np.flatnonzero(mask[self.item_of])
        counts = np.diff(self.span_starts_at)
        spans = np.repeat(mask[self.item_of], counts)
        return replace(
            self,
            keys=[self.keys[i] for i in places],
            lengths=self.lengths[mask],
            item_of=(np.cumsum(mask) - 1)[self.item_of[answers]],
            annotator_of=self.annotator_of[answers],
            span_starts_at=_offsets(counts[answers]),
            starts=self.starts[spans],
            ends=self.ends[spans],
            codes=self.codes[spans],
            fields={name: [column[i] for i in places] for name, column in self.fields.items()},
            metadata=[self.metadata[i] for i in places] if self.metadata else (),
        )


def _offsets(counts: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _column(values: ArrayLike) -> Integers:
    return np.asarray(values, dtype=np.int64).reshape(-1)


def units_from_columns(
    *,
    keys: Sequence[str],
    lengths: ArrayLike,
    annotators: Sequence[str],
    labels: Sequence[str],
    item_of: ArrayLike,
    annotator_of: ArrayLike,
    annotation_of: ArrayLike,
    starts: ArrayLike,
    ends: ArrayLike,
    codes: ArrayLike,
    fields: Mapping[str, Sequence[Any]] | None = None,
    metadata: Sequence[Mapping[str, Any]] = (),
) -> Units:
    """Units from one column per property, as a database gives them; no loop over spans.

    Spans are cut to ``[0, length)`` of their response, and those empty then are dropped.

    Parameters
    ----------
    keys, lengths : n_items
        ``lengths`` in code points.
    item_of, annotator_of : n_annotations
        Indices into ``keys`` and ``annotators``, in any order.
    annotation_of, starts, ends, codes : n_spans
        Index of the annotation among ``item_of``, offsets, index into ``labels``. The spans of an
        annotation stand in marking order.

    Raises
    ------
    ValueError
        If an annotator has two annotations on one item.
    """
    sizes = _column(lengths)
    items, people = _column(item_of), _column(annotator_of)
    if len(np.unique(items * max(len(annotators), 1) + people)) != len(items):
        raise ValueError("An annotator has two annotations on one item.")
    spans = (_column(annotation_of), _column(starts), _column(ends), _column(codes))
    return Units(
        keys=list(keys),
        lengths=sizes,
        annotators=list(annotators),
        labels=list(labels),
        fields=fields or {},
        metadata=metadata,
        **_arranged(sizes, items, people, *spans),
    )


def _arranged(
    sizes: Integers,
    items: Integers,
    people: Integers,
    annotation: Integers,
    starts: Integers,
    ends: Integers,
    codes: Integers,
) -> dict[str, Integers]:
    """Annotations sorted by item and spans by annotation, those cut and the empty ones dropped."""
    order = np.argsort(items, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    owner = place[annotation]
    limit = sizes[items[order]][owner]
    low, high = np.clip(starts, 0, limit), np.clip(ends, 0, limit)
    left = np.flatnonzero(low < high)
    left = left[np.argsort(owner[left], kind="stable")]
    return {
        "item_of": items[order],
        "annotator_of": people[order],
        "span_starts_at": _offsets(np.bincount(owner[left], minlength=len(items))),
        "starts": low[left],
        "ends": high[left],
        "codes": codes[left],
    }
