"""The log of a coordinator's decisions about items, answers and places, and its words."""

from __future__ import annotations

import pytest

from annotation.actions import answers, aside, invitations, people, places, reports
from annotation.errors import Refused
from annotation.models import AuditEvent
from annotation.records import Answer
from annotation.selectors.audit import KINDS
from tests import factories


def person(user, project):
    return project.participants.get(user=user)


def test_every_decision_about_items_answers_and_places_stands_in_the_log(
    project, coordinator, annotator, second
):
    item = factories.make_item(project, places=1)
    done = places.claim(annotator, project.slug)
    answers.save(annotator, done.place_id, Answer(no_hallucination=True), 0, 0, True)
    aside.set_aside(coordinator, done)
    aside.adopt(coordinator, done)
    aside.withdraw(coordinator, person(annotator, project))
    assert aside.withdraw(coordinator, person(annotator, project)) == 0
    held = places.claim(second, project.slug)
    places.release_place(coordinator, held.place)
    reports.retire(coordinator, item)
    reports.put_back(coordinator, item)
    for again in (
        lambda: aside.set_aside(coordinator, done),
        lambda: places.release_place(coordinator, held.place),
        lambda: reports.put_back(coordinator, item),
    ):
        with pytest.raises(Refused):
            again()
    first, other = (person(user, project).pk for user in (annotator, second))
    rows = list(AuditEvent.objects.order_by("pk").values_list("kind", "target", "subject_person"))
    assert rows == [
        ("answer.set_aside", item.key, first),
        ("answer.adopted", item.key, first),
        ("work.withdrawn", "", first),
        ("place.released", item.key, other),
        ("item.retired", item.key, None),
        ("item.put_back", item.key, None),
    ]
    assert {kind for kind, _key, _person in rows} <= KINDS.keys()
    assert {event.actor for event in AuditEvent.objects.all()} == {coordinator}


def test_the_page_says_all_languages_and_what_a_number_counts(project, coordinator, page_as):
    invitations.make_invitations(coordinator, project, "annotator", [], 14)
    invitation = project.invitations.get()
    invitations.revoke_invitation(coordinator, project, invitation.pk)
    member, _made = people.add_member(coordinator, project, "one", "annotator", ["en"])
    people.change_roles(coordinator, member, {"annotator": [], "writer": ["en"]})
    shown = page_as(coordinator).get("/p/flock/log/").text
    assert "role: Annotator; languages: all; days it can be used: 14" in shown
    assert "languages: en" in shown and "roles: Annotator (all), Writer (en)" in shown
    assert f"invitation {invitation.pk}<" in shown
