"""Answers that stayed in the browser are sent behind the place on screen, or named; who may not
save any more is told so; the comment is in sight on a phone."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from annotation.actions import answers, places
from annotation.models import Annotation, Membership, Revision
from annotation.records import Answer, SpanRecord
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
KEPT = "Object.keys(localStorage).filter((key) => key.startsWith('sheepfold:')).length"

# The window ends where the comment ends; a part of the comment is above the bar, to be tapped.
UNDER_THE_BAR = """() => {
  const comment = document.getElementById('comment');
  comment.style.height = '150px';
  scrollBy(0, comment.getBoundingClientRect().bottom - innerHeight);
}"""


@pytest.fixture
def left(desk_for, project, annotator):
    """``left()``: the annotator's page was closed with an unsent answer; (page, place, other)."""

    def leave(submit: bool = False):
        for n in range(2):
            factories.make_item(project, f"item-{n}", question=f"What is there, {n}?")
        page = desk_for(annotator)
        page.page.wait_for_load_state("networkidle")  # the next place is claimed ahead
        place = int(page.page.url.rstrip("/").split("/")[-1])
        page.page.context.set_offline(True)
        page.mark("white", "a")
        if submit:
            page.press("Control+Enter")
        page.page.wait_for_timeout(50)
        context = page.page.context
        page.page.close()
        context.set_offline(False)
        page.page = context.new_page()
        other = Annotation.objects.exclude(place_id=place).get(annotator__user=annotator).place_id
        return page, place, other

    return leave


def nothing_is_kept(page) -> None:
    for _try in range(50):
        if page.page.evaluate(KEPT) == 0:
            return
        page.page.wait_for_timeout(100)
    raise AssertionError("an answer is still in the browser only")


def spans(place: int) -> list[tuple[int, int, str]]:
    held = Annotation.objects.get(place_id=place)
    return list(held.spans.values_list("start", "end", "label__code"))


def test_an_answer_that_was_not_sent_is_sent_while_another_place_is_open(left):
    page, place, other = left()
    page.open(f"{other}/")
    nothing_is_kept(page)
    assert spans(place) == [(4, 9, "A")] and spans(other) == []
    expect(page.page.locator("#unsent")).to_be_empty()
    assert page.page.url.endswith(f"/{other}/")


def test_a_submission_that_was_not_sent_arrives_as_one(left):
    page, place, other = left(submit=True)
    page.open(f"{other}/")
    nothing_is_kept(page)
    assert Annotation.objects.get(place_id=place).state == "submitted"
    expect(page.page.locator("#progress-words")).to_contain_text("1 done")


def test_an_answer_that_was_changed_elsewhere_stays_here_and_its_item_is_named(left, annotator):
    page, place, other = left()
    answers.save(annotator, place, Answer((SpanRecord(10, 15, "B"),)), 0, 0, False)
    question = Annotation.objects.get(place_id=place).item.question
    page.open(f"{other}/")
    expect(page.page.locator("#unsent")).to_contain_text("needs a look")
    assert spans(place) == [(10, 15, "B")] and page.page.evaluate(KEPT) == 1
    page.page.get_by_role("link", name=question).click()
    expect(page.page.locator("#conflict")).to_be_visible()
    page.page.locator("#take-mine").click()
    nothing_is_kept(page)
    assert spans(place) == [(4, 9, "A")]
    expect(page.page.locator("#unsent")).to_be_empty()


def test_a_refused_answer_stays_here_is_asked_for_once_and_its_item_is_named(left, project):
    page, place, other = left()
    project.labels.filter(code="A").update(archived=True)
    asked: list[str] = []
    page.page.on("request", lambda one: one.method == "PUT" and asked.append(one.url))
    page.open(f"{other}/")
    expect(page.page.locator("#unsent")).to_contain_text("needs a look")
    page.page.evaluate("dispatchEvent(new Event('focus'))")
    page.page.wait_for_timeout(500)
    assert len(asked) == 1 and page.page.evaluate(KEPT) == 1
    assert spans(place) == []


def test_of_several_answers_the_oldest_goes_first(desk_for, project, annotator):
    for n in range(3):
        factories.make_item(project, f"item-{n}")
    first = places.claim(annotator, project.slug)
    answers.save(annotator, first.place_id, Answer((), "", True), 0, 0, True)
    second = places.claim(annotator, project.slug)
    shown = places.claim(annotator, project.slug, after=second.place_id)
    page = desk_for(annotator, f"{shown.place_id}/")
    spans = [{"start": 0, "end": 3, "label": "A"}]
    answer = {"spans": spans, "comment": "", "no_hallucination": False}
    for place, version, at in ((first.place_id, 1, 200), (second.place_id, 0, 100)):
        record = {"version": version, "answer": answer, "submit": False, "at": at}
        page.page.evaluate(
            "([key, value]) => localStorage.setItem(key, value)",
            [f"sheepfold:{annotator.pk}:{place}", json.dumps(record)],
        )
    before = Revision.objects.count()
    page.page.evaluate("dispatchEvent(new Event('online'))")
    nothing_is_kept(page)
    sent = Revision.objects.order_by("id").values_list("annotation__place_id", flat=True)[before:]
    assert list(sent) == [second.place_id, first.place_id]


