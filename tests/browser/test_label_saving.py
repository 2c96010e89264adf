"""What was marked is never lost, never saved for somebody else, and never silently overwritten."""

from __future__ import annotations

import json

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotation.actions import answers, places
from annotation.models import Annotation, Assignment, Revision
from annotation.records import Answer, SpanRecord
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_change_is_saved_within_a_second_and_there_after_a_reload(desk, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    page.page.wait_for_timeout(1000)
    expect(page.state).to_have_text("Saved")
    assert page.answer(annotator)[0] == [(4, 9, "A")]
    page.page.reload()
    page.ready()
    assert page.highlighted("0") == ["white"]
    expect(page.rows).to_have_count(1)


def test_opening_the_page_writes_one_claim_and_no_answer(desk, project, annotator):
    page = desk(project)
    page.page.reload()
    page.ready()
    assert Annotation.objects.get().version == 0
    assert Revision.objects.count() == 0
    assert Assignment.objects.filter(state="claimed").count() == 1


def test_a_second_browser_shows_what_the_first_saved(desk, desk_for, project, annotator):
    page = desk(project)
    page.mark("white", "a")
    page.saved()
    other = desk_for(annotator)
    assert other.highlighted("0") == ["white"]


def test_two_tabs_leave_the_choice_of_both_versions(desk, desk_for, project, annotator):
    page = desk(project)
    other = desk_for(annotator)
    page.mark("white", "a")
    page.saved()
    other.mark("sheep", "b")
    expect(other.page.locator("#conflict")).to_be_visible()
    expect(other.page.locator("#conflict-mine")).to_contain_text("sheep")
    expect(other.page.locator("#conflict-theirs")).to_contain_text("white")
    assert other.answer(annotator)[0] == [(4, 9, "A")]
    other.page.locator("#take-theirs").click()
    expect(other.rows).to_have_count(1)
    assert other.highlighted("0") == ["white"]
    other.press("Control+z")
    assert other.spans(annotator) == [(10, 15, "B")]
    page.press("Delete")
    expect(page.page.locator("#conflict")).to_be_visible()
    page.page.locator("#take-mine").click()
    assert page.spans(annotator) == []


def test_what_was_marked_offline_is_saved_when_the_line_is_back(desk, project, annotator):
    page = desk(project)
    page.page.context.set_offline(True)
    page.mark("white", "a")
    expect(page.state).to_have_attribute("data-state", "offline")
    page.mark("sheep", "b")
    assert page.answer(annotator)[0] == []
    page.page.context.set_offline(False)
    assert page.spans(annotator) == [(4, 9, "A"), (10, 15, "B")]


def test_a_submission_made_offline_arrives(desk, project, annotator):
    page = desk(project)
    page.page.context.set_offline(True)
    page.mark("white", "a")
    page.press("Control+Enter")
    expect(page.state).to_have_attribute("data-state", "offline")
    page.page.context.set_offline(False)
    expect(page.page.locator("#done")).to_be_visible()
    assert page.answer(annotator)[3] == "submitted"


def test_a_page_that_died_unsaved_is_restored_by_the_same_browser(desk, project, annotator):
    page = desk(project)
    page.page.context.set_offline(True)
    page.mark("white", "a")
    page.page.wait_for_timeout(50)
    context = page.page.context
    page.page.close()
    context.set_offline(False)
    page.page = context.new_page()
    page.open()
    assert page.highlighted("0") == ["white"]
    assert page.spans(annotator) == [(4, 9, "A")]


def test_an_unsent_answer_is_never_shown_to_another_person(
    desk, project, annotator, second, log_in
):
    page = desk(project)
    page.page.context.set_offline(True)
    page.mark("white", "a")
    context = page.page.context
    page.page.close()
    context.set_offline(False)
    log_in(context, second)
    page.page = context.new_page()
    page.open()
    expect(page.rows).to_have_count(0)
    page.page.wait_for_timeout(900)
    # what left the closed page in the first person's own session is theirs, and no harm
    assert not Revision.objects.filter(who=second).exists()
    assert not Annotation.objects.filter(annotator__user=second, spans__isnull=False).exists()


def test_a_reply_that_got_lost_is_no_conflict(desk, project, annotator):
    page = desk(project)

    def lose(route):
        route.fetch()
        route.abort()

    page.page.route("**/api/v1/assignments/**", lose, times=1)
    page.mark("white", "a")
    expect(page.state).to_have_attribute("data-state", "offline")
    page.mark("sheep", "b")
    assert page.spans(annotator) == [(4, 9, "A"), (10, 15, "B")]
    expect(page.page.locator("#conflict")).to_be_hidden()


def test_a_save_that_arrives_after_a_reload_is_no_conflict(desk, project, annotator):
    page = desk(project)
    place = Annotation.objects.get().place_id
    answer = {"spans": [{"start": 4, "end": 9, "label": "A"}], "comment": ""}
    kept = {"version": 0, "answer": answer | {"no_hallucination": False}, "at": 1}
    key = f"sheepfold:{annotator.pk}:{place}"
    page.page.evaluate("(set) => localStorage.setItem(...set)", [key, json.dumps(kept)])
    page.page.clock.install(time=0)
    page.page.clock.pause_at(60_000)
    page.page.reload()
    page.ready()
    answers.save(annotator, place, Answer((SpanRecord(4, 9, "A"),)), 0, 0, False)  # only now
    page.drag_over("sheep")
    page.page.clock.run_for(100)
    page.heard()
    page.press("b")
    page.page.clock.resume()
    assert page.spans(annotator) == [(4, 9, "A"), (10, 15, "B")]
    expect(page.page.locator("#conflict")).to_be_hidden()


def test_after_a_lost_session_a_new_login_saves_what_waited(desk, project, annotator):
    page = desk(project)
    Session.objects.all().delete()
    page.mark("white", "a")
    expect(page.state).to_have_attribute("data-state", "login")
    link = page.notice.get_by_role("link", name="log in again")
    assert page.answer(annotator)[0] == []
    with page.page.context.expect_page() as opened:
        link.click()
    login = opened.value
    login.locator("input[name=login]").fill("annotator")
    login.locator("input[name=password]").fill(factories.PASSWORD)
    login.locator("main button[type=submit], main form button").last.click()
    expect(login.locator("h1")).to_have_text("You are logged in again")
    login.close()
    assert page.spans(annotator) == [(4, 9, "A")]
    expect(page.notice).to_be_hidden()


def test_somebody_elses_login_saves_nothing_for_them(desk, project, annotator, second):
    page = desk(project)
    login = page.page.context.new_page()
    page.page.context.clear_cookies()
    login.goto(page.address)
    login.locator("input[name=login]").fill("second")
    login.locator("input[name=password]").fill(factories.PASSWORD)
    login.locator("main button[type=submit], main form button").last.click()
    login.wait_for_selector("html[data-ready='1']")
    page.page.bring_to_front()
    page.mark("white", "a")
    expect(page.state).to_have_attribute("data-state", "stranger")
    assert Revision.objects.count() == 0


def test_an_item_that_went_to_somebody_else_is_kept_and_said_kindly(
    desk, project, annotator, second, api_as
):
    from datetime import timedelta

    from django.utils import timezone

    project.per_item = 1
    project.save()
    page = desk(project)
    Assignment.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    assert api_as(second).post(f"/api/v1/projects/{project.slug}/claim/").status_code == 200
    page.mark("white", "a")
    expect(page.notice).to_contain_text("went to somebody else")
    assert page.answer(annotator) == ([(4, 9, "A")], "", False, "set_aside")


def test_what_is_typed_when_the_place_is_taken_away_goes_to_no_other_item(
    desk, project, annotator, coordinator
):
    """Letters would be keys there: an n said that nothing is wrong with it."""
    factories.make_item(project, "item-2", response="Three geese.")
    page = desk(project)
    first, here = page.text, int(page.page.url.rstrip("/").rsplit("/", 1)[1])
    page.page.locator("#comment").press_sequentially("I think")
    page.saved()
    places.release_place(coordinator, Assignment.objects.get(pk=here))
    page.page.locator("#comment").press_sequentially(" there is", delay=30)
    expect(page.notice).to_contain_text("not yours any more")
    page.page.keyboard.type(" nothing going on here")
    assert page.text == first and not page.page.locator("#guidelines").is_visible()
    set_aside = Annotation.objects.get(state="set_aside")
    assert set_aside.comment == "I think there is"
    page.press("Escape")
    page.page.locator("#response").focus()
    page.drag_over(first[:3])
    page.press("a")
    expect(page.notice).to_contain_text("takes no change here")
    page.page.get_by_role("button", name="Next item").click()
    expect(page.page.locator("#response")).not_to_have_text(first)
    others = Annotation.objects.exclude(pk=set_aside.pk)
    assert set(others.values_list("version", "no_hallucination")) == {(0, False)}


def test_active_time_is_sent_with_the_answer(desk, project, annotator):
    page = desk(project)
    page.page.wait_for_timeout(300)
    page.mark("white", "a")
    page.saved()
    assert 200 < Annotation.objects.get().active_ms < 8000
