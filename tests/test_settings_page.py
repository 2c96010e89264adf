"""Changing a project's settings and labels."""

from __future__ import annotations

import re

import pytest

from annotation.actions import answers, places
from annotation.actions import labels as label_actions
from annotation.actions import settings as actions
from annotation.errors import Forbidden, Refused
from annotation.models import Assignment, Label
from annotation.records import Answer, SpanRecord
from tests import factories

FORM = {
    "name": "Flock",
    "languages": "en",
    "guidelines": "Mark **little**.\r\n",
    "writer_guidelines": "",
    "per_item": "3",
    "lease_minutes": "30",
    "idle_seconds": "60",
}


def test_an_annotator_changes_nothing(project, annotator):
    with pytest.raises(Forbidden):
        actions.change_settings(annotator, project, ["en"], name="x")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("per_item", "0"),
        ("per_item", "x"),
        ("lease_minutes", "0"),
        ("idle_seconds", "1"),
        ("name", ""),
        ("languages", ""),
        ("languages", "fr"),
        ("languages", "en, ??"),
        ("languages", "en french"),
    ],
)
def test_a_wrong_setting_is_refused_and_nothing_is_saved(
    project, coordinator, page_as, field, value
):
    factories.make_item(project)
    before = project.__class__.objects.values().get()
    answer = page_as(coordinator).post(f"/p/{project.slug}/settings/", FORM | {field: value})
    assert answer.status_code == 422 and b'role="alert"' in answer.content
    assert project.__class__.objects.values().get() == before


@pytest.mark.parametrize("value", ["-1", "x", "999999999", "1.5", ""])
def test_what_is_no_number_is_told_the_range(project, coordinator, page_as, value):
    answer = page_as(coordinator).post(f"/p/{project.slug}/settings/", FORM | {"per_item": value})
    assert answer.status_code == 422
    assert "Give a whole number from 1 to 50." in answer.content.decode()


def test_settings_are_saved_with_lf(project, coordinator, page_as):
    answer = page_as(coordinator).post(f"/p/{project.slug}/settings/", FORM)
    assert answer.status_code == 302
    project.refresh_from_db()
    assert project.guidelines == "Mark **little**.\n"


def test_the_preview_shows_clean_markdown_and_saves_nothing(project, coordinator, page_as):
    """HumanSignal/label-studio PR 2273: no script comes through."""
    text = FORM | {"guidelines": "**bold** <script>x</script>", "preview": "1"}
    page = page_as(coordinator).post(f"/p/{project.slug}/settings/", text).content.decode()
    assert "<strong>bold</strong>" in page and "<script>x" not in page
    assert "**bold**" in page  # without a script the page comes anew, with all that was typed
    project.refresh_from_db()
    assert project.guidelines == ""


def test_more_people_per_item_makes_places_and_fewer_takes_only_open_ones(
    project, coordinator, annotator
):
    factories.make_item(project)
    places.claim(annotator, project.slug)
    actions.change_settings(coordinator, project, ["en"], per_item=5)
    assert Assignment.objects.count() == 5
    assert set(Assignment.objects.values_list("begun", flat=True)) == {1}
    actions.change_settings(coordinator, project, ["en"], per_item=1)
    assert Assignment.objects.count() == 1
    assert Assignment.objects.get().state == "claimed"


def test_a_label_in_use_is_archived_and_its_code_stays(project, coordinator, annotator):
    factories.make_item(project)
    place = places.claim(annotator, project.slug).place_id
    answers.save(annotator, place, Answer((SpanRecord(0, 3, "A"),)), 0, 0, True)
    used, unused = Label.objects.get(code="A"), Label.objects.get(code="B")
    with pytest.raises(Refused):
        label_actions.change_label(coordinator, used, code="Z")
    assert label_actions.remove_label(coordinator, used) is False
    assert label_actions.remove_label(coordinator, unused) is True
    assert Label.objects.get(code="A").archived
    label_actions.restore_label(coordinator, Label.objects.get(code="A"))
    assert not Label.objects.get(code="A").archived


@pytest.mark.parametrize(
    "values",
    [
        {"code": "a b", "name": "space", "key": ""},
        {"code": "", "name": "none", "key": ""},
        {"code": "F", "name": "", "key": ""},
        {"code": "F", "name": "\u202e\u200b", "key": ""},
        {"code": "F", "name": "name", "key": "\u2800"},
    ],
)
def test_a_wrong_label_is_refused_by_the_page(project, coordinator, page_as, values):
    answer = page_as(coordinator).post(
        f"/p/{project.slug}/labels/", values | {"colour": "#a84300", "facet": "label"}
    )
    assert answer.status_code == 422
    assert Label.objects.count() == 5


