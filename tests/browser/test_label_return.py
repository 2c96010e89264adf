"""Coming back: to a finished project, to an own answer, to an item that a coordinator looks at."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.actions import answers, places
from annotation.models import Annotation, Assignment, Item, Revision
from annotation.records import Answer, SpanRecord
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def finish(page) -> None:
    page.mark("white", "a")
    page.press("Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()


def test_submitting_twice_at_once_is_submitting_once(desk, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    page.saved()
    page.press("Control+Enter", "Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()
    assert Revision.objects.filter(kind="submit").count() == 1


def test_reloading_the_end_saves_nothing_and_new_items_are_offered(desk, project, annotator):
    """davidjurgens/potato#115, #140 (BR-26)."""
    page = desk(project)
    finish(page)
    before = Revision.objects.count()
    page.page.reload()
    expect(page.page.locator("#done")).to_be_visible()
    assert Revision.objects.count() == before
    factories.make_item(project, "item-2", response="Three geese.")
    page.page.reload()
    expect(page.page.locator("#response")).to_have_text("Three geese.")


def test_going_back_shows_the_submitted_answer_and_saves_nothing(desk, project, annotator):
    """davidjurgens/potato#115, #140 (BR-26)."""
    factories.make_item(project, "item-2", response="Two white geese.")
    page = desk(project)
    first = page.text
    page.mark("white", "a")
    page.press("Control+Enter")
    expect(page.page.locator("#response")).not_to_have_text(first)
    before = Revision.objects.count()
    page.page.go_back()
    expect(page.page.locator("#response")).to_have_text(first)
    expect(page.rows).to_have_count(1)
    expect(page.page.locator("#standing")).to_contain_text("submitted")
    page.page.wait_for_timeout(900)
    assert Revision.objects.count() == before


def test_a_correction_is_what_every_later_visit_shows(desk, desk_for, project, annotator):
    """HumanSignal/label-studio#1790, #1101 (BR-19)."""
    page = desk(project)
    finish(page)
    place = Assignment.objects.get(annotator__user=annotator)
    page.open(f"{place.pk}/")
    page.page.locator("#spans .go").click()
    page.press("b")
    page.saved()
    page.press("Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()
    assert page.answer(annotator)[0] == [(4, 9, "B")]
    for seen in (page, desk_for(annotator)):
        seen.open(f"{place.pk}/")
        assert seen.highlighted("1") == ["white"]
        assert seen.highlighted("0") == []
    assert Annotation.objects.get().draft is None


def test_a_coordinators_look_changes_nothing_for_the_annotator(
    desk, page_as, project, annotator, coordinator
):
    """inception-project/inception#4454 (BR-17)."""
    page = desk(project)
    page.mark("white", "a")
    page.saved()
    version = Annotation.objects.get().version
    address = reverse("item", args=[project.slug, Item.objects.get().pk])
    assert page_as(coordinator).get(address).status_code == 200
    assert Annotation.objects.get().version == version
    page.mark("sheep", "b")
    assert page.spans(annotator) == [(4, 9, "A"), (10, 15, "B")]
    expect(page.page.locator("#conflict")).to_be_hidden()


@pytest.fixture
def two_begun(project, annotator, desk_for):
    """The page of an annotator who has begun two items; ``stored()``: their states and spans."""
    for n in range(2):
        factories.make_item(project, f"item-{n}", places=1)
    held = None
    for _ in range(2):
        held = places.claim(annotator, project.slug, after=held and held.place_id)
        answers.save(annotator, held.place_id, Answer((SpanRecord(0, 3, "A"),)), 0, 0, False)
    page = desk_for(annotator)
    return page, lambda: list(Annotation.objects.order_by("pk").values_list("state", "version"))


def hold_control_enter(page) -> None:
    page.page.keyboard.down("Control")
    for _ in range(40):
        page.page.keyboard.down("Enter")
        page.page.wait_for_timeout(25)
    page.page.keyboard.up("Enter")
    page.page.keyboard.up("Control")


def click_twice(page) -> None:
    """The second click of a double click, once the next item is there."""
    first = place_of(page)
    box = page.page.locator("#submit").bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.click(*at)
    page.page.wait_for_url(re.compile(rf"/label/(?!{first}/)"))
    page.page.mouse.down(click_count=2)
    page.page.mouse.up(click_count=2)


def place_of(page) -> str:
    return page.page.url.rstrip("/").rsplit("/", 1)[1]


@pytest.mark.parametrize("twice", [hold_control_enter, click_twice])
def test_what_submits_one_item_does_not_submit_the_next_one_unseen(two_begun, twice):
    page, stored = two_begun
    first = place_of(page)
    twice(page)
    expect(page.page).not_to_have_url(re.compile(f"/{first}/$"))
    page.mark("sheep", "b")
    page.saved()
    assert stored() == [("submitted", 2), ("draft", 2)]
    page.press("Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()
    assert [state for state, _ in stored()] == ["submitted", "submitted"]


def test_a_key_that_is_held_marks_and_deletes_once_and_moves_an_edge_on(desk, project, annotator):
    page = desk(project)
    for key in ("n", "n", "n", "n"):
        page.page.keyboard.down(key)
    page.page.keyboard.up("n")
    expect(page.page.locator("#none")).to_be_checked()
    page.press("n")
    page.mark("Two", "a")
    page.mark("white", "b")
    for _ in range(3):
        page.page.keyboard.down("p")
    page.page.keyboard.up("p")
    for _ in range(3):
        page.page.keyboard.down("Delete")
    page.page.keyboard.up("Delete")
    assert page.spans(annotator) == [(0, 3, "A")]
    expect(page.notice).to_be_hidden()
    page.press("Control+z")
    assert page.spans(annotator) == [(0, 3, "A"), (4, 13, "B")]


def test_enter_that_is_held_opens_the_labels_and_deletes_one_span(desk, project, annotator):
    page = desk(project)
    page.page.locator("#response").focus()
    page.press(*["Shift+ArrowRight"] * 3)
    for _ in range(5):
        page.page.keyboard.down("Enter")
    page.page.keyboard.up("Enter")
    expect(page.page.locator("#labelbox")).to_be_visible()
    expect(page.rows).to_have_count(0)
    page.press("Escape")
    for words, key in (("Two", "a"), ("white", "b"), ("sheep", "c")):
        page.mark(words, key)
    page.page.get_by_role("button", name="Delete span 1").focus()
    for _ in range(5):
        page.page.keyboard.down("Enter")
    page.page.keyboard.up("Enter")
    expect(page.rows).to_have_count(2)
    assert page.spans(annotator) == [(4, 9, "B"), (10, 15, "C")]


def test_keys_of_a_field_that_an_extension_put_into_the_page_are_no_commands(desk, project):
    page = desk(project)
    page.page.evaluate("""() => {
        const host = document.body.appendChild(document.createElement("div"));
        const field = document.createElement("input");
        host.attachShadow({ mode: "open" }).append(field);
        field.focus();
    }""")
    page.page.keyboard.type("nagging")
    assert not page.page.locator("#guidelines").is_visible()
    expect(page.page.locator("#none")).not_to_be_checked()
