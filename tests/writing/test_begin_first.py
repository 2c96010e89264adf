"""A free translation shows nothing before it is begun, and who had one is known ever after."""

from __future__ import annotations

import pytest

from annotation.actions import people, places
from tests import factories
from tests.writing import making
from writing.actions import holding, review, samples
from writing.actions.translations import import_translations
from writing.models import Sample

MACHINE = "Deux moutons blancs sur une colline."
BODY = {"text": "Trois moutons.", "spans": [], "question": "Quoi ?"}


@pytest.fixture
def root(writer, coordinator, brief):
    return making.accepted(writer, coordinator, brief)


@pytest.fixture
def task(project, root):
    return making.tasks_of(project, root)["fr"]


@pytest.fixture
def reader(project, other):
    """A post-editor who annotates as well."""
    factories.join(project, "other", "annotator")
    return other


def seen_by(item) -> set[str]:
    return set(item.withheld.values_list("participant__user__username", flat=True))


@pytest.mark.parametrize("machine", [MACHINE, ""])
def test_what_nobody_has_begun_is_not_read_over_http(project, root, task, reader, api_as, machine):
    if machine:
        told = {"sample": root.key, "language": "fr", "text": machine, "question": "Quoi donc ?"}
        import_translations(None, project, making.lines(told), "mt.jsonl")
    stored = Sample.objects.values().get(pk=task.pk)
    api, address = api_as(reader), f"/api/v1/samples/{task.pk}/"
    same = {"text": stored["text"], "spans": [], "question": stored["question"]}
    replies = [api.get(address), api.delete(address), api.delete(address + "?version=7")]
    for body in (
        BODY | {"version": 7},
        BODY | {"version": 7, "submit": True, "declared": True},
        same | {"version": 7},
        same | {"version": stored["version"]},
    ):
        replies.append(api.put(address, body, format="json"))
    assert [reply.status_code for reply in replies] == [404, 422, 422, *[404] * 4]
    for reply in replies:
        assert "sample" not in reply.json() and "moutons" not in reply.text
    assert Sample.objects.values().get(pk=task.pk) == stored
    review.publish(None, root.pk)
    assert seen_by(Sample.objects.get(pk=root.pk).item) == {"writer"}
    assert places.claim(reader, project.slug) is not None


def test_a_first_save_over_http_begins_and_withholds(project, root, task, reader, api_as):
    review.publish(None, root.pk)
    api, address = api_as(reader), f"/api/v1/samples/{task.pk}/"
    reply = api.put(address, BODY | {"version": task.version}, format="json")
    assert reply.status_code == 200 and api.get(address).json()["sample"]["text"] == BODY["text"]
    late = api.put(address, BODY | {"text": "Autre.", "version": 0}, format="json")
    assert late.status_code == 409 and late.json()["sample"]["text"] == BODY["text"]
    assert seen_by(Sample.objects.get(pk=root.pk).item) == {"writer", "other"}
    holding.release(reader, task.pk)
    assert api.get(address).status_code == 404
    assert places.claim(reader, project.slug) is None


@pytest.mark.parametrize("ends", ["released", "taken", "given_on", "role_lost", "removed"])
@pytest.mark.parametrize("before", [True, False])
def test_whoever_was_handed_a_text_is_asked_for_none_of_it(
    project, root, task, reader, coordinator, ends, before
):
    person = project.participants.get(user=reader)
    third = factories.join(project, "third", "writer", ("fr",))
    holding.begin(third, task.pk)
    if before:
        review.publish(coordinator, root.pk)
    holding.take_away(coordinator, task.pk, person.pk)
    if ends == "released":
        holding.release(reader, task.pk)
    elif ends == "taken":
        holding.take_away(coordinator, task.pk)
    elif ends == "given_on":
        holding.take_away(coordinator, task.pk, project.participants.get(user=third).pk)
    elif ends == "role_lost":
        people.change_roles(coordinator, person, {"annotator": []})
    else:
        people.remove_member(coordinator, person)
        people.add_member(coordinator, project, "other", "annotator", [])
    if not before:
        review.publish(coordinator, root.pk)
    assert seen_by(Sample.objects.get(pk=root.pk).item) == {"writer", "third", "other"}
    assert places.claim(reader, project.slug) is None
    if ends != "given_on":
        fourth = factories.join(project, "fourth", "writer", ("fr",))
        said = making.content(MACHINE, None, question="Quoi ?")
        now = Sample.objects.get(pk=task.pk)
        samples.submit(fourth, task.pk, said, now.version)
        review.accept(coordinator, task.pk)
        item = review.publish(coordinator, task.pk)
        assert seen_by(item) == {"writer", "third", "other", "fourth"}
