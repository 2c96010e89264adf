"""Checking single values of a row; each check raises `Fault` with the field's name."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Iterable
from typing import Any

from annotation.formats.base import Fault, Rules
from annotation.records import REASON_MAX, SpanRecord
from annotation.spans import check_spans
from annotation.visible import is_blank

KEY_MAX = 400
NAME_MAX = 200
DEPTH_MAX = 50
LANGUAGE_MAX = 35
ANSWERS_MAX = 1000
# what other tools call these fields, too far off to be found by spelling
OTHER_NAMES = {
    "answer": "response",
    "output": "response",
    "text": "response",
    "model_output_text": "response",
    "id": "key",
    "item": "key",
    "prompt": "question",
    "image": "image_name",
    "raw_annots": "annotations",
    "labels": "annotations",
}
SURROGATE = re.compile("[\ud800-\udfff]")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def known_keys(row: Iterable[str], keys: Collection[str], where: str = "") -> None:
    """Refuse a field that the format does not have; a near name is suggested."""
    for key in row:
        if key not in keys:
            near = [OTHER_NAMES[key]] if OTHER_NAMES.get(key) in keys else []
            near = near or difflib.get_close_matches(key, keys, 1)
            hint = f": did you mean {near[0]!r}?" if near else f"; known are {', '.join(keys)}"
            raise Fault(f"{where}{key}", f"unknown field{hint}")


def required(row: dict[str, Any], keys: Collection[str]) -> None:
    for key in keys:
        if key not in row:
            raise Fault(key, "this field is missing")


def few_answers(answers: Collection[Any], field: str) -> None:
    """Refuse an item with more annotations than any study has people."""
    if len(answers) > ANSWERS_MAX:
        raise Fault(field, f"{len(answers)} annotations of one item: at most {ANSWERS_MAX}")


def clean(value: Any, field: str, depth: int = 0) -> None:
    """Refuse NUL, lone surrogates, numbers without a value, and lists in lists without end."""
    if depth > DEPTH_MAX:
        raise Fault(field[:80], f"is nested more than {DEPTH_MAX} levels deep")
    if isinstance(value, str):
        if "\x00" in value:
            raise Fault(field, "holds the character NUL, which no database keeps: remove it")
        if SURROGATE.search(value):
            raise Fault(field, "holds half a character (a lone surrogate): repair the text")
    elif isinstance(value, dict):
        for key, part in value.items():
            clean(key, field)
            clean(part, f"{field}.{key}", depth + 1)
    elif isinstance(value, list):
        for part in value:
            clean(part, field, depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise Fault(field, "holds a number too large to keep")


def kind_of(value: Any) -> str:
    names = {str: "a text", bool: "true or false", int: "a number", float: "a number"}
    names |= {list: "a list", dict: "an object", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def text(row: dict[str, Any], field: str) -> str:
    """The text under ``field``, which must be there."""
    value = row[field]
    if not isinstance(value, str):
        raise Fault(field, f"must be a text, not {kind_of(value)}")
    return value


def optional(row: dict[str, Any], field: str) -> str | None:
    """A text, or None where it is missing or null."""
    value = row.get(field)
    if value is not None and not isinstance(value, str):
        raise Fault(field, f"must be a text or null, not {kind_of(value)}")
    return value


def key_of(row: dict[str, Any], field: str) -> str:
    value = text(row, field)
    if not value:
        raise Fault(field, "is empty")
    if is_blank(value):
        raise Fault(field, "has nothing that can be seen")
    if len(value) > KEY_MAX:
        raise Fault(field, f"is longer than {KEY_MAX} characters")
    return value


def language_of(row: dict[str, Any], rules: Rules) -> str:
    value = text(row, "language")
    if not value:
        raise Fault("language", "is empty")
    if len(value) > LANGUAGE_MAX:
        raise Fault("language", f"is longer than {LANGUAGE_MAX} characters")
    if rules.languages is not None and value not in rules.languages:
        listed = ", ".join(rules.languages)
        raise Fault(
            "language",
            f"unknown language {value!r}: this project has {listed} (Settings take more)",
        )
    return value


def response_of(row: dict[str, Any]) -> str:
    value = text(row, "response")
    if not value:
        raise Fault("response", "is empty")
    if is_blank(value):
        raise Fault("response", "has nothing that can be seen")
    return value


def image_name_of(row: dict[str, Any]) -> str | None:
    """A relative name below the folder of pictures; anything that could leave it is refused."""
    value = optional(row, "image_name")
    if not value:
        return value
    parts = value.split("/")
    if "\\" in value or CONTROL.search(value) or ":" in parts[0]:
        raise Fault("image_name", f"{value!r} is not a name of a picture")
    if any(part in ("", ".", "..") for part in parts):
        raise Fault("image_name", f"{value!r} leads out of the folder of pictures")
    if len(value) > KEY_MAX:
        raise Fault("image_name", f"is longer than {KEY_MAX} characters")
    return value


def one_of(row: dict[str, Any], field: str, choices: Collection[str]) -> str | None:
    value = optional(row, field)
    if value is not None and value not in choices:
        raise Fault(field, f"{value!r} is none of {', '.join(choices)}")
    return value


def object_of(row: dict[str, Any], field: str) -> dict[str, Any]:
    value = row.get(field)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Fault(field, f"must be an object, not {kind_of(value)}")
    return value


def list_of(row: dict[str, Any], field: str) -> list[Any]:
    value = row.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Fault(field, f"must be a list, not {kind_of(value)}")
    return value


def spans_of(values: Any, field: str) -> tuple[SpanRecord, ...]:
    """A list of ``{"start", "end", "label"}`` objects as spans, types checked."""
    if not isinstance(values, list):
        raise Fault(field, f"must be a list of spans, not {kind_of(values)}")
    return tuple(_span_of(value, f"{field}[{i}]") for i, value in enumerate(values))


def _span_of(value: Any, field: str) -> SpanRecord:
    if not isinstance(value, dict):
        raise Fault(field, f"must be an object, not {kind_of(value)}")
    known_keys(value, ("start", "end", "label", "sublabel", "quote"), f"{field}.")
    for key in ("start", "end"):
        if type(value.get(key)) is not int:
            raise Fault(f"{field}.{key}", f"must be a whole number, not {kind_of(value.get(key))}")
    if not isinstance(value.get("label"), str):
        raise Fault(f"{field}.label", f"must be a text, not {kind_of(value.get('label'))}")
    sublabel = optional(value, "sublabel")
    return SpanRecord(value["start"], value["end"], value["label"], sublabel)


def checked_spans(
    spans: tuple[SpanRecord, ...], response: str, rules: Rules, field: str
) -> tuple[SpanRecord, ...]:
    """The spans, if they may stand over the response under the project's rules.

    ``field`` is the address of the list, such as ``draft.spans``.
    """
    found = check_spans(spans, len(response), rules.labels, rules.overlap_allowed, rules.sublabels)
    if found:
        raise Fault(field + found[0].where.removeprefix("spans"), found[0].message)
    return spans


def reason_of(row: dict[str, Any]) -> str:
    """Why an item was reported, no longer than whoever reports one may write."""
    value = optional(row, "reason") or ""
    if len(value) > REASON_MAX:
        raise Fault("reason", f"is longer than {REASON_MAX} characters")
    return value


def annotator_of(name: Any, field: str) -> str:
    if not isinstance(name, str) or is_blank(name):
        raise Fault(field, "an annotator needs a name")
    if len(name) > NAME_MAX:
        raise Fault(field, f"the annotator's name is longer than {NAME_MAX} characters")
    return name
