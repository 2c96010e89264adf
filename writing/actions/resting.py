"""What the writing rests on in the other app: the pictures of briefs, the codes of labels."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from annotation.models import Label, Project
from writing.models import Brief, Policy, Sample


def pictures_written_about(pictures: Collection[int], lock: bool) -> dict[int, str]:
    """Those of the pictures that stand under a brief with a sample, each with the reason.

    With ``lock`` whoever begins a brief at the same moment is seen here or sees the new picture.
    """
    if lock:
        briefs = Brief.objects.filter(image__in=pictures).order_by("pk")
        list(briefs.select_for_update(no_key=True).values_list("pk"))
    begun = Sample.objects.filter(brief__image__in=pictures).order_by()
    reason = _("people have written about it")
    return dict.fromkeys(begun.values_list("brief__image", flat=True).distinct(), reason)


def keep_share(label: Label, before: str, after: str | None) -> None:
    """Let the target share of a label go with its code, or go when the label is deleted."""
    if label.facet != Label.Facet.LABEL:
        return
    Project.objects.select_for_update(no_key=True).get(pk=label.project_id)
    policy = Policy.objects.filter(project=label.project_id).first()
    if policy is None or before not in policy.targets:
        return
    policy.targets = {
        (after if code == before else code): share
        for code, share in policy.targets.items()
        if code != before or after is not None
    }
    policy.save(update_fields=["targets"])
