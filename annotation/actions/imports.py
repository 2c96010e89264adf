"""Importing a file of items: all of it is checked, then it is written in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO

from django.db import connection, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import access
from annotation.actions.audit import note
from annotation.actions.import_plan import Kind, compare, said_by, said_by_columns
from annotation.actions.import_write import ROWS, ItemWriter, stored_of
from annotation.actions.locks import lock_project
from annotation.actions.picture_sources import PictureSource
from annotation.actions.pictures import Pictures, give_pictures
from annotation.actions.spool import Spool
from annotation.errors import Refused
from annotation.formats import FORMATS, READABLE, Fault, Rules
from annotation.models import Label, Project, User
from annotation.records import ItemRecord, Refusal

# (phase "check" or "write", done, total); it may raise to stop the import
Progress = Callable[[str, int, int], None]
TABLES = ("item", "assignment", "annotation", "span", "participant", "image", "withheld")


class TooManyRows(Exception):
    """The file has more rows than the caller takes."""


@dataclass
class ImportReport:
    """What an import did, or would do; ``written`` tells whether anything was kept.

    ``waiting`` counts the rows whose picture has not come, ``pictures`` the new pictures and of
    these ``replaced`` those that take another one's place: a row with such a one is changed.
    ``stopped`` says of a check that the import itself would write nothing.
    """

    new: int = 0
    same: int = 0
    changed: int = 0
    refused: int = 0
    waiting: int = 0
    pictures: int = 0
    replaced: int = 0
    left_out_annotations: int = 0
    stopped: bool = False
    written: bool = False
    refusals: list[Refusal] = field(default_factory=list)

    def count(self, kind: Kind) -> None:
        setattr(self, kind.value, getattr(self, kind.value) + 1)

    def recount(self, rows: int, counts: Mapping[Kind, int]) -> None:
        """What became of the ``rows`` that were to be written, which others may have changed.

        A row that changes by its picture alone is not among them.
        """
        self.changed += counts[Kind.CHANGED] - (rows - self.new)
        self.new = counts[Kind.NEW]
        self.same += counts[Kind.SAME]

    def refuse(self, refusal: Refusal) -> None:
        self.refusals.append(refusal)
        self.refused += 1

    def line(self) -> str:
        """``new 24, same 0, changed 0, refused 0``."""
        return ", ".join(f"{n} {getattr(self, n)}" for n in ("new", "same", "changed", "refused"))

    def notes(self) -> list[str]:
        """What a person should know besides the counts."""
        notes = []
        if self.stopped:
            text = _(
                "The import would write nothing: mend the refused rows, or keep the good ones."
            )
            notes.append(text)
        if self.waiting:
            text = ngettext(
                "%d item waits for its picture.", "%d items wait for their pictures.", self.waiting
            )
            notes.append(text % self.waiting)
        if self.replaced:
            text = ngettext("%d picture is replaced.", "%d pictures are replaced.", self.replaced)
            notes.append(text % self.replaced)
        if self.left_out_annotations:
            text = ngettext(
                "%d annotation was left out.",
                "%d annotations were left out.",
                self.left_out_annotations,
            )
            notes.append(text % self.left_out_annotations)
        return notes

    def as_json(self) -> dict[str, Any]:
        names = ("new", "same", "changed", "refused", "waiting", "pictures", "replaced", "written")
        refusals = [[r.file, r.line, r.field, r.reason] for r in self.refusals]
        return {name: getattr(self, name) for name in names} | {
            "left_out_annotations": self.left_out_annotations,
            "refusals": refusals,
        }


def _silent(phase: str, done: int, total: int) -> None:
    pass


@dataclass
class _Import:
    """One run: what was asked for, and what is known so far."""

    by: User | None
    project: Project
    source: BinaryIO
    name: str
    format: str
    pictures: Pictures
    with_annotations: bool
    partial: bool
    progress: Progress
    max_rows: int | None
    report: ImportReport = field(default_factory=ImportReport)

    def __post_init__(self) -> None:
        self.said = said_by(self.format)

    def rules(self) -> Rules:
        labels = {
            facet: set(self.project.labels.filter(facet=facet).values_list("code", flat=True))
            for facet in Label.Facet.values
        }

        def left_out(count: int) -> None:
            self.report.left_out_annotations += count

        def columns(names: Sequence[str]) -> None:
            self.said = said_by_columns(names)

        return Rules(
            languages=self.project.languages,
            labels=labels[Label.Facet.LABEL],
            sublabels=labels[Label.Facet.SUBLABEL],
            overlap_allowed=self.project.overlap_allowed,
            with_annotations=self.with_annotations,
            left_out=left_out,
            columns=columns,
        )

    def check(self, spool: Spool) -> None:
        """Read and compare every row; what has to be written goes to the spool."""
        read = FORMATS[self.format].read
        assert read is not None  # noqa: S101 - import_items refused the others
        total = self.source.seek(0, 2)
        self.source.seek(0)
        rows = read(self.source, self.name, self.rules())
        seen = 0
        while chunk := list(islice(rows, ROWS)):
            seen += len(chunk)
            if self.max_rows is not None and seen > self.max_rows:
                raise TooManyRows()
            good = []
            for row in chunk:
                if isinstance(row, Refusal):
                    self.report.refuse(row)
                else:
                    good.append(row)
            spool.add(list(self._to_write(good)))
            self.progress("check", min(self.source.tell(), total), total)

    def _to_write(self, rows: list[tuple[int, ItemRecord]]) -> Iterator[tuple[int, ItemRecord]]:
        stored = stored_of(self.project, [r.key for _, r in rows], self.with_annotations)
        self.pictures.look_up({r.image_name for _, r in rows if r.image_name})
        for line, record in rows:
            try:
                change = compare(record, stored.get(record.key), self.said)
                here = self.pictures.check(record.image_name)
            except Fault as fault:
                self.report.refuse(Refusal(self.name, line, fault.field, fault.reason))
                continue
            kind = change.kind
            if kind is Kind.SAME and self.pictures.replaces(record.image_name):
                kind = Kind.CHANGED  # the picture alone: nothing of the row is written
            self.report.count(kind)
            self.report.waiting += not here
            if change.kind is not Kind.SAME:
                yield line, record

    @transaction.atomic
    def write(self, spool: Spool) -> None:
        """Everything or nothing, but for rows that meanwhile became impossible with ``partial``."""
        self._follow(lock_project(self.project))
        self.pictures.write_rows()
        writer = ItemWriter(self.project, self.by, self.said, self.with_annotations, self.pictures)
        done = 0
        for rows in spool:
            writer.write(rows)
            done += len(rows)
            self.progress("write", done, spool.rows)
        give_pictures(self.project)
        self.report.recount(spool.rows, writer.counts)
        for line, fault in writer.faults:
            self.report.refuse(Refusal(self.name, line, fault.field, fault.reason))
        if writer.faults and not self.partial:
            raise Refused(*((f.field, f.reason) for _, f in writer.faults))
        self.note()

    def _follow(self, now: Project) -> None:
        """Go by the settings as they stand now: the rows were read under older ones."""
        if set(self.project.languages) - set(now.languages):
            raise Refused(("language", _("A language of the project went meanwhile: try again.")))
        if self.with_annotations and self.project.overlap_allowed and not now.overlap_allowed:
            reason = _("Spans of one annotation may overlap no more: try again.")
            raise Refused(("overlap_allowed", reason))
        self.project.per_item = now.per_item

    def note(self) -> None:
        """What came in, for the log: counts and the way, nothing of the rows."""
        names = ("new", "same", "changed", "refused", "pictures", "replaced")
        counts = {name: getattr(self.report, name) for name in names}
        with_annotations = self.with_annotations
        note(self.by, "import", self.project, self.format, **counts, annotations=with_annotations)


def import_items(
    by: User | None,
    project: Project,
    source: BinaryIO,
    name: str,
    format: str,
    images: PictureSource | None = None,
    with_annotations: bool = False,
    partial: bool = False,
    dry_run: bool = False,
    progress: Progress = _silent,
    max_rows: int | None = None,
) -> ImportReport:
    """Read items from a seekable file into the project; rows are matched by key.

    A refused row refuses the file unless ``partial``; with ``dry_run`` nothing is written. The
    counts of a file that was refused are 0 but for ``same`` and ``refused``. Raises `Refused` for
    an unknown format and where other work made the import impossible, `TooManyRows` beyond
    ``max_rows``.
    """
    access.check_coordinator(by, project)
    if format not in READABLE:
        known = ", ".join(READABLE)
        raise Refused(("format", _("Unknown format %r: known are %s.") % (format, known)))
    pictures = Pictures(project, images, store=not dry_run)
    run = _Import(
        by, project, source, name, format, pictures, with_annotations, partial, progress, max_rows
    )
    report = run.report
    try:
        with Spool() as spool:
            run.check(spool)
            report.pictures, report.replaced = len(pictures.found), pictures.replaced()
            refused = report.refused and not partial
            report.stopped = bool(refused and dry_run)
            if not refused and not dry_run and (spool.rows or pictures.found):
                progress("write", 0, spool.rows)
                run.write(spool)
            elif not refused and not dry_run:
                run.note()
            report.written = not refused and not dry_run
    finally:
        if not report.written:
            pictures.discard()
    report.refusals.sort(key=lambda refusal: refusal.line)
    if refused and not dry_run:
        report.new = report.changed = report.waiting = report.pictures = report.replaced = 0
    if report.written and spool.rows:
        _analyze()
    return report


def _analyze() -> None:
    """Tell PostgreSQL's planner about the new rows: stale figures make claims slow."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE " + ", ".join(f"annotation_{table}" for table in TABLES))
