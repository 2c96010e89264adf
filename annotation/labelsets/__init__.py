"""Label sets: a JSON file each, read by name or by path and checked before use."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import Problem, Refused
from annotation.formats.broken import why
from annotation.visible import is_blank

FOLDER = Path(__file__).parent
TEXTS = ("code", "name", "description", "rule", "colour", "key")
FLAGS = ("writable", "comment_required")
FACETS = {"labels": "label", "sublabels": "sublabel"}
GUIDELINES = ("guidelines", "writer_guidelines")
# The colours of the look, in order; a set without colours takes them.
COLOURS = ("#a84300", "#005b8f", "#00704f", "#8a2f7b", "#595959")


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load_label_set(name_or_path: str) -> dict[str, Any]:
    """``{"labels": [Label fields], "guidelines", "writer_guidelines"}``; `Refused` names faults."""
    path = FOLDER / f"{name_or_path}.json" if name_or_path in names() else Path(name_or_path)
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError:
        listed = ", ".join(names())
        message = _("No such label set or file: %(name)s. Sets here: %(sets)s.")
        raise Refused(("labels", message % {"name": name_or_path, "sets": listed})) from None
    except UnicodeDecodeError:
        raise Refused(("labels", _("%s is not UTF-8.") % path)) from None
    except (ValueError, RecursionError) as error:
        reason, line = why(error, "")
        message = _("%(path)s, line %(line)d: %(reason)s.")
        values = {"path": path, "line": line, "reason": reason}
        raise Refused(("labels", message % values)) from None
    return check_label_set(value)


def check_label_set(value: Any) -> dict[str, Any]:
    """The set with every default filled in."""
    if isinstance(value, list):
        value = {"labels": value}
    if not isinstance(value, dict) or not isinstance(value.get("labels"), list):
        raise Refused(("labels", _("A label set is an object with a list “labels”.")))
    problems = [
        Problem(key, _("Unknown field.")) for key in value if key not in (*FACETS, *GUIDELINES)
    ]
    labels: list[dict[str, Any]] = []
    for list_name, facet in FACETS.items():
        rows = value.get(list_name, [])
        if not isinstance(rows, list):
            raise Refused((list_name, _("This must be a list.")))
        checked = [_label(row, i, f"{list_name}[{i}]", problems) for i, row in enumerate(rows)]
        problems += _twice(checked, list_name)
        labels += [row | {"facet": facet} for row in checked]
    if not value["labels"]:
        problems.append(Problem("labels", _("A label set needs at least one label.")))
    if problems:
        raise Refused(*problems)
    return {"labels": labels} | {name: str(value.get(name, "")) for name in GUIDELINES}


def _label(row: Any, i: int, where: str, problems: list[Problem]) -> dict[str, Any]:
    if not isinstance(row, dict):
        problems.append(Problem(where, _("A label is an object.")))
        return {"code": where, "key": ""}
    for key, value in row.items():
        wanted = str if key in TEXTS else bool if key in FLAGS else None
        if wanted is None:
            problems.append(Problem(f"{where}.{key}", _("Unknown field.")))
        elif not isinstance(value, wanted):
            problems.append(Problem(f"{where}.{key}", _("Wrong type.")))
    label: dict[str, Any] = {"description": "", "rule": "", "key": ""}
    label |= {"colour": COLOURS[i % len(COLOURS)], "position": i}
    label |= {"writable": True, "comment_required": False} | row
    code = label.get("code")
    if not isinstance(code, str) or not re.fullmatch(r"[A-Za-z0-9_.-]{1,40}", code):
        message = _("A code has letters, digits, dot, dash and underscore, at most 40.")
        problems.append(Problem(f"{where}.code", message))
    label.setdefault("name", code)
    if not 1 <= len(str(label["name"])) <= 80:
        problems.append(Problem(f"{where}.name", _("A name has 1 to 80 characters.")))
    for field in ("name", "key"):
        if label[field] and is_blank(str(label[field])):
            problems.append(Problem(f"{where}.{field}", _("Nothing of this can be seen.")))
    if any("\x00" in str(value) for value in label.values()):
        problems.append(Problem(where, _("The character U+0000 cannot be kept.")))
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", str(label["colour"])):
        problems.append(Problem(f"{where}.colour", _("A colour looks like #a84300.")))
    if len(str(label["key"])) > 1:
        problems.append(Problem(f"{where}.key", _("A key is one character.")))
    return label


def _twice(labels: list[dict[str, Any]], where: str) -> list[Problem]:
    found = []
    for field in ("code", "key"):
        values = [label[field] for label in labels if label.get(field)]
        for value in sorted({str(v) for v in values if values.count(v) > 1}):
            found.append(Problem(f"{where}.{field}", _("%s stands twice.") % value))
    return found
