"""Briefs: drawn from a project's items, or imported; given to writers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.access import check_coordinator
from annotation.actions.audit import note
from annotation.actions.locks import lock_project
from annotation.errors import Refused
from annotation.formats import Fault
from annotation.formats.base import Row, Rules
from annotation.formats.csv import read_table
from annotation.formats.lines import read_json
from annotation.formats.values import KEY_MAX, clean, key_of, kind_of, known_keys, required, text
from annotation.models import Image, Item, Participant, Project, User
from annotation.order import item_number
from annotation.records import CONTEXT_FORMATS, Refusal
from writing.actions.demands import TEXT_MAX
from writing.models import Brief, Sample

KEYS = ("key", "language", "question", "image_name", "context", "context_format", "answer",
        "shared", "writer")  # fmt: skip


@transaction.atomic
def draw_briefs(
    by: User | None, project: Project, language: str, count: int, seed: int, shared: bool = False
) -> int:
    """Draw ``count`` briefs at random from the language's items; how many were made.

    Items with one and the same question and picture give one brief. The same seed draws the same
    items while the pool stays the same, and what was drawn before is not drawn again. Raises
    `Refused` where the language is unknown or fewer are left than asked for.
    """
    project = lock_project(project)
    check_coordinator(by, project)
    if language not in project.languages:
        raise Refused(("language", _("%s is no language of this project.") % language))
    if count < 1:
        raise Refused(("count", _("Draw at least one brief.")))
    pool = _pool(project, language)
    if len(pool) < count:
        text_ = ngettext(
            "Only %(n)d question with a picture or text is left in %(language)s.",
            "Only %(n)d questions with a picture or text are left in %(language)s.",
            len(pool),
        )
        raise Refused(("count", text_ % {"n": len(pool), "language": language}))
    draw = random.Random(f"{seed}\0{language}")  # noqa: S311 - to be drawn again, not a secret
    chosen = draw.sample(pool, count)
    Brief.objects.bulk_create(
        Brief(
            project=project,
            key=_key(item),
            language=language,
            question=item.question,
            image_id=item.image_id,
            context=item.context,
            context_format=item.context_format,
            source=item,
            shared=shared,
            number=item_number(project.seed, _key(item)),
        )
        for item in chosen
    )
    note(by, "briefs.drawn", project, language, count=count, seed=seed)
    return count


def _key(item: Item) -> str:
    return f"brief-{item.key}"[:KEY_MAX]


def _pool(project: Project, language: str) -> list[Item]:
    """An item for each question with a picture or text that has no brief yet."""
    briefs = Brief.objects.filter(project=project)
    drawn = set(
        briefs.filter(language=language).values_list("question", "image", "context").order_by()
    )
    keys = set(briefs.order_by().values_list("key", flat=True))
    pool: dict[tuple[str, int | None, str | None], Item] = {}
    items = Item.objects.filter(project=project, language=language).filter(
        Q(image__isnull=False) | (Q(image_name=None) | Q(image_name="")) & ~Q(context=None)
    )
    for item in items.exclude(state="retired").exclude(strategy="human").order_by("pk"):
        what = (item.question, item.image_id, item.context)
        if what not in drawn and _key(item) not in keys and (item.image_id or item.context):
            pool.setdefault(what, item)
    return list(pool.values())


@dataclass
class BriefReport:
    """What an import of briefs did; refusals name file, line and field."""

    new: int = 0
    same: int = 0
    changed: int = 0
    refused: int = 0
    refusals: list[Refusal] = field(default_factory=list)

    def line(self) -> str:
        names = ("new", "same", "changed", "refused")
        return ", ".join(f"{name} {getattr(self, name)}" for name in names)


def import_briefs(
    by: User | None, project: Project, source: BinaryIO, name: str, partial: bool = False
) -> BriefReport:
    """Read briefs from JSON lines, or from a table if ``name`` ends so; rows are matched by key.

    A brief with a sample is never changed, and a row that names no writer leaves the brief's as it
    is. Pictures are those of the project, by name.
    """
    check_coordinator(by, project)
    report = BriefReport()
    with transaction.atomic():
        project = lock_project(project)
        briefs = Brief.objects.filter(project=project).select_related("image", "writer")
        stored = {brief.key: brief for brief in briefs}
        begun = set(Sample.objects.filter(project=project).values_list("brief_id", flat=True))
        new, changed = [], []
        for row in _rows(source, name):
            if isinstance(row, Refusal):
                report.refusals.append(row)
                continue
            line = row[0]
            try:
                found = _values(project, cast(_Row, row[1]).values)
                key = found["key"]
                old = stored.get(key)
                if old is None:
                    new.append(Brief(project=project, **found))
                    report.new += 1
                elif all(getattr(old, n) == v for n, v in found.items()):
                    report.same += 1
                elif old.pk in begun:
                    raise Fault("key", "this brief has a sample: it cannot be changed any more")
                elif found["shared"] and "writer" not in found and old.writer_id:
                    raise Fault("shared", "this brief has a writer: it cannot be shared")
                else:
                    for n, v in found.items():
                        setattr(old, n, v)
                    changed.append(old)
                    report.changed += 1
            except Fault as fault:
                report.refusals.append(Refusal(name, line, fault.field, fault.reason))
        report.refused = len(report.refusals)
        if report.refused and not partial:
            report.new = report.changed = 0
            return report
        Brief.objects.bulk_create(new, batch_size=500)
        for brief in changed:
            brief.save()
        note(by, "import", project, "briefs", new=report.new, changed=report.changed)
    return report


@dataclass(frozen=True)
class _Row:
    key: str
    values: dict[str, Any]


def _rows(source: BinaryIO, name: str) -> Iterator[Row]:
    if name.lower().endswith(".csv"):
        return read_table(source, name, _cells, KEYS[:3], lambda header: known_keys(header, KEYS))
    return read_json(source, name, Rules(), _read, "key")


def _cells(header: list[str], cells: list[str]) -> Any:
    """A row of a table; an empty cell says nothing."""
    row: dict[str, Any] = {}
    for column, cell in zip(header, cells, strict=True):
        clean(cell, column)
        if cell or column in KEYS[:3]:
            row[column] = cell
    if "shared" in row:
        if row["shared"].lower() not in ("true", "false"):
            raise Fault("shared", f"is true or false, not {row['shared']!r}")
        row["shared"] = row["shared"].lower() == "true"
    return _read(row, Rules())


def _read(row: dict[str, Any], rules: Rules) -> Any:
    known_keys(row, KEYS)
    required(row, KEYS[:3])
    for name in KEYS[1:3]:
        text(row, name)
    for name in ("image_name", "context", "context_format", "answer", "writer"):
        if row.get(name) is not None and not isinstance(row[name], str):
            raise Fault(name, f"must be a text, not {kind_of(row[name])}")
    for name in ("question", "answer"):
        if len(row.get(name) or "") > TEXT_MAX:
            raise Fault(name, f"has more than {TEXT_MAX:,} characters, which no sample may have")
    if not isinstance(row.get("shared", False), bool):
        raise Fault("shared", f"must be true or false, not {kind_of(row['shared'])}")
    if row.get("context_format") not in (None, *CONTEXT_FORMATS):
        raise Fault("context_format", f"is one of {', '.join(CONTEXT_FORMATS)}")
    return _Row(key_of(row, "key"), row)


def _values(project: Project, row: dict[str, Any]) -> dict[str, Any]:
    if row["language"] not in project.languages:
        listed = ", ".join(project.languages)
        raise Fault("language", f"{row['language']!r} is no language of this project: {listed}")
    image = None
    if row.get("image_name"):
        image = Image.objects.filter(project=project, name=row["image_name"]).first()
        if image is None:
            raise Fault("image_name", f"the project has no picture {row['image_name']!r}")
    if image is None and not row.get("context") and not row["question"].strip():
        raise Fault("question", "a brief needs a question, a picture or a context")
    writer = None
    if row.get("writer"):
        writer = Participant.objects.filter(
            project=project, user__username=row["writer"], memberships__role="writer"
        ).first()
        if writer is None:
            raise Fault("writer", f"no writer of this project is called {row['writer']!r}")
        roles = writer.memberships.filter(role="writer").first()
        if roles is not None and roles.languages and row["language"] not in roles.languages:
            raise Fault("writer", f"{row['writer']!r} does not write {row['language']!r}")
        if row.get("shared"):
            raise Fault("shared", "a brief for one writer cannot be shared")
    return {
        "key": row["key"],
        "language": row["language"],
        "question": row["question"],
        "image": image,
        "context": row.get("context"),
        "context_format": row.get("context_format") or ("plain" if row.get("context") else None),
        "answer": row.get("answer") or "",
        "shared": bool(row.get("shared")),
        "number": item_number(project.seed, f"brief-{row['key']}"),
    } | ({"writer": writer, "given": True} if writer else {})
