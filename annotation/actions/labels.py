"""Changing a project's labels. A label that answers use is archived, never deleted."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import PROTECT, ForeignObjectRel, Max
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.audit import note
from annotation.actions.locks import lock_project
from annotation.actions.recode_items import recode_items
from annotation.actions.recoding import code_changed
from annotation.actions.seen import changed_by_person
from annotation.actions.settings import problems_from
from annotation.errors import Problem, Refused, Unknown
from annotation.models import Annotation, Label, Project, User


@transaction.atomic
def add_label(by: User | None, project: Project, **values: Any) -> Label:
    """Add a label at the end of its facet."""
    access.check_coordinator(by, lock_project(project))
    facet = values.get("facet", Label.Facet.LABEL)
    last = project.labels.filter(facet=facet).aggregate(last=Max("position"))["last"]
    label = _saved(Label(project=project, position=0 if last is None else last + 1, **values))
    note(by, "label.added", project, label.code, facet=label.facet)
    return label


@transaction.atomic
def change_label(by: User | None, label: Label, seen: str = "", **values: Any) -> Label:
    """Change a label; the code of one in use stays, since it stands in exports.

    With ``seen``, what a form showed (`seen_of`), only that which differs from it: raises
    `Overtaken` where somebody else changed the same meanwhile.

    Where items were imported with the code as the error that is meant to be in them, it changes
    there too.
    """
    _lock(by, label)
    values = changed_by_person(label, values, seen)
    if values.get("code", label.code) != label.code and is_used(label):
        raise Refused(("code", _("This label is in use: its code cannot change.")))
    before, changed = label.code, sorted(n for n in values if getattr(label, n) != values[n])
    for name, value in values.items():
        setattr(label, name, value)
    _saved(label)
    detail: dict[str, Any] = {"facet": label.facet, "fields": changed}
    if label.code != before:
        code_changed(label, before, label.code)
        detail["items"] = recode_items(label, before)
    note(by, "label.changed", label.project, before, **detail)
    return label


def _lock(by: User | None, label: Label) -> None:
    """Lock the project and read the label as it stands now; `Unknown` if it is gone."""
    access.check_coordinator(by, lock_project(label.project))
    try:
        label.refresh_from_db()
    except Label.DoesNotExist:
        raise Unknown(label.code) from None


def _saved(label: Label) -> Label:
    problems = _taken(label)
    try:
        label.full_clean(validate_constraints=False)
    except ValidationError as error:
        problems += problems_from(error)
    if problems:
        raise Refused(*problems)
    label.save()
    return label


def _taken(label: Label) -> list[Problem]:
    """What another label of the facet has already, in words; the project is locked."""
    others = label.project.labels.filter(facet=label.facet).exclude(pk=label.pk)
    problems = []
    same_code = others.filter(code=label.code).first()
    if same_code is not None:
        text = _("There is a label %(code)s already: choose another code.")
        if same_code.archived:
            text = _("There is an archived label %(code)s: restore it, or choose another code.")
        problems.append(Problem("code", text % {"code": label.code}))
    # On the labelling page a key is the same with Shift and with Caps Lock.
    keyed = others.filter(archived=False) if label.key and not label.archived else ()
    with_key = next((one for one in keyed if one.key.lower() == label.key.lower()), None)
    if with_key is not None:
        text = _("Key %(key)s belongs to label %(label)s: choose another.")
        problems.append(Problem("key", text % {"key": label.key, "label": with_key.code}))
    return problems


def is_used(label: Label) -> bool:
    """Whether anything has the label: a span, one of a correction that is not sent, a sample."""
    for relation in Label._meta.get_fields(
        include_hidden=True
    ):  # of spans' sublabels, without name
        if not isinstance(relation, ForeignObjectRel) or relation.on_delete is not PROTECT:
            continue
        held: Any = relation.related_model
        if held.objects.filter(**{relation.field.name: label}).exists():
            return True
    field = "label" if label.facet == Label.Facet.LABEL else "sublabel"
    drafts: Any = Annotation.objects.filter(item__project=label.project_id, draft__isnull=False)
    return any(
        span.get(field) == label.code
        for draft in drafts.values_list("draft", flat=True)
        for span in draft.get("spans", ())
    )


@transaction.atomic
def remove_label(by: User | None, label: Label) -> bool:
    """Delete a label that nothing uses; archive one that is in use. True when it was deleted."""
    _lock(by, label)
    if not is_used(label):
        label.delete()
        code_changed(label, label.code, None)
        note(by, "label.removed", label.project, label.code, facet=label.facet)
        return True
    note(by, "label.archived", label.project, label.code, facet=label.facet)
    label.archived = True
    label.save(update_fields=["archived"])
    return False


@transaction.atomic
def restore_label(by: User | None, label: Label) -> None:
    """Offer an archived label again."""
    _lock(by, label)
    label.archived = False
    _saved(label)
    note(by, "label.restored", label.project, label.code, facet=label.facet)


@transaction.atomic
def move_label(by: User | None, label: Label, up: bool) -> None:
    """Exchange the label with its neighbour in the order."""
    _lock(by, label)
    labels = list(label.project.labels.filter(facet=label.facet))
    i = next(i for i, other in enumerate(labels) if other.pk == label.pk)
    j = i - 1 if up else i + 1
    if 0 <= j < len(labels):
        labels[i], labels[j] = labels[j], labels[i]
    for position, other in enumerate(labels):
        other.position = position
    Label.objects.bulk_update(labels, ["position"])
    note(by, "label.moved", label.project, label.code, facet=label.facet, up=up)
