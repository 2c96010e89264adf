"""The gates of the writing pages: a brief or sample of an id, if the person may work on it."""

from __future__ import annotations

from django.db.models import Q

from annotation.access import Role, participant_for, person_in
from annotation.errors import Forbidden, Unknown
from annotation.models import Participant, Project, User
from writing.models import Brief, Sample

State = Sample.State


def writer_in(user: User, slug: str) -> Participant:
    """The writer in the project; with ``roles`` as `person_in` gives them."""
    return person_in(user, slug, Role.WRITER)


def languages(person: Participant) -> list[str]:
    return list(person.roles.get(Role.WRITER, []))


def brief_for(user: User, pk: int) -> tuple[Brief, Participant]:
    """A brief that the writer may answer: shared, free, or their own, in a language of theirs."""
    brief = Brief.objects.select_related("project", "image").filter(pk=pk).first()
    if brief is None:
        raise Unknown(str(pk))
    person = participant_for(user, brief.project, Role.WRITER)
    if brief.language not in languages(person):
        raise Unknown(str(pk))
    return brief, person


def own_sample_for(user: User, pk: int, lock: bool = False) -> tuple[Sample, Participant]:
    """A writer's own sample, or a translation that is free or theirs, in a language of theirs."""
    samples = Sample.objects.filter(pk=pk)
    if lock:
        samples = samples.select_for_update(no_key=True, of=("self",))
    sample = samples.select_related(
        "project", "brief__image", "label", "parent__label", "root", "writer"
    ).first()
    if sample is None or sample.state == State.DELETED:
        raise Unknown(str(pk))
    person = participant_for(user, sample.project, Role.WRITER)
    free = sample.origin == Sample.Origin.TRANSLATED and sample.writer_id is None
    if sample.writer_id != person.pk and not free:
        raise Unknown(str(pk))
    if free and sample.language not in languages(person):
        raise Unknown(str(pk))
    return sample, person


def sample_for(user: User, pk: int, lock: bool = False) -> Sample:
    """Any sample, for the project's coordinators and reviewers."""
    samples = Sample.objects.filter(pk=pk)
    if lock:
        samples = samples.select_for_update(no_key=True, of=("self",))
    sample = samples.select_related(
        "project", "brief__image", "label", "parent", "root", "writer__user", "item"
    ).first()
    if sample is None or sample.state == State.DELETED:
        raise Unknown(str(pk))
    participant_for(user, sample.project, Role.COORDINATOR, Role.REVIEWER)
    return sample


def picture_for(user: User, pk: int) -> Brief:
    """A brief whose picture the person may see: staff, or a writer who may answer it."""
    brief = Brief.objects.select_related("project", "image").filter(pk=pk).first()
    if brief is None or brief.image is None:
        raise Unknown(str(pk))
    try:
        participant_for(user, brief.project, Role.COORDINATOR, Role.REVIEWER)
    except Forbidden:
        person = participant_for(user, brief.project, Role.WRITER)
        mine = Q(language__in=languages(person)) | Q(samples__language__in=languages(person))
        if not Brief.objects.filter(mine, pk=pk).exists():
            raise Unknown(str(pk)) from None
    return brief


def coordinator_of(by: User | None, project: Project) -> None:
    """Refuse unless ``by`` coordinates the project; ``None`` is the command line of the machine."""
    from annotation.access import check_coordinator

    check_coordinator(by, project)
