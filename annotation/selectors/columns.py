"""The submitted answers of a project as columns, and what tells two states of them apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, QuerySet, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Length

from annotation.models import Annotation, Item, Label, Participant, Project, Span

FIELDS = ("language", "split", "strategy", "model", "source", "prelabel", "image_name", "author")


@dataclass(frozen=True)
class Columns:
    """Items in the order of import, answers by item, spans by answer in marking order.

    ``fields`` has one list per name of `FIELDS`; ``answers`` holds (item id, participant id) and
    ``spans`` (answer id, start, end, label id). Retired items are left out.
    """

    item_ids: list[int]
    keys: list[str]
    lengths: list[int]
    fields: dict[str, list[Any]]
    expectations: list[dict[str, Any] | None]
    metadata: list[dict[str, Any]]
    answer_ids: list[int]
    answers: list[tuple[int, int]]
    spans: list[tuple[int, int, int, int]]
    pseudonyms: dict[int, str]
    labels: dict[int, str]


def people_answers(project: Project) -> QuerySet[Annotation]:
    """The answers that count: submitted ones of people, on items that are not retired."""
    return (
        Annotation.objects.filter(
            item__project=project,
            state=Annotation.State.SUBMITTED,
            annotator__isnull=False,
        )
        .exclude(item__state=Item.State.RETIRED)
        .order_by()
    )


def answer_columns(project: Project) -> Columns:
    """Five queries whatever the size. Run it in `one_reading`."""
    ids, keys, lengths, expectations, metadata, *fields = _columns(
        Item.objects.filter(project=project)
        .exclude(state=Item.State.RETIRED)
        .order_by("pk")
        .values_list("pk", "key", Length("response"), "expectation", "metadata", *FIELDS),
        5 + len(FIELDS),
    )
    answers = list(
        people_answers(project).order_by("item_id", "pk").values_list("pk", "item_id", "annotator")
    )
    spans: Iterable[tuple[int, int, int, int]] = (
        Span.objects.filter(annotation__in=people_answers(project))
        .order_by("annotation_id", "ordinal")
        .values_list("annotation_id", "start", "end", "label_id")
    )
    labels = Label.objects.filter(project=project, facet=Label.Facet.LABEL)
    return Columns(
        item_ids=ids,
        keys=keys,
        lengths=lengths,
        fields=dict(zip(FIELDS, fields, strict=True)),
        expectations=expectations,
        metadata=metadata,
        answer_ids=[pk for pk, _item, _person in answers],
        answers=[(item, person) for _pk, item, person in answers],
        spans=list(spans),
        pseudonyms=dict(
            Participant.objects.filter(project=project)
            .order_by("pk")
            .values_list("pk", "pseudonym")
        ),
        labels=dict(labels.order_by("position", "pk").values_list("pk", "code")),
    )


def _columns(rows: Iterable[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def _mixed(key: Combinable) -> Combinable:
    """A number that looks random, of a key: small enough for sums of 64 bits."""
    rest = key % 1_000_003
    return (rest * rest * rest + key * 48_271) % 2_147_483_647


def answers_state(project: Project) -> str:
    """Two states of the project's items, submitted answers and labels have different texts.

    Every accepted write of an answer raises its version, and what changes items raises
    ``items_version``. Which answers there are is told by a sum over a mixed key: sums of plain keys
    are alike when 1 and 4 go and 2 and 3 come. Four queries.
    """
    answers = people_answers(project).aggregate(
        n=Count("pk"),
        which=Sum(_mixed(F("pk"))),
        versions=Sum("version"),
        both=Sum(_mixed(F("pk") + F("version") * 7919)),
        last=Max("submitted_at"),
    )
    items = (
        Item.objects.filter(project=project)
        .exclude(state=Item.State.RETIRED)
        .aggregate(n=Count("pk"), which=Sum(_mixed(F("pk"))))
    )
    labels = Label.objects.filter(project=project).order_by("pk")
    fixed = Project.objects.filter(pk=project.pk).values_list("items_version", flat=True).first()
    shown = list(labels.values_list("pk", "code", "name", "colour", "position"))
    return repr((fixed, *items.values(), *answers.values(), shown))
