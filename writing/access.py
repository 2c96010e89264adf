"""The gates of the writing pages: a brief or sample of an id, if the person may work on it."""

from __future__ import annotations

from django.db.models import Q

from annotation.access import Role, participant_for, person_in
from annotation.errors import Forbidden, Unknown
from annotation.models import Participant, Project, User
from writing.models import Brief, Sample

State = Sample.State


def lock_person_of(user: User, **of: int) -> None:
    """Lock the person in the project of ``samples`` or ``briefs`` with that id, before the rest.

    Whoever ends a role locks the person too, so a role that is asked afterwards holds until the
    transaction ends. Where there is no such person the gates say so.
    """
    found = {f"project__{name}": pk for name, pk in of.items()}
    rows = Participant.objects.select_for_update(no_key=True, of=("self",))
    rows.filter(user=user, **found).order_by().first()


def writer_in(user: User, slug: str) -> Participant:
    """The writer in the project; with ``roles`` as `person_in` gives them."""
    return person_in(user, slug, Role.WRITER)


def languages(person: Participant) -> list[str]:
    return list(person.roles.get(Role.WRITER, []))


def _within(user: User, project: Project, pk: int, *roles: str) -> Participant:
    """The person, if they hold one of the roles; `Unknown` for all others, who learn nothing."""
    try:
        return participant_for(user, project, *roles)
    except Forbidden:
        raise Unknown(str(pk)) from None


def brief_for(user: User, pk: int) -> tuple[Brief, Participant]:
    """A brief that the writer may answer: shared, free, or their own, in a language of theirs."""
    brief = Brief.objects.select_related("project", "image").filter(pk=pk).first()
    if brief is None:
        raise Unknown(str(pk))
    person = _within(user, brief.project, pk, Role.WRITER)
    if brief.language not in languages(person):
        raise Unknown(str(pk))
    return brief, person


def _sample(pk: int, lock: bool, *related: str) -> Sample | None:
    samples = Sample.objects.filter(pk=pk)
    if lock:
        samples = samples.select_for_update(no_key=True, of=("self",))
    return samples.select_related("project", "brief__image", "label", "root", *related).first()


def own_sample_for(user: User, pk: int, lock: bool = False) -> tuple[Sample, Participant]:
    """A writer's own sample, or a translation that is free or theirs, in a language of theirs.

    With ``lock`` the person and the sample stay as they are until the transaction ends.
    """
    if lock:
        lock_person_of(user, samples=pk)
    sample = _sample(pk, lock, "parent__label", "writer")
    if sample is None or sample.state in (State.DELETED, State.TAKEN):
        raise Unknown(str(pk))
    person = _within(user, sample.project, pk, Role.WRITER)
    free = sample.origin == Sample.Origin.TRANSLATED and sample.writer_id is None
    if sample.writer_id != person.pk and not free:
        raise Unknown(str(pk))
    if free and sample.language not in languages(person):
        raise Unknown(str(pk))
    return sample, person


def begun_sample_for(user: User, pk: int) -> Sample:
    """As `own_sample_for`, but a translation that nobody has begun is `Unknown`: it shows nothing.

    Whoever reads the text and the place of its error is to be known, so it is begun first.
    """
    sample, _person = own_sample_for(user, pk)
    if sample.writer_id is None:
        raise Unknown(str(pk))
    return sample


def translates(user: User, pk: int, slug: str | None = None) -> bool:
    """Whether it is a translation of the person's or into a language of theirs, whoever has it."""
    sample = _sample(pk, False)
    if sample is None or sample.parent_id is None or sample.state == State.DELETED:
        return False
    if slug not in (None, sample.project.slug):
        return False
    try:
        person = _within(user, sample.project, pk, Role.WRITER)
    except Unknown:
        return False
    return sample.writer_id == person.pk or sample.language in languages(person)


def sample_for(user: User, pk: int, lock: bool = False) -> Sample:
    """Any sample, for the project's coordinators and reviewers."""
    sample = _sample(pk, lock, "parent", "writer__user", "item")
    if sample is None or sample.state == State.DELETED:
        raise Unknown(str(pk))
    _within(user, sample.project, pk, Role.COORDINATOR, Role.REVIEWER)
    return sample


def sample_to_take(user: User | None, pk: int) -> Sample:
    """A sample, locked, for a coordinator; ``None`` is the command line of the machine."""
    if user is not None:
        return sample_for(user, pk, lock=True)
    sample = _sample(pk, True, "parent", "writer__user", "item")
    if sample is None or sample.state == State.DELETED:
        raise Unknown(str(pk))
    return sample


def picture_for(user: User, pk: int) -> Brief:
    """A brief whose picture the person may see: staff, or a writer who may answer it."""
    brief = Brief.objects.select_related("project", "image").filter(pk=pk).first()
    if brief is None or brief.image is None:
        raise Unknown(str(pk))
    try:
        participant_for(user, brief.project, Role.COORDINATOR, Role.REVIEWER)
    except Forbidden:
        person = _within(user, brief.project, pk, Role.WRITER)
        mine = Q(language__in=languages(person)) | Q(samples__language__in=languages(person))
        if not Brief.objects.filter(mine, pk=pk).exists():
            raise Unknown(str(pk)) from None
    return brief
