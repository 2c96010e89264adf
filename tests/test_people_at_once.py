"""Two people at the same moment: one link, one name, the last two coordinators."""

from __future__ import annotations

import pytest

from annotation.actions import invitations, people
from annotation.errors import Forbidden, Refused, Unknown
from annotation.models import Invitation, Membership, Participant, User
from tests import factories
from tests.test_claims_at_once import in_threads

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORDS = [f"hay-in-the-barn-{n}" for n in range(4)]


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


def test_coordinators_who_remove_each_other_at_once_leave_one():
    project = factories.make_project()
    users = [factories.join(project, f"coordinator-{n}", "coordinator") for n in range(2)]
    persons = [project.participants.get(user=user) for user in users]
    told = in_threads(
        refused(lambda n: people.remove_member(users[n], persons[1 - n])), range(len(users))
    )
    assert told.count(True) == 1
    assert Membership.objects.filter(role="coordinator").count() == 1
