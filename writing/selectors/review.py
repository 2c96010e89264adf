"""What a coordinator sees of the samples: balance, people, the list, one sample's history."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, Sum, When
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.models import Participant, Project
from writing.balance import Share, balance, target_shares
from writing.models import Brief, Sample, SampleRevision
from writing.selectors.balance import GONE, counts, policy_of, writable
from writing.selectors.families import seen_and_held, seen_by, source_now
from writing.visible import is_blank

State = Sample.State
DAYS_SHOWN = 7


@dataclass(frozen=True)
class Language:
    """A language's balance; ``other`` counts samples without a label that is written now.

    ``writers`` are ``{"person", "labels": [n of each share], "other", "total"}``, by name.
    """

    code: str
    shares: Sequence[Share]
    other: int
    planned: int
    writers: Sequence[dict[str, Any]]

    @property
    def labelled(self) -> int:
        """What the writers' own pages count."""
        return sum(share.count for share in self.shares)

    @property
    def total(self) -> int:
        return self.labelled + self.other


def people(pks: set[int | None]) -> dict[int | None, Participant]:
    known = [pk for pk in pks if pk is not None]
    found = Participant.objects.select_related("user").filter(pk__in=known)
    return {person.pk: person for person in found}


def balance_of(project: Project) -> list[Language]:
    """Samples by language, label and writer beside their targets; the samples in one query."""
    labels = [label.code for label in writable(project)]
    wanted = target_shares(labels, policy_of(project).targets)
    plans = dict(
        Brief.objects.filter(project=project)
        .order_by()
        .values_list("language")
        .annotate(n=Count("pk"))
    )
    cells: dict[str, Counter[tuple[int | None, str | None]]] = defaultdict(Counter)
    labelled: Counter[str] = Counter()
    for language, code, writer, n in counts(project):
        cells[language][writer, code if code in labels else None] += n
        labelled[language] += n if code is not None else 0
    names = people({writer for counter in cells.values() for writer, _ in counter})
    codes = list(dict.fromkeys([*project.languages, *cells]))
    found = []
    for code in codes:
        counter = cells[code]
        sums: Counter[str | None] = Counter()
        for (_writer, label), n in counter.items():
            sums[label] += n
        known = {label: sums[label] for label in labels}
        planned = max(plans.get(code, 0), labelled[code])
        rows = balance(known, wanted, planned)
        found.append(Language(code, rows, sums[None], planned, _writers(counter, labels, names)))
    return found


def _writers(
    counter: Counter[tuple[int | None, str | None]],
    labels: Sequence[str],
    names: dict[int | None, Participant],
) -> list[dict[str, Any]]:
    writers = {writer for writer, _ in counter if writer in names}
    rows = [
        {
            "person": names[writer],
            "labels": [counter[writer, label] for label in labels],
            "other": counter[writer, None],
            "total": sum(n for (who, _), n in counter.items() if who == writer),
        }
        for writer in writers
    ]
    return sorted(rows, key=lambda row: str(row["person"]))


@dataclass
class Work:
    """A writer's work: samples and translations sent by day, and characters by how they came."""

    person: Participant
    days: Counter[date] = field(default_factory=Counter)
    written: int = 0
    translated: int = 0
    typed: int = 0
    pasted: int = 0

    @property
    def per_day(self) -> float | None:
        """Sent on a day with work; None where nothing was sent."""
        return sum(self.days.values()) / len(self.days) if self.days else None

    @property
    def pasted_share(self) -> float | None:
        return pasted_share(self.typed, self.pasted)


def pasted_share(typed: int, pasted: int) -> float | None:
    """The share of the characters that were pasted; None where none came in on the page."""
    return pasted / (typed + pasted) if typed + pasted else None


def work_of(project: Project) -> list[Work]:
    """Each writer's work, by name; three queries."""
    alive = Sample.objects.filter(project=project, writer__isnull=False).exclude(state__in=GONE)
    sums = list(
        alive.order_by()
        .values_list("writer")
        .annotate(
            written=Count("pk", filter=Q(parent=None)),
            translated=Count("pk", filter=Q(parent__isnull=False)),
            typed_all=Sum("typed"),
            pasted_all=Sum("pasted"),
        )
    )
    names = people({row[0] for row in sums})
    found = {row[0]: Work(names[row[0]], Counter(), *row[1:]) for row in sums}
    days = alive.filter(submitted_at__isnull=False).order_by()
    for writer, day, n in days.values_list("writer", TruncDate("submitted_at")).annotate(
        n=Count("pk")
    ):
        found[writer].days[day] += n
    return sorted(found.values(), key=lambda work: str(work.person))


