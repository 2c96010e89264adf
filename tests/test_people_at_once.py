"""Two people at the same moment: one link, one name, the last two coordinators."""

from __future__ import annotations

import time

import pytest
from rest_framework.test import APIClient

from annotation.actions import accounts, invitations, people
from annotation.errors import Forbidden, Refused, Unknown
from annotation.models import (
    Assignment,
    Invitation,
    Membership,
    Participant,
    Revision,
    User,
)
from tests import factories
from tests.test_claims_at_once import in_threads

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORDS = [f"hay-in-the-barn-{n}" for n in range(4)]


def wait_for(condition):
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def refused(work):
    """``work``, but telling whether it was refused."""

    def tell(argument):
        try:
            work(argument)
        except (Refused, Forbidden, Unknown):
            return True
        return False

    return tell


def test_a_link_that_several_use_at_once_sets_one_password():
    project = factories.make_project()
    person, _ = people.add_member(None, project, "newcomer", "annotator", [])
    secret = people.new_password_link(None, person)
    told = in_threads(refused(lambda word: people.use_password_link(secret, word)), PASSWORDS)
    assert sorted(told) == [False, True, True, True]
    kept = PASSWORDS[told.index(False)]
    assert User.objects.get(username="newcomer").check_password(kept)


def test_an_invitation_that_several_use_at_once_lets_one_in():
    project = factories.make_project()
    secret = invitations.make_invitations(None, project, "annotator", [], 14)[0]
    names = [f"newcomer-{n}" for n in range(4)]
    told = in_threads(
        refused(lambda name: invitations.accept_as_new(secret, name, PASSWORDS[0])), names
    )
    assert sorted(told) == [False, True, True, True]
    assert [user.username for user in User.objects.all()] == [names[told.index(False)]]
    assert Invitation.objects.get().used_by == Membership.objects.get().participant


def test_a_name_that_several_add_at_once_becomes_one_account():
    project = factories.make_project()
    in_threads(
        refused(lambda _: people.add_member(None, project, "newcomer", "annotator", [])), range(4)
    )
    assert User.objects.count() == Participant.objects.count() == Membership.objects.count() == 1


def tab_of(user):
    api = APIClient(raise_request_exception=False)
    api.force_login(user)
    return api


def works_until_refused(api, slug):
    """Claims and saves as a page does; the statuses that the API answered."""
    statuses = set()
    while True:
        claimed = api.post(f"/api/v1/projects/{slug}/claim/")
        statuses.add(claimed.status_code)
        if claimed.status_code != 200:
            return statuses
        for version in range(3):
            body = {"spans": [], "comment": str(version), "version": version}
            place = f"/api/v1/assignments/{claimed.json()['id']}/"
            statuses.add(api.put(place, body, format="json").status_code)


def leave(person):
    people.remove_member(None, person)


def lose_the_role(person):
    people.change_roles(None, person, {"writer": []})


def erase(person):
    accounts.erase_account(None, person.user)


def test_whoever_leaves_or_is_erased_while_two_tabs_work_keeps_no_place_and_sees_no_error():
    project = factories.make_project()
    for n in range(8):
        factories.make_item(project, f"item-{n}")
    ends = [leave, erase, lose_the_role, erase]
    users = [factories.join(project, f"reader-{n}", "annotator") for n in range(len(ends))]

    def act(doing):
        tab, n = doing
        if tab is not None:
            return works_until_refused(tab, project.slug)
        person = Participant.objects.select_related("project", "user").get(user=users[n])
        wait_for(Revision.objects.filter(annotation__annotator=person).exists)
        ends[n](person)
        return set()

    tabs = [(tab_of(user), n) for n, user in enumerate(users) for _tab in range(2)]
    doings = tabs + [(None, n) for n in range(len(ends))]
    statuses = set().union(*in_threads(act, doings))
    assert not Assignment.objects.filter(state="claimed").exists()
    assert {200} < statuses <= {200, 401, 403, 404, 409, 410}


def test_coordinators_who_remove_each_other_at_once_leave_one():
    project = factories.make_project()
    users = [factories.join(project, f"coordinator-{n}", "coordinator") for n in range(2)]
    persons = [project.participants.get(user=user) for user in users]
    told = in_threads(
        refused(lambda n: people.remove_member(users[n], persons[1 - n])), range(len(users))
    )
    assert told.count(True) == 1
    assert Membership.objects.filter(role="coordinator").count() == 1
