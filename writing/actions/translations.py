"""Translations of samples: tasks, imported machine translations, post-editing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.access import check_coordinator
from annotation.actions.audit import note
from annotation.actions.locks import lock_project
from annotation.formats import Fault
from annotation.formats.base import Rules
from annotation.formats.lines import read_json
from annotation.formats.values import kind_of, known_keys, required, text
from annotation.models import Project, User
from annotation.records import Refusal
from writing.actions.demands import TEXT_MAX
from writing.actions.history import record
from writing.actions.sources import rest_on
from writing.models import Sample
from writing.selectors.balance import GONE
from writing.selectors.families import SOURCES
from writing.visible import is_blank

State = Sample.State
KEYS = ("sample", "language", "text", "question")


def live(root: Sample, language: str) -> QuerySet[Sample]:
    """The translations of a text, whichever its version: one a language, and a newer one of it."""
    found = Sample.objects.filter(family=root.head, parent__isnull=False, language=language)
    return found.exclude(state__in=GONE)


def _task(root: Sample, language: str) -> Sample:
    """A translation that nobody has begun."""
    return Sample(
        project=root.project,
        brief=root.brief,
        language=language,
        origin=Sample.Origin.TRANSLATED,
        label=root.label,
        parent=root,
        root=root,
        family_id=root.head,
        saved_at=timezone.now(),
    )


@transaction.atomic
def make_tasks(by: User | None, project: Project) -> int:
    """A translation task for each accepted sample and each other language; how many are new.

    A text has one task for a language, whichever of its versions was translated.
    """
    project = lock_project(project)
    check_coordinator(by, project)
    there = set(
        Sample.objects.filter(project=project, root__isnull=False)
        .exclude(state__in=GONE)
        .values_list("family_id", "language")
    )
    roots = Sample.objects.filter(SOURCES, project=project)
    made = [
        _task(root, language)
        for root in roots.select_related("project", "brief", "label").order_by("pk")
        for language in project.languages
        if language != root.language and (root.head, language) not in there
    ]
    Sample.objects.bulk_create(made, batch_size=500)
    note(by, "tasks.made", project, count=len(made))
    return len(made)


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

    @property
    def key(self) -> str:
        """A pair of sample and language comes once in a file."""
        return f"{self.sample} {self.language}"


def import_translations(
    by: User | None, project: Project, source: BinaryIO, name: str, partial: bool = False
) -> TranslationReport:
    """Read ``{"sample", "language", "text", "question"?}`` a line; all of it is checked first.

    A translation that somebody has begun to edit is refused where the machine's text differs.
    """
    check_coordinator(by, project)
    report = TranslationReport()
    with transaction.atomic():
        project = lock_project(project)
        found_roots = Sample.objects.filter(SOURCES, project=project)
        related = found_roots.select_related("project", "brief", "label")
        roots = {root.key: root for root in related}
        newer = _newer(project, roots)
        good = []
        for row in read_json(source, name, Rules(), _read, "sample"):
            if isinstance(row, Refusal):
                report.refusals.append(row)
                continue
            try:
                found = cast(_Row, row[1])
                good.append((found, _target(project, roots, newer, found)))
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
        note(by, "import", project, "translations", new=report.new, refused=report.refused)
    return report


def _read(row: dict[str, Any], rules: Rules) -> Any:
    known_keys(row, KEYS)
    required(row, KEYS[:3])
    values = {name: text(row, name) for name in KEYS[:3]}
    if is_blank(values["text"]):
        raise Fault("text", "is empty: leave the row out")
    question = row.get("question", "")
    if not isinstance(question, str):
        raise Fault("question", f"must be a text, not {kind_of(question)}")
    for name, value in (("text", values["text"]), ("question", question)):
        if len(value) > TEXT_MAX:
            raise Fault(name, f"has more than {TEXT_MAX:,} characters, which no sample may have")
    return _Row(values["sample"], values["language"], values["text"], question)


def _newer(project: Project, roots: dict[str, Sample]) -> dict[str, str]:
    """Key of each version that was replaced -> key of the one that is translated now."""
    newest = {root.head: root.key for root in roots.values()}
    older = Sample.objects.filter(project=project, parent=None, state=State.SUPERSEDED)
    return {one.key: newest[one.head] for one in older if one.head in newest}


def _target(project: Project, roots: dict[str, Sample], newer: dict[str, str], row: _Row) -> Sample:
    root = roots.get(row.sample)
    if root is None and row.sample in newer:
        raise Fault(
            "sample", f"{row.sample!r} has a newer version: its key is {newer[row.sample]!r}"
        )
    if root is None:
        raise Fault("sample", f"no accepted sample of this project has the key {row.sample!r}")
    if row.language not in project.languages:
        listed = ", ".join(project.languages)
        raise Fault("language", f"{row.language!r} is no language of this project: {listed}")
    if row.language == root.language:
        raise Fault("language", f"{row.language!r} is the language that the sample is written in")
    begun = live(root, row.language).exclude(writer=None).exclude(machine=row.text)
    if begun.exists():
        raise Fault("text", "this translation is being edited already, from another text")
    return root


def _store(by: User | None, root: Sample, row: _Row) -> bool:
    """Whether the machine's text is new; one that somebody has begun to edit stays as it is."""
    found = live(root, row.language)
    sample = found.filter(writer=None).select_for_update(no_key=True).first()
    if sample is None:
        if found.exists():
            return False
        sample = _task(root, row.language)
    question = row.question or sample.question
    now = (sample.machine, sample.question, sample.stale, sample.root_id)
    if now == (row.text, question, False, root.pk):
        return False
    rest_on(sample, root)
    if sample.machine != row.text:
        sample.machine = sample.text = row.text
        sample.spans = []
    sample.stale = False
    sample.question = question
    sample.saved_at = timezone.now()
    sample.version += 1  # whoever has the page open is told before they overwrite it
    sample.save()
    record(sample, "machine", by, sample.saved_at)
    return True
