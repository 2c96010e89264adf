"""The two ways to write: whatever was typed in one is there again, whatever happened in between."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import factories
from tests.browser.writing_desk import TEXT, WritingDesk
from tests.writing import making
from writing.actions import samples

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
ANSWER = "Two 🐑 white sheep stand on a hill.\nThe sheep are calm."


@pytest.fixture
def writer(project):
    return factories.join(project, "writer", "writer")


@pytest.fixture
def opened(desk_for, writer, project):
    """``opened(answer)``: the page of a sample whose brief has that answer."""

    def build(answer=ANSWER):
        sample = samples.start(writer, making.make_brief(project, answer=answer).pk)
        return WritingDesk(desk_for(writer, f"../writing/{sample.pk}/"), sample)

    return build


def edited(sample) -> list[tuple[str, str]]:
    return [(edit["original"], edit["hallucinated"]) for edit in sample.edits]


def test_nothing_is_lost_between_the_two_ways_to_write(opened):
    desk = opened()
    desk.field.fill("My own text.")
    desk.error("own")
    desk.edit_mode()
    dialog = desk.page.locator("#start-from")
    expect(dialog.get_by_role("button")).to_have_count(3)
    desk.press("Escape")
    expect(dialog).to_be_hidden()
    expect(desk.field).to_have_value("My own text.")
    desk.edit_mode("The brief's answer")
    assert desk.stored().text == ANSWER
    desk.write_mode()
    expect(desk.field).to_have_value("My own text.")
    assert desk.marks() == ["own"]
    desk.edit_mode("The brief's answer")
    desk.replace("white", "black")
    desk.reload()
    desk.write_mode("The changed answer")
    assert desk.stored().text == ANSWER.replace("white", "black")
    desk.caret(0)
    desk.page.keyboard.type("Now: ")
    desk.reload()
    desk.edit_mode("My changes, as I left them")
    assert edited(desk.stored()) == [("white", "black")]
    desk.write_mode("What I wrote before that")
    expect(desk.field).to_have_value("My own text.")
    assert desk.marks() == ["own"]
    desk.edit_mode("What I wrote")
    desk.replace("text", "tale")
    desk.write_mode()
    expect(desk.field).to_have_value("My own tale.")
    assert desk.marks() == ["tale"] and desk.sample.origin == "written"


def test_edits_come_back_after_a_look_at_the_other_way_and_a_closed_tab(
    opened, log_in, writer, live_server
):
    desk = opened(answer="")
    context = desk.page.context
    desk.edit_mode()
    desk.page.locator("#correct").fill(TEXT)
    desk.page.locator("#fixed").click()
    desk.replace("Two", "Four")
    desk.write_mode()
    assert desk.stored().origin == "written"
    desk.edit_mode()
    assert (desk.stored().correct, edited(desk.sample)) == (TEXT, [("Two", "Four")])
    desk.write_mode()
    address = desk.page.url
    desk.page.close()
    context.clear_cookies(name="sheepfold_session")
    log_in(context, writer)
    desk.page = context.new_page()
    desk.page.goto(address)
    desk.ready()
    desk.edit_mode()
    assert (desk.stored().correct, edited(desk.sample)) == (TEXT, [("Two", "Four")])
    keys = desk.page.evaluate("Object.keys(localStorage)")
    assert keys == [f"sheepfold:writing-beside:{writer.pk}:{desk.sample.pk}"]
    desk.label("A")
    desk.send()
    expect(desk.page.locator("#done")).to_be_visible()
    assert desk.page.evaluate("Object.keys(localStorage)") == []


def test_words_in_the_box_outlive_the_page_and_are_put_in_by_going_on(opened):
    desk = opened()
    desk.edit_mode()
    desk.drag_over("white")
    expect(desk.page.locator("#instead")).to_be_focused()
    desk.page.keyboard.type("black")
    desk.reload()
    expect(desk.page.locator("#instead")).to_have_value("black")
    desk.sample.refresh_from_db()
    assert desk.sample.edits == []
    desk.drag_over("hill")
    assert edited(desk.stored()) == [("white", "black")]
    expect(desk.page.locator("#instead")).to_be_focused()
    desk.page.keyboard.type("hull")
    desk.press("Escape")
    desk.rows.locator(".go").click()
    desk.page.locator("#instead").fill("grey")
    desk.write_mode()
    assert desk.stored().text == ANSWER.replace("white", "grey")
    desk.edit_mode()
    assert edited(desk.stored()) == [("white", "grey")]
    desk.drag_over("calm")
    expect(desk.page.locator("#instead")).to_be_focused()
    desk.page.keyboard.type("wild")
    desk.label("A")
    desk.send()
    expect(desk.page.locator("#done")).to_be_visible()
    desk.sample.refresh_from_db()
    assert edited(desk.sample) == [("white", "grey"), ("calm", "wild")]
