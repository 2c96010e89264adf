"""Changing a project: its settings and its labels."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.projects import checked_languages
from annotation.errors import Problem, Refused
from annotation.models import Assignment, Item, Label, Project, Span, User

CHANGEABLE = (
    "name",
    "guidelines",
    "writer_guidelines",
    "per_item",
    "overlap_allowed",
    "lease_minutes",
    "idle_seconds",
)


def problems_from(error: ValidationError) -> list[Problem]:
    return [
        Problem(field, message)
        for field, messages in error.message_dict.items()
        for message in messages
    ]


@transaction.atomic
def change_settings(by: User | None, project: Project, languages: list[str], **values: Any) -> None:
    """Change what stands in ``values`` (names in `CHANGEABLE`) and the languages.

    More people per item makes the missing places of every item; fewer takes open places away and
    never one that somebody holds or has filled. Raises `Refused`, and then changes nothing.
    """
    access.check_coordinator(by, project)
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    for name, value in values.items():
        if name not in CHANGEABLE:
            raise Refused((name, _("This cannot be changed.")))
        setattr(project, name, value)
    codes = checked_languages(languages)
    used = set(project.items.values_list("language", flat=True).distinct())
    gone = sorted(used - set(codes))
    if gone:
        raise Refused(("languages", _("There are items in %s: keep it.") % ", ".join(gone)))
    project.languages = codes
    try:
        project.full_clean(exclude=["slug", "seed", "pseudonym_key"])
    except ValidationError as error:
        raise Refused(*problems_from(error)) from None
    project.save()
    _fit_places(project)


def _fit_places(project: Project) -> None:
    """Give every item at least the project's number of places, and no open one beyond."""
    Assignment.objects.filter(
        project=project, state=Assignment.State.OPEN, ordinal__gt=project.per_item
    ).filter(annotations=None).delete()
    rows = (
        Item.objects.filter(project=project)
        .annotate(last=Max("places__ordinal"))
        .filter(last__lt=project.per_item)
    )
    missing = []
    for item in rows.iterator(chunk_size=1000):
        offered = item.state == "active" and not (item.image_name and item.image_id is None)
        missing += [
            Assignment(
                item=item,
                ordinal=ordinal,
                project=project,
                language=item.language,
                number=item.number,
                offered=int(offered),
            )
            for ordinal in range(item.last + 1, project.per_item + 1)
        ]
    Assignment.objects.bulk_create(missing, batch_size=1000)
    taken = Assignment.objects.filter(project=project).exclude(state="open").values("item")
    Assignment.objects.filter(project=project, begun=0, item__in=taken).update(begun=1)


@transaction.atomic
def add_label(by: User | None, project: Project, **values: Any) -> Label:
    """Add a label at the end of its facet."""
    access.check_coordinator(by, project)
    facet = values.get("facet", Label.Facet.LABEL)
    last = project.labels.filter(facet=facet).aggregate(last=Max("position"))["last"]
    label = Label(project=project, position=0 if last is None else last + 1, **values)
    return _saved(label)


@transaction.atomic
def change_label(by: User | None, label: Label, **values: Any) -> Label:
    """Change a label; the code of one that spans use stays, since it stands in exports."""
    access.check_coordinator(by, label.project)
    if values.get("code", label.code) != label.code and is_used(label):
        raise Refused(("code", _("This label is in use: its code cannot change.")))
    for name, value in values.items():
        setattr(label, name, value)
    return _saved(label)


def _saved(label: Label) -> Label:
    try:
        label.full_clean()
    except ValidationError as error:
        raise Refused(*problems_from(error)) from None
    label.save()
    return label


def is_used(label: Label) -> bool:
    return Span.objects.filter(label=label).exists() or Span.objects.filter(sublabel=label).exists()


@transaction.atomic
def remove_label(by: User | None, label: Label) -> bool:
    """Delete a label that nothing uses; archive one that is in use. True when it was deleted."""
    access.check_coordinator(by, label.project)
    if not is_used(label):
        label.delete()
        return True
    label.archived = True
    label.save(update_fields=["archived"])
    return False


@transaction.atomic
def restore_label(by: User | None, label: Label) -> None:
    """Offer an archived label again."""
    access.check_coordinator(by, label.project)
    label.archived = False
    _saved(label)


@transaction.atomic
def move_label(by: User | None, label: Label, up: bool) -> None:
    """Exchange the label with its neighbour in the order."""
    access.check_coordinator(by, label.project)
    labels = list(label.project.labels.filter(facet=label.facet))
    i = next(i for i, other in enumerate(labels) if other.pk == label.pk)
    j = i - 1 if up else i + 1
    if 0 <= j < len(labels):
        labels[i], labels[j] = labels[j], labels[i]
    for position, other in enumerate(labels):
        other.position = position
    Label.objects.bulk_update(labels, ["position"])
