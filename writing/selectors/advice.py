"""What a writer is told about a sample before sending it."""

from __future__ import annotations

from writing.checks import Draft, found
from writing.edits import Edit
from writing.models import Sample
from writing.selectors.balance import GONE, policy_of

OTHERS = 2_000  # earlier samples of the language that a text is compared with


def draft_of(sample: Sample) -> Draft:
    """The sample with what its checks need, in two queries."""
    brief = sample.brief
    policy = policy_of(sample.project)
    alike = Sample.objects.filter(project=sample.project, language=sample.language).exclude(
        state__in=GONE
    )
    others = alike.exclude(pk=sample.pk).exclude(text="").exclude(pk=sample.replaces_id or 0)
    own = others.filter(writer=sample.writer_id, parent=None, submitted_at__isnull=False)
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
        others=list(others.order_by("-pk").values_list("text", flat=True)[:OTHERS]),
        places=places[::-1],
        has_picture=bool(brief.image_id or brief.context),
        changed_share=policy.changed_share,
    )


def advice(sample: Sample) -> dict[str, str]:
    """Check -> ``warn`` or ``refuse`` for each that finds something in what is stored."""
    if not sample.text.strip():
        return {}
    return found(draft_of(sample), policy_of(sample.project).checks)