def last_days() -> list[date]:
    """The last `DAYS_SHOWN` days in UTC, today last."""
    today = timezone.now().date()
    return [today - timedelta(days=n) for n in range(DAYS_SHOWN - 1, -1, -1)]


def states(project: Project) -> dict[str, int]:
    """State -> how many samples and translations are in it; those that are gone left out."""
    alive = Sample.objects.filter(project=project).exclude(state__in=GONE)
    return dict(alive.order_by().values_list("state").annotate(n=Count("pk")))


FILTERS = ("state", "language", "label", "writer", "origin")


def find_samples(project: Project, asked: dict[str, str]) -> QuerySet[Sample]:
    """Samples by the values of `FILTERS`: those to be reviewed first, the oldest of them on top."""
    samples = Sample.objects.filter(project=project).exclude(state=State.DELETED)
    if asked["state"] in State.values:
        samples = samples.filter(state=asked["state"])
    else:
        samples = samples.exclude(state__in=GONE)
    if asked["language"]:
        samples = samples.filter(language=asked["language"])
    if asked["label"]:
        samples = samples.filter(label__code=asked["label"])
    if asked["writer"].isascii() and asked["writer"].isdigit() and len(asked["writer"]) < 19:
        samples = samples.filter(writer=int(asked["writer"]))
    if asked["origin"] in Sample.Origin.values:
        samples = samples.filter(origin=asked["origin"])
    waiting = Case(When(state=State.SUBMITTED, then=F("submitted_at")))
    return samples.select_related("brief", "label", "writer__user").order_by(
        waiting.asc(nulls_last=True), "-saved_at", "-pk"
    )


def chosen_samples(project: Project, pks: list[int]) -> QuerySet[Sample]:
    """Samples of the project with these ids, in the order in which they were begun."""
    found = Sample.objects.filter(project=project, pk__in=pks).exclude(state=State.DELETED)
    return found.select_related("label").order_by("pk")


def ready_for(decision: str, sample: Sample) -> bool:
    """Whether the sample is in the state that the decision, ``accept`` or ``publish``, is for."""
    if decision == "accept":
        return sample.state == State.SUBMITTED
    return sample.state == State.ACCEPTED and is_blank(sample.untranslatable)


def next_to_review(sample: Sample) -> Sample | None:
    """The sample that waits longest for its review, but for this one."""
    waiting = Sample.objects.filter(project=sample.project, state=State.SUBMITTED)
    return waiting.exclude(pk=sample.pk).order_by("submitted_at", "pk").first()


@dataclass(frozen=True)
class Past:
    """A revision, and how many saves it stands for: those in a row are shown as their last."""

    revision: SampleRevision
    saves: int


def history(sample: Sample) -> list[Past]:
    """What happened to the sample, the oldest first; two queries, however often it was saved."""
    kept: list[tuple[int, int]] = []
    before = ""
    for pk, kind in sample.revisions.order_by("pk").values_list("pk", "kind"):
        if kind == before == "save":
            kept[-1] = (pk, kept[-1][1] + 1)
        else:
            kept.append((pk, int(kind == "save")))
        before = kind
    rows = SampleRevision.objects.select_related("who").in_bulk([pk for pk, _ in kept])
    return [Past(rows[pk], saves) for pk, saves in kept]


def relatives(sample: Sample) -> dict[str, Any]:
    """What was made of the sample, and of the whole family who has seen the error.

    ``{"translations", "newer", "source", "withheld", "places"}``: ``source`` is the newer version
    that a stale translation does not rest on, ``places`` those that the withheld have nevertheless.
    """
    alive = Sample.objects.exclude(state__in=GONE)
    return {
        "translations": alive.filter(family=sample.head, parent__isnull=False)
        .exclude(pk=sample.pk)
        .select_related("writer__user")
        .order_by("language", "pk"),
        "newer": alive.filter(replaces=sample).first(),
        "source": source_now(sample) if sample.stale else None,
        "withheld": seen_by(sample).select_related("user"),
        "places": seen_and_held(sample),
    }


def writers_of(project: Project) -> QuerySet[Participant]:
    """Writers of the project and whoever wrote a sample in it."""
    wrote = Q(samples__project=project) | Q(memberships__role="writer")
    return (
        Participant.objects.filter(wrote, project=project)
        .select_related("user")
        .order_by("user__username", "pk")
        .distinct()
    )


def able_writers(sample: Sample) -> list[Participant]:
    """Writers of the sample's language but the one who has it."""
    found = Participant.objects.filter(project=sample.project_id, memberships__role="writer")
    found = found.exclude(pk=sample.writer_id or 0).select_related("user")
    named = found.annotate(held=F("memberships__languages")).order_by("user__username", "pk")
    return [one for one in named if not one.held or sample.language in one.held]