def test_an_answer_of_another_project_is_sent_behind_this_ones_item(left, live_server, annotator):
    """Under this project's name and labels it would be judged by the wrong rules."""
    page, place, _ = left()
    other = factories.make_project("other", languages=("en",))
    factories.join(other, annotator.username, "annotator")
    factories.make_item(other, "elsewhere", response="Three geese.")
    page.page.goto(f"{live_server.url}/p/other/label/")
    expect(page.page.locator("#response")).to_have_text("Three geese.")
    nothing_is_kept(page)
    assert len(spans(place)) == 1


def test_an_answer_waits_for_the_login_and_goes_with_the_next_sign_of_life(left):
    page, place, other = left()
    reply = {"status": 401, "content_type": "application/json", "body": '{"errors": []}'}
    page.page.route(
        "**/api/v1/assignments/*/",
        lambda route: (
            route.fulfill(**reply) if route.request.method == "PUT" else route.continue_()
        ),
    )
    page.open(f"{other}/")
    page.page.wait_for_timeout(400)
    assert page.page.evaluate(KEPT) == 1 and spans(place) == []
    expect(page.page.locator("#unsent")).to_be_empty()
    page.page.unroute("**/api/v1/assignments/*/")
    page.page.evaluate("dispatchEvent(new Event('focus'))")
    nothing_is_kept(page)
    assert spans(place) == [(4, 9, "A")]


def test_another_tab_that_has_the_place_on_screen_sends_its_answer_itself(left, desk_for):
    page, place, other = left()
    page.open(f"{place}/")
    for _ in range(100):  # by this page, or by the one before in the background
        if spans(place):
            break
        page.page.wait_for_timeout(100)
    page.page.route("**/api/v1/assignments/**", lambda route: route.abort())
    page.mark("sheep", "b")
    expect(page.state).to_have_attribute("data-state", "offline")
    tab = page.page.context.new_page()
    tab.goto(page.address + f"{other}/")
    tab.wait_for_selector("html[data-ready='1']")
    tab.wait_for_timeout(600)
    assert spans(place) == [(4, 9, "A")]
    page.page.unroute("**/api/v1/assignments/**")
    expect(page.state).to_have_attribute("data-state", "saved", timeout=20_000)
    assert spans(place) == [(4, 9, "A"), (10, 15, "B")]
    expect(page.page.locator("#conflict")).to_be_hidden()


def lose_the_role(page, annotator) -> None:
    Membership.objects.filter(participant__user=annotator).delete()


def meet_a_wall(page, annotator) -> None:
    answer = {"status": 403, "content_type": "application/json", "body": '{"errors": []}'}
    page.page.route("**/api/v1/assignments/**", lambda route: route.fulfill(**answer))


@pytest.mark.parametrize("refuse", [lose_the_role, meet_a_wall])
def test_who_may_not_save_any_more_is_told_so_once_and_keeps_the_work(
    desk, project, annotator, refuse
):
    page = desk(project)
    refuse(page, annotator)
    asked: list[str] = []
    page.page.on("request", lambda one: one.method == "PUT" and asked.append(one.url))
    page.mark("white", "a")
    expect(page.state).to_have_attribute("data-state", "forbidden")
    expect(page.state).to_have_text("Not saved")
    for words in ("may not save here any more", "kept in this browser", "coordinator"):
        expect(page.notice).to_contain_text(words)
    page.page.wait_for_timeout(1500)
    assert len(asked) == 1
    expect(page.notice).to_be_visible()
    assert page.page.evaluate(KEPT) == 1 and Revision.objects.count() == 0


def test_who_gets_the_role_back_saves_on_coming_back_to_the_page(desk, project, annotator):
    page = desk(project)
    lose_the_role(page, annotator)
    page.mark("white", "a")
    expect(page.state).to_have_attribute("data-state", "forbidden")
    person = project.participants.get(user=annotator)
    Membership.objects.create(participant=person, role="annotator")
    page.page.evaluate("dispatchEvent(new Event('focus'))")
    assert page.spans(annotator) == [(4, 9, "A")]
    expect(page.notice).to_be_hidden()


@pytest.mark.parametrize("way", ["key", "tab", "tap"])
def test_on_a_phone_the_comment_stands_above_the_bar(desk_for, project, annotator, way):
    factories.make_item(project, response="Two white sheep stand by a gate. " * 12)
    size = {"width": 390, "height": 664}
    page = desk_for(annotator, viewport=size, has_touch=True, is_mobile=True)
    comment = page.page.locator("#comment")
    page.page.evaluate(UNDER_THE_BAR)
    if way == "key":
        page.press("/")
    elif way == "tab":
        page.page.locator("#none").focus()
        page.press("Tab")
    else:
        box = comment.bounding_box()
        page.page.touchscreen.tap(box["x"] + 20, box["y"] + 4)
    expect(comment).to_be_focused()
    page.page.wait_for_timeout(100)
    box, bar = comment.bounding_box(), page.page.locator("#bar").bounding_box()
    assert box["y"] + box["height"] <= bar["y"]
    assert (
        page.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).id",
            [box["x"] + box["width"] / 2, box["y"] + box["height"] - 4],
        )
        == "comment"
    )


def test_who_gets_no_next_item_for_want_of_a_role_is_not_told_to_try_again(
    desk, project, annotator
):
    page = desk(project)
    page.page.wait_for_load_state("networkidle")
    answer = {"status": 403, "content_type": "application/json", "body": '{"errors": []}'}
    page.page.route("**/claim/", lambda route: route.fulfill(**answer))
    page.mark("white", "a")
    page.press("Control+Enter")
    expect(page.notice).to_contain_text("no more items here")
    expect(page.notice).not_to_contain_text("try again")
    assert page.answer(annotator)[3] == "submitted"
