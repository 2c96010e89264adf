"""What was written is never lost, never sent twice and never silently overwritten."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from tests import factories
from tests.browser.writing_desk import TEXT, WritingDesk
from tests.writing import making
from writing.actions import samples
from writing.models import Sample, SampleRevision

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


@pytest.fixture
def writer(project):
    project.writer_guidelines = "Write with **one** kind of error."
    project.save()
    return factories.join(project, "writer", "writer")


@pytest.fixture
def sample(writer, project):
    return samples.start(writer, making.make_brief(project).pk)


@pytest.fixture
def opened(desk_for, writer, sample):
    """``opened(**context options)``: the page of the sample."""
    return lambda **options: WritingDesk(
        desk_for(writer, f"../writing/{sample.pk}/", **options), sample
    )


def test_two_tabs_leave_the_choice_of_both_texts(opened):
    desk, other = opened(), opened()
    desk.write("Mine.")
    desk.saved()
    other.write("Theirs.")
    expect(other.page.locator("#conflict")).to_be_visible()
    expect(other.page.locator("#conflict-mine")).to_contain_text("Theirs.")
    expect(other.page.locator("#conflict-theirs")).to_contain_text("Mine.")
    assert Sample.objects.get().text == "Mine."
    other.page.locator("#take-mine").click()
    assert other.stored().text == "Theirs."
    desk.field.fill("Again.")
    desk.page.locator("#take-theirs").click()
    expect(desk.field).to_have_value("Theirs.")


def by_hand(desk):
    """``run(ms)``: the page's clock stands still but for that."""
    clock = desk.page.clock
    clock.install(time=0)
    clock.pause_at(60_000)
    return clock.run_for


def test_who_types_on_is_saved_after_five_seconds_at_the_latest(opened):
    desk = opened()
    run = by_hand(desk)
    desk.field.focus()
    for _ in range(6):
        desk.page.keyboard.type("a")
        run(820)
    expect(desk.state).to_have_attribute("data-state", "saving")
    assert not SampleRevision.objects.exists()
    run(80)
    expect(desk.state).to_have_attribute("data-state", "saved")
    assert Sample.objects.get().text == "aaaaaa"


def test_a_near_duplicate_is_told_once_the_writer_pauses(opened, project):
    other = factories.join(project, "other", "writer")
    making.submitted(other, making.make_brief(project, "old", shared=True))
    desk = opened()
    advice = desk.page.locator("#advice")
    asked: list[str] = []
    desk.page.on("request", lambda one: asked.append(one.method))
    run = by_hand(desk)
    for text, told in ((TEXT, True), (TEXT + " Yes.", True), ("A tram in the rain.", False)):
        before = advice.is_visible()
        desk.write(text)
        run(1000)
        expect(desk.state).to_have_attribute("data-state", "saved")
        assert advice.is_visible() == before
        run(5000)
        expect(advice).to_be_visible(visible=told)
    assert asked == ["PUT", "GET"] * 3


def test_what_was_changed_elsewhere_is_not_deleted_unseen(opened, writer, live_server):
    desk = opened()
    desk.write("Mine.")
    version = desk.stored().version
    samples.save(writer, desk.sample.pk, making.content("Theirs."), version)
    delete = desk.page.get_by_role("button", name="Delete", exact=True)
    delete.click()
    desk.page.locator("#delete-yes").click()
    expect(desk.page.locator("#conflict-theirs")).to_contain_text("Theirs.")
    assert Sample.objects.get(pk=desk.sample.pk).state == "draft"
    desk.page.locator("#take-theirs").click()
    expect(desk.field).to_have_value("Theirs.")
    delete.click()
    desk.page.locator("#delete-yes").click()
    desk.page.wait_for_url(f"{live_server.url}/p/flock/writing/")
    assert Sample.objects.get(pk=desk.sample.pk).state == "deleted"


def test_an_expired_login_keeps_the_text(opened, log_in, writer):
    desk = opened()
    Session.objects.all().delete()
    desk.write("Kept.")
    expect(desk.notice).to_contain_text("You have been logged out")
    assert Sample.objects.get().text == ""
    desk.page.context.clear_cookies(name="sheepfold_session")
    log_in(desk.page.context, writer)
    desk.page.evaluate("window.dispatchEvent(new Event('focus'))")
    assert desk.stored().text == "Kept."
    expect(desk.notice).to_be_hidden()


def test_without_a_line_the_text_is_sent_later_also_by_another_page(opened, live_server):
    desk = opened()
    context = desk.page.context
    context.set_offline(True)
    desk.write("Kept.")
    expect(desk.state).to_contain_text("Offline")
    assert Sample.objects.get().text == ""
    context.set_offline(False)
    assert desk.stored().text == "Kept."
    context.set_offline(True)
    desk.write("Nearly lost.")
    expect(desk.state).to_contain_text("Offline")
    desk.page.close()
    context.set_offline(False)
    desk.page = context.new_page()
    desk.page.goto(f"{live_server.url}/p/flock/writing/")
    expect(desk.page.locator(".unsent")).to_be_visible()
    assert Sample.objects.get().text == "Kept."
    desk.page.get_by_role("link", name="What is there?").click()
    desk.ready()
    expect(desk.field).to_have_value("Nearly lost.")
    assert desk.stored().text == "Nearly lost."


def test_a_second_press_on_send_sends_once(opened):
    desk = opened()
    desk.write()
    desk.label("A")
    desk.error("Two")
    desk.page.locator("#declared").check()
    desk.page.locator("#submit").dblclick()
    expect(desk.page.locator("#done")).to_be_visible()
    assert SampleRevision.objects.filter(kind="submit").count() == 1
