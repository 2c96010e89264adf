"""Translations of samples: tasks, imported machine translations, post-editing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from django.db import transaction
from django.utils import timezone

from annotation.access import check_coordinator
from annotation.formats import Fault
from annotation.formats.base import Rules
from annotation.formats.lines import read_json
from annotation.formats.values import kind_of, known_keys, required, text
from annotation.models import Project, User
from annotation.records import Refusal
from writing.actions.history import record
from writing.models import Sample

State = Sample.State
DONE = (State.ACCEPTED, State.PUBLISHED)
KEYS = ("sample", "language", "text", "question")


def task(root: Sample, language: str) -> Sample:
    """The translation of a sample into a language, made where it is missing."""
    live = Sample.objects.filter(root=root, language=language).exclude(
        state__in=[State.DELETED, State.SUPERSEDED]
    )
    return live.first() or Sample.objects.create(
        project=root.project,
        brief=root.brief,
        language=language,
        origin=Sample.Origin.TRANSLATED,
        label=root.label,
        parent=root,
        root=root,
        saved_at=timezone.now(),
    )


@transaction.atomic
def make_tasks(by: User | None, project: Project) -> int:
    """A translation task for each accepted sample and each other language; how many are new."""
    check_coordinator(by, project)
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    roots = Sample.objects.filter(project=project, parent=None, state__in=DONE)
    before = Sample.objects.filter(project=project).count()
    for root in roots.select_related("project", "brief", "label"):
        for language in project.languages:
            if language != root.language:
                task(root, language)
    return Sample.objects.filter(project=project).count() - before


@dataclass
class TranslationReport:
    """What an import of machine translations did; refusals name file, line and field."""

    new: int = 0
    same: int = 0
    refused: int = 0
    refusals: list[Refusal] = field(default_factory=list)

    def line(self) -> str:
        return f"new {self.new}, same {self.same}, refused {self.refused}"


@dataclass(frozen=True)
class _Row:
    sample: str
    language: str
    text: str
    question: str


def import_translations(
    by: User | None, project: Project, source: BinaryIO, name: str, partial: bool = False
) -> TranslationReport:
    """Read ``{"sample", "language", "text", "question"?}`` a line; all of it is checked first.

    A translation that somebody has begun to edit is refused where the machine's text differs.
    """
    check_coordinator(by, project)
    report = TranslationReport()
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        roots = {
            root.key: root
            for root in Sample.objects.filter(
                project=project, parent=None, state__in=DONE
            ).select_related("project", "brief", "label")
        }
        good = []
        for row in read_json(source, name, Rules(), _read, "sample"):
            if isinstance(row, Refusal):
                report.refusals.append(row)
                continue
            try:
                found = cast(_Row, row[1])
                good.append((found, _target(project, roots, found)))
            except Fault as fault:
                report.refusals.append(Refusal(name, row[0], fault.field, fault.reason))
        report.refused = len(report.refusals)
        if report.refused and not partial:
            return report
        for found, root in good:
            if _store(by, root, found):
                report.new += 1
            else:
                report.same += 1
    return report


def _read(row: dict[str, Any], rules: Rules) -> Any:
    known_keys(row, KEYS)
    required(row, KEYS[:3])
    values = {name: text(row, name) for name in KEYS[:3]}
    if not values["text"].strip():
        raise Fault("text", "is empty: leave the row out")
    question = row.get("question", "")
    if not isinstance(question, str):
        raise Fault("question", f"must be a text, not {kind_of(question)}")
    return _Row(values["sample"], values["language"], values["text"], question)


def _target(project: Project, roots: dict[str, Sample], row: _Row) -> Sample:
    root = roots.get(row.sample)
    if root is None:
        raise Fault("sample", f"no accepted sample of this project has the key {row.sample!r}")
    if row.language not in project.languages:
        listed = ", ".join(project.languages)
        raise Fault("language", f"{row.language!r} is no language of this project: {listed}")
    if row.language == root.language:
        raise Fault("language", f"{row.language!r} is the language that the sample is written in")
    live = Sample.objects.filter(root=root, language=row.language).exclude(
        state__in=[State.DELETED, State.SUPERSEDED]
    )
    begun = live.exclude(version=0).exclude(machine=row.text).first()
    if begun is not None:
        raise Fault("text", "this translation is being edited already, from another text")
    return root


def _store(by: User | None, root: Sample, row: _Row) -> bool:
    """Whether the machine's text is new."""
    sample = task(root, row.language)
    if sample.machine == row.text:
        return False
    sample.machine = sample.text = row.text
    sample.question = row.question or sample.question
    sample.spans = []
    sample.save()
    record(sample, "machine", by, timezone.now())
    return True
