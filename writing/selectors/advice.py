"""What a writer is told about a sample before sending it."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet
from django.db.models.functions import Length, Substr

from writing.checks import NEAR, OFF, Draft, found
from writing.distance import likest
from writing.edits import Edit
from writing.models import Policy, Sample
from writing.selectors.balance import GONE, policy_of

# Reads the texts of others: too much for each save of a draft, for whom waits is still typing.
COSTLY = ("near_duplicate",)
# A text is compared with the newest samples of the language.
OTHERS = 2_000
SHORT = 400  # characters up to which a text is compared whole with all of them
CHARACTERS = 2_000_000  # that are looked at of longer ones: 2,000 samples of 2,000, 200 of 20,000


def others_of(sample: Sample) -> QuerySet[Sample]:
    """Samples of the language but the sample itself and its older and newer versions."""
    alike = Sample.objects.filter(project=sample.project_id, language=sample.language)
    alike = alike.exclude(state__in=GONE).exclude(pk__in=[sample.pk, sample.head])
    return alike.exclude(family=sample.head)


def texts_like(sample: Sample) -> Iterator[str]:
    """Texts that may be near-duplicates: by their length, and long ones by their first halves."""
    size = len(sample.text)
    least, most = size * NEAR // (200 - NEAR), size * (200 - NEAR) // NEAR + 1
    found = others_of(sample).annotate(size=Length("text")).filter(size__gte=least, size__lte=most)
    newest = found.order_by("-pk")
    if size <= SHORT:
        yield from newest.values_list("text", flat=True)[:OTHERS]
        return
    half = size // 2
    keys, heads = [], []
    begun = newest.values_list("pk", Substr("text", 1, half))
    for key, head in begun[: min(OTHERS, CHARACTERS // half)]:
        keys.append(key)
        heads.append(head)
    near = [keys[at] for at in likest(sample.text[:half], heads)]
    # asked also where nothing is near, so that a save takes as many queries always
    yield from Sample.objects.filter(pk__in=[0, *near]).values_list("text", flat=True)


def draft_of(sample: Sample, policy: Policy) -> Draft:
    """The sample with what its checks need; ``others`` are read when they are asked for."""
    brief = sample.brief
    own = others_of(sample).filter(writer=sample.writer_id, parent=None)
    own = own.exclude(text="").filter(submitted_at__isnull=False)
    places = [
        spans[0]["start"] / len(text)
        for text, spans in own.order_by("-submitted_at").values_list("text", "spans")[:3]
        if spans and text and not sample.parent_id
    ]
    return Draft(
        text=sample.text,
        language=sample.language,
        label=sample.label.code if sample.label else "",
        spans=[(span["start"], span["end"]) for span in sample.spans],
        clean=sample.correct,
        edits=[Edit(e["start"], e["end"], e["hallucinated"]) for e in sample.edits],
        evidence=f"{brief.question}\n{brief.context or ''}",
        others=texts_like(sample),
        places=places[::-1],
        has_picture=bool(brief.image_id or brief.context),
        changed_share=policy.changed_share,
    )


def advice(sample: Sample, *, quick: bool = False) -> dict[str, str]:
    """Check -> ``warn`` or ``refuse`` for each that finds something in what is stored.

    ``quick`` leaves out the `COSTLY` ones.
    """
    if not sample.text.strip():
        return {}
    policy = policy_of(sample.project)
    levels = policy.checks | (dict.fromkeys(COSTLY, OFF) if quick else {})
    return found(draft_of(sample, policy), levels)
