"""What somebody does while their role, their account or a language is being taken away."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction
from django.test import Client

from annotation.actions import accounts, invitations, people, places, settings
from annotation.models import Annotation, Invitation, Membership, PasswordLink, Project, User
from tests import factories
from tests.test_people_at_once import PASSWORDS, refused, wait_for
from tests.writing import making
from writing.actions import briefs, giving, holding, samples
from writing.models import Brief, Sample

pytestmark = pytest.mark.django_db(transaction=True)
NUMBERS = {"per_item": "2", "lease_minutes": "30", "idle_seconds": "60"}


def waiting() -> int:
    """How many of this database's connections wait for a lock of another."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT COUNT(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


def meanwhile(change, works):
    """What each work answered that began after the change was made and before it was kept."""

    def one(work):
        try:
            return work()
        finally:
            connections.close_all()

    def all_wait() -> bool:
        ended = sum(answer.done() for answer in told)
        return connection.vendor != "postgresql" or ended + waiting() >= len(works)

    with ThreadPoolExecutor(max_workers=len(works)) as pool:
        with transaction.atomic():
            change()
            told = [pool.submit(one, work) for work in works]
            wait_for(all_wait)  # SQLite lets nobody begin to write meanwhile
        return [answer.result() for answer in told]


def is_refused(work, *arguments):
    return lambda: refused(lambda _: work(*arguments))(None)


def test_no_role_invitation_or_brief_names_a_language_that_goes_at_that_moment():
    project = factories.make_project(languages=("en", "de"))
    by = factories.join(project, "coordinator", "coordinator")
    factories.join(project, "reader", "annotator")
    person = project.participants.get(user__username="reader")
    changed = Project.objects.get(pk=project.pk)  # the others have read what stood before
    told = meanwhile(
        lambda: settings.change_settings(None, changed, ["en"]),
        [
            is_refused(people.change_roles, by, person, {"annotator": ["de"]}),
            is_refused(people.add_member, by, project, "newcomer", "writer", ["de"]),
            is_refused(invitations.make_invitations, by, project, "writer", ["de"], 3),
            is_refused(briefs.draw_briefs, by, project, "de", 1, 1),
        ],
    )
    assert told == [True] * 4
    assert not Invitation.objects.exists() and not User.objects.filter(username="newcomer")
    assert not any("de" in m.languages for m in Membership.objects.all())


def pages_of(user, project, item, claimed):
    """Every kind of write of a coordinator, by page, each in a browser of its own."""
    other = project.participants.get(user__username="reader").pk
    third = project.participants.get(user__username="third").pk
    label = project.labels.order_by("pk").first().pk
    sent = {
        "members/": {"username": "friend", "role": "annotator"},
        f"members/{other}/": {"roles": ["annotator"]},
        f"members/{other}/link/": {},
        f"members/{other}/remove/": {},
        "invitations/": {"role": "annotator", "days": "3"},
        "settings/": NUMBERS | {"name": "Other", "languages": "en"},
        f"labels/{label}/down/": {},
        f"items/{item.pk}/retire/": {},
        f"places/{claimed}/release/": {},
        f"people/{third}/withdraw/": {},
        "briefs/": {"do": "draw", "language": "en", "count": "1", "seed": "1"},
    }

    def post(path):
        browser = Client(raise_request_exception=False)
        browser.force_login(user)
        return lambda: browser.post(f"/p/{project.slug}/{path}", sent[path])

    return [post(path) for path in sent]


@pytest.mark.parametrize("end", ["erased", "removed"])
def test_a_coordinator_who_goes_at_the_moment_of_a_write_gets_a_clean_answer(end):
    project = factories.make_project()
    user = factories.join(project, "coordinator", "coordinator")
    factories.join(project, "next", "coordinator")
    reader = factories.join(project, "reader", "annotator")
    item = factories.make_item(project)
    factories.make_item(project, "item-2")
    places.claim(factories.join(project, "third", "annotator"), project.slug)
    claimed = places.claim(reader, project.slug).place_id
    person = project.participants.get(user=user)
    ends = {
        "erased": lambda: accounts.erase_account(None, user),
        "removed": lambda: people.remove_member(None, person),
    }
    told = meanwhile(ends[end], pages_of(user, project, item, claimed))
    said = {reply.request["PATH_INFO"]: reply.status_code for reply in told}
    assert set(said.values()) <= {302, 404}, said
    assert not PasswordLink.objects.exists() and not Invitation.objects.exists()
    assert not User.objects.filter(username="friend").exists()
    assert User.objects.filter(pk=user.pk).exists() == (end == "removed")


def test_an_erasure_waits_for_what_its_coordinator_is_writing_and_takes_the_name_off_it():
    project = factories.make_project()
    user = factories.join(project, "coordinator", "coordinator")
    factories.join(project, "next", "coordinator")
    reader = factories.join(project, "reader", "annotator")
    factories.make_item(project)
    place = places.claim(reader, project.slug).place
    person = project.participants.get(user=reader)

    def write():
        people.new_password_link(user, person)
        places.release_place(user, place)

    told = meanwhile(write, [is_refused(accounts.erase_account, None, user)])
    assert told == [False]
    assert not User.objects.filter(pk=user.pk).exists() and not PasswordLink.objects.exists()
    assert Annotation.objects.get().revisions.get().who is None


def test_whoever_is_erased_at_that_moment_gets_no_role_link_or_password():
    project = factories.make_project()
    by = factories.join(project, "coordinator", "coordinator")
    user = factories.join(project, "reader", "annotator")
    person = project.participants.get(user=user)
    secret = people.new_password_link(by, person)
    told = meanwhile(
        lambda: accounts.erase_account(None, user),
        [
            is_refused(people.new_password_link, by, person),
            is_refused(people.change_roles, by, person, {"writer": []}),
            is_refused(people.remove_member, by, person),
            is_refused(people.use_password_link, secret, PASSWORDS[0]),
            is_refused(accounts.erase_account, None, User.objects.get(pk=user.pk)),
        ],
    )
    assert told == [True] * 5
    assert not User.objects.filter(username="reader").exists()
    assert not person.memberships.exists()


def test_who_is_no_writer_any_more_at_that_moment_begins_and_saves_nothing():
    project = factories.make_project(languages=("en", "de"))
    by = factories.join(project, "coordinator", "coordinator")
    author = factories.join(project, "author", "writer")
    writer = factories.join(project, "writer", "writer")
    root = making.accepted(author, by, making.make_brief(project, "brief-0"))
    task = making.tasks_of(project, root)["de"]
    shared = making.make_brief(project, "brief-1", shared=True)
    kept = making.written(writer, shared)
    free = making.make_brief(project, "brief-2")
    person = project.participants.get(user=writer)
    told = meanwhile(
        lambda: people.change_roles(None, person, {"annotator": []}),
        [
            is_refused(samples.start, writer, free.pk),
            is_refused(holding.begin, writer, task.pk),
            is_refused(samples.save, writer, task.pk, making.content(), task.version),
            is_refused(samples.save, writer, kept.pk, making.content("Two."), kept.version),
            is_refused(samples.submit, writer, kept.pk, making.content(), kept.version),
            is_refused(giving.give_briefs, by, project, [free.pk], person.pk),
        ],
    )
    assert told == [True] * 6
    mine = Sample.objects.filter(writer=person).values_list("pk", "version", "state")
    assert list(mine) == [(kept.pk, kept.version, "draft")]
    assert not Brief.objects.filter(writer=person).exists()