def test_what_another_label_has_is_refused_at_its_field_and_the_label_is_named(
    project, coordinator, page_as
):
    page, address = page_as(coordinator), f"/p/{project.slug}/labels/"
    new = {"code": "A", "name": "n", "key": "b", "colour": "#a84300", "facet": "label"}
    key = 'id="key-problem" role="alert">Key b belongs to label B: choose another.'
    shown = page.post(address, new).text
    assert key in shown and 'name="key" maxlength="1" value="b" aria-describedby="key-' in shown
    assert (
        'id="code-problem" role="alert">There is a label A already: choose another code.' in shown
    )
    first, second = project.labels.all()[:2]
    assert key in page.post(f"{address}{first.pk}/", new).text
    second.archived = True
    second.save()
    assert "archived label B: restore it" in page.post(address, new | {"code": "B", "key": ""}).text
    assert page.post(f"{address}{first.pk}/", new).status_code == 302
    said = page.post(f"{address}{second.pk}/restore/", follow=True).text
    assert "Key b belongs to label A" in said and "Constraint" not in said


@pytest.mark.parametrize("key", ["B", "Ü", "Ж"])
def test_a_key_is_the_same_with_shift_and_belongs_to_one_label(project, coordinator, page_as, key):
    """The page would give the other label: Shift and Caps Lock are no part of a key."""
    label_actions.change_label(coordinator, project.labels.get(code="B"), key=key.swapcase())
    new = {"code": "Z", "name": "n", "key": key, "colour": "#a84300", "facet": "label"}
    shown = page_as(coordinator).post(f"/p/{project.slug}/labels/", new).text
    assert f"Key {key} belongs to label B" in shown and Label.objects.count() == 5


def test_a_sublabel_that_a_span_has_is_in_use_like_a_label(
    project, coordinator, annotator, page_as
):
    fine = Label.objects.create(
        project=project, facet="sublabel", code="A1", name="fine", colour="#595959"
    )
    factories.make_item(project)
    held = places.claim(annotator, project.slug)
    marked = Answer((SpanRecord(0, 3, "A", "A1"),))
    answers.save(annotator, held.place_id, marked, 0, 0, True)
    address = f"/p/{project.slug}/labels/"
    listed = page_as(coordinator).get(address).text.split("<strong>A1</strong>")[1]
    assert "1 span" in listed and "Archive" in listed
    with pytest.raises(Refused, match="in use"):
        label_actions.change_label(coordinator, fine, code="A2")
    assert page_as(coordinator).post(f"{address}{fine.pk}/remove/").status_code == 302
    fine.refresh_from_db()
    assert fine.archived and fine.code == "A1"


def test_a_new_label_is_offered_a_colour_that_no_other_has(project, coordinator, page_as):
    page = page_as(coordinator)
    for _ in range(2):
        shown = page.get(f"/p/{project.slug}/labels/").text
        colour = re.search(r'name="colour" type="color" value="([^"]+)"', shown)[1]
        assert not project.labels.filter(colour=colour).exists()
        label_actions.add_label(coordinator, project, code=colour[1:], name="x", colour=colour)


def test_labels_are_added_moved_and_edited_by_the_page(project, coordinator, page_as):
    page = page_as(coordinator)
    new = {"code": "None", "name": "None", "key": "n", "colour": "#595959", "facet": "label"}
    assert page.post(f"/p/{project.slug}/labels/", new).status_code == 302
    made = Label.objects.get(code="None")
    page.post(f"/p/{project.slug}/labels/{made.pk}/up/")
    assert [label.code for label in project.labels.all()] == ["A", "B", "C", "D", "None", "E"]
    page.post(f"/p/{project.slug}/labels/{made.pk}/", new | {"name": "<b>bold</b>"})
    assert "<bdi>&lt;b&gt;bold" in page.get(f"/p/{project.slug}/labels/").content.decode()


def test_a_new_label_begins_writable_and_what_was_unchecked_stays_so_when_refused(
    project, coordinator, page_as
):
    page = page_as(coordinator)
    checked = 'name="writable" checked'
    assert checked in page.get(f"/p/{project.slug}/labels/").text
    wrong = {"code": "a b", "name": "x", "colour": "#a84300", "facet": "label"}
    assert checked not in page.post(f"/p/{project.slug}/labels/", wrong).text


def test_a_place_between_is_made_again_when_more_people_are_asked(project, coordinator, annotator):
    factories.make_item(project)
    Assignment.objects.filter(ordinal=2).delete()
    actions.change_settings(coordinator, project, ["en"], per_item=4)
    assert sorted(Assignment.objects.values_list("ordinal", flat=True)) == [1, 2, 3, 4]


def test_overlaps_stay_allowed_while_answers_overlap(project, coordinator, annotator):
    actions.change_settings(coordinator, project, ["en"], overlap_allowed=True)
    factories.make_item(project)
    place = places.claim(annotator, project.slug).place_id
    spans = (SpanRecord(0, 9, "A"), SpanRecord(4, 9, "B"))
    answers.save(annotator, place, Answer(spans), 0, 0, True)
    with pytest.raises(Refused, match="1 answer"):
        actions.change_settings(coordinator, project, ["en"], overlap_allowed=False)
    project.refresh_from_db()
    assert project.overlap_allowed


def test_what_was_typed_stays_on_the_page_that_refuses_it(project, coordinator, page_as):
    form = FORM | {"per_item": "x", "guidelines": "Long & careful."}
    page = page_as(coordinator).post(f"/p/{project.slug}/settings/", form)
    assert b"Long &amp; careful." in page.content
