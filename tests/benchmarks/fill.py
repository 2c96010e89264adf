"""Projects for the benchmarks: text items of ordinary length, people with tokens, full answers."""

from __future__ import annotations

import json
import random
from pathlib import Path

from django.utils import timezone

from annotation.api.auth import digest
from annotation.models import Annotation, ApiToken, Assignment, Project, Revision, Span
from tests import factories

WORDS = (
    "The picture shows a wide field behind a low stone wall where several white sheep stand "
    "near an old red gate while two people with a dog walk along the narrow path to the left"
).split()
CHUNK = 2000


def response(index: int) -> str:
    """About 500 characters that differ from item to item."""
    chance = random.Random(index)
    return " ".join(["The"] + [chance.choice(WORDS) for _ in range(90)]) + "."


def item_file(path: Path, count: int) -> Path:
    """A `jsonl` file of ``count`` text items."""
    with path.open("w", encoding="utf-8") as file:
        for index in range(count):
            row = {
                "key": f"item-{index:05}",
                "language": ("en", "fr")[index % 2],
                "question": f"What can be seen in picture {index}?",
                "response": response(index),
                "strategy": ("random", "map", "human")[index % 3],
                "model": f"model-{index % 9}",
            }
            file.write(json.dumps(row) + "\n")
    return path


def project(slug: str, people: int) -> tuple[Project, list[str]]:
    """A project with annotators, and their tokens."""
    made = factories.make_project(slug, ("en", "fr"))
    tokens = []
    for index in range(people):
        user = factories.join(made, f"{slug}-{index}", "annotator")
        token = f"bench-{slug}-{index}"
        ApiToken.objects.create(user=user, digest=digest(token))
        tokens.append(token)
    return made, tokens


def answer_everything(made: Project) -> None:
    """Three submitted answers with two spans each on every item."""
    people = list(made.participants.order_by("id")[:3])
    labels = dict(made.labels.values_list("code", "pk"))
    now = timezone.now()
    ids = list(made.items.order_by("id").values_list("id", flat=True))
    for at in range(0, len(ids), CHUNK):
        part = Assignment.objects.filter(item_id__in=ids[at : at + CHUNK]).order_by("id")
        places = list(part)
        for place in places:
            place.annotator, place.state = people[place.ordinal - 1], "submitted"
            place.begun = 1
        Assignment.objects.bulk_update(places, ["annotator", "state", "begun"], batch_size=400)
        answers = Annotation.objects.bulk_create(
            Annotation(
                item_id=place.item_id,
                annotator=place.annotator,
                place=place,
                state="submitted",
                version=1,
                active_ms=20_000,
                submitted_at=now,
                saved_at=now,
            )
            for place in places
        )
        _details(answers, labels)


def _marks(answer: Annotation) -> list[tuple[int, int, str]]:
    """Two spans about where others have theirs, mostly with the label that others give."""
    chance = random.Random(answer.place_id)
    usual = "ABCDE"[answer.item_id % 5]
    label = usual if chance.random() < 0.7 else chance.choice("ABCDE")
    return [
        (n * 40 + chance.randrange(8), n * 40 + 9 + chance.randrange(20), label) for n in range(2)
    ]


def _details(answers: list[Annotation], labels: dict[str, int]) -> None:
    marks = {answer.pk: _marks(answer) for answer in answers}
    Span.objects.bulk_create(
        Span(annotation=answer, ordinal=n, start=start, end=end, label_id=labels[code])
        for answer in answers
        for n, (start, end, code) in enumerate(marks[answer.pk])
    )
    rest = {"comment": "", "no_hallucination": False, "state": "submitted"}
    Revision.objects.bulk_create(
        Revision(
            annotation=answer,
            kind="submit",
            at=answer.saved_at,
            version=1,
            answer={
                "spans": [
                    {"start": start, "end": end, "label": code}
                    for start, end, code in marks[answer.pk]
                ]
            }
            | rest,
        )
        for answer in answers
    )
