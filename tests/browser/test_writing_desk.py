"""Writing and marking in Chromium: what is stored is what stands on the page."""

from __future__ import annotations

import random

import pytest
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


def test_a_sample_is_written_marked_and_sent_and_the_pie_moves(opened):
    desk = opened()
    desk.write()
    desk.label("A")
    desk.error("Two")
    assert desk.marks() == ["Two"]
    assert (desk.stored().text, desk.sample.label.code) == (TEXT, "A")
    for figure in ("all", "own"):
        expect(desk.page.locator(f"[data-figure={figure}] .tally[data-label=A]")).to_have_text("1")
        pie = desk.page.locator(f"[data-figure={figure}] svg.pie")
        expect(pie).to_have_attribute("aria-label", "Invention: 1, Mischaracterization: 0, "
                                      "OCR Problem: 0, Miscounting: 0")  # fmt: skip
    assert desk.highlighted("0") == ["Two"]
    desk.send()
    expect(desk.page.locator("#done-title")).to_be_focused()
    desk.sample.refresh_from_db()
    assert desk.sample.state == "submitted" and desk.sample.declared
    assert desk.sample.typed == len(TEXT) and desk.sample.pasted == 0
    assert desk.sample.active_ms > 0


def test_a_draft_is_saved_at_a_pause_and_opening_its_page_writes_nothing(opened):
    desk = opened()
    desk.field.press_sequentially("Hay.\nHay.")
    assert SampleRevision.objects.count() == 0  # somebody types on
    expect(desk.state).to_have_attribute("data-state", "saved")
    desk.sample.refresh_from_db()
    assert desk.sample.text == "Hay.\nHay."
    held = SampleRevision.objects.count()
    desk.reload()
    expect(desk.field).to_have_value("Hay.\nHay.")
    desk.press("F1")
    expect(desk.page.locator("#guidelines strong")).to_have_text("one")
    desk.press("Escape")
    expect(desk.page.locator("#guidelines")).to_be_hidden()
    assert SampleRevision.objects.count() == held


def test_the_keyboard_marks_the_error(opened):
    desk = opened()
    desk.write()
    desk.page.keyboard.press("Tab")
    expect(desk.page.locator("#response")).to_be_focused()
    desk.press("Control+ArrowRight", "Shift+Control+ArrowRight")
    expect(desk.page.locator("#labelbox")).to_be_visible()
    desk.press("Enter")
    expect(desk.page.locator("#labelbox")).to_be_hidden()
    expect(desk.page.locator("#response")).to_be_focused()
    assert desk.marks() == ["white"]
    desk.press("Enter")
    expect(desk.notice).to_contain_text("Select words in the text first")
    desk.press("ArrowLeft", "Enter")
    expect(desk.page.locator("#labelbox")).to_be_visible()
    desk.page.locator("#labelbox .danger").press("Enter")
    assert desk.marks() == []


def test_a_finger_marks_the_error(opened):
    size = {"width": 390, "height": 844}
    desk = opened(viewport=size, has_touch=True, is_mobile=True)
    desk.field.fill(TEXT)
    desk.page.locator("#response").scroll_into_view_if_needed()
    for word in ("white", "sheep"):
        desk.page.touchscreen.tap(*desk.middle(word))
    desk.page.locator("#mark-it").tap()
    assert desk.marks() == ["white sheep"]


def test_marks_are_whole_signs_counted_in_code_points(opened):
    desk = opened()
    desk.field.fill("👩‍👧 see 🐑🐑 e\u0301lan.")
    desk.error("🐑🐑")
    assert desk.stored().spans == [{"start": 8, "end": 10}]
    left, right, y = desk.box(*desk.units("👩"))
    desk.drag((left + 0.5, y), (right - 0.5, y))
    desk.page.locator("#mark-it").click()
    assert desk.marks() == ["👩‍👧", "🐑🐑"]


def test_marks_move_with_the_text_and_go_with_a_message_when_it_is_touched(opened):
    desk = opened()
    desk.write()
    desk.error("white")
    desk.error("green")
    desk.caret(0)
    desk.page.keyboard.type("😀 Look: ")
    desk.caret(len(desk.field.input_value().encode("utf-16-le")) // 2)
    desk.page.keyboard.type(" It rains.")
    assert desk.marks() == ["white", "green"]
    desk.caret(desk.units("white")[0] + 2)
    desk.page.keyboard.press("Delete")
    expect(desk.notice).to_contain_text("“white”. Mark the error again")
    expect(desk.page.locator("#live")).to_contain_text("“white”")
    assert desk.marks() == ["green"]
    expect(desk.rows).to_have_count(1)


def test_places_follow_any_change_of_a_text(opened):
    """Against what a list of letters that carry their places says."""
    desk = opened()
    draw = random.Random(4)
    letters = ["a", "b", " ", "😀", "é"]
    cases, wanted = [], []
    for _ in range(300):
        old = [draw.choice(letters) for _ in range(draw.randint(1, 12))]
        start, end = sorted(draw.sample(range(len(old) + 1), 2))
        at, to = sorted(draw.choices(range(len(old) + 1), k=2))
        put = [draw.choice(letters) for _ in range(draw.randint(0, 3))]
        caret = len("".join(old[:at] + put).encode("utf-16-le")) // 2
        cases.append(["".join(old), "".join(old[:at] + put + old[to:]), caret, start, end])
        if old[at:to] == put or end <= at:
            wanted.append([start, end])
        elif start >= to:
            step = len(put) - (to - at)
            wanted.append([start + step, end + step])
        else:
            wanted.append(None)
    call = """a.map(([old, now, caret, start, end]) => {
      const { places: [one] } = m.follow(old, now, caret, [{ start, end }]);
      return one ? [one.start, one.end] : null;
    })"""
    found = desk.module("shared/typing", call, cases)
    for case, got, want in zip(cases, found, wanted, strict=True):
        # what is put in may begin or end like what it replaces: then less was touched
        assert got == want or want is None, case
    assert None in found


def test_typed_and_pasted_characters_are_told_apart(opened):
    desk = opened()
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.field.press_sequentially("Two ")
    desk.page.evaluate("navigator.clipboard.writeText('white\\r\\nsheep')")
    desk.press("Control+v")
    assert desk.stored().text == "Two white\nsheep"
    assert (desk.sample.typed, desk.sample.pasted) == (4, 11)
    expect(desk.page.locator("#pasted")).to_have_text("73 % of the characters were pasted.")
    desk.press("Control+a", "Control+x", "Control+v")  # one's own words
    assert (desk.stored().typed, desk.sample.pasted) == (4, 11)


def test_what_is_missing_is_said_at_its_field(opened):
    desk = opened()
    desk.page.locator("#submit").click()
    expect(desk.fault("label")).to_contain_text("Choose the kind of error")
    expect(desk.fault("text")).to_contain_text("Write the answer")
    expect(desk.fault("spans")).to_contain_text("Mark the error")
    expect(desk.fault("declared")).to_contain_text("without a model")
    expect(desk.page.locator("input[name=label]").first).to_be_focused()
    expect(desk.field).to_have_attribute("aria-invalid", "true")
    desk.write("This is a wrong answer about two white sheep.")
    expect(desk.fault("text")).to_be_hidden()
    expect(desk.page.locator("#advice")).to_contain_text("gives the error away")
    desk.reload()
    expect(desk.page.locator("#advice")).to_contain_text("gives the error away")
    desk.write()
    expect(desk.page.locator("#advice")).to_be_hidden()
    desk.label("D")
    expect(desk.fault("label")).to_be_hidden()
    desk.error("Two")
    desk.page.locator("#submit").click()
    expect(desk.page.locator("#declared")).to_be_focused()
    assert desk.marks() == ["Two"]  # what cannot be sent is a draft all the same
    assert desk.sample.state == "draft"
    desk.write(TEXT + " ")
    assert desk.stored().text == TEXT + " "


def test_a_sample_is_deleted_after_a_question(opened, live_server):
    desk = opened()
    desk.write()
    desk.page.get_by_role("button", name="Delete", exact=True).click()
    desk.page.locator("#delete [data-closes]").click()
    assert desk.stored().state == "draft"
    desk.page.get_by_role("button", name="Delete", exact=True).click()
    desk.page.locator("#delete-yes").click()
    desk.page.wait_for_url(f"{live_server.url}/p/flock/writing/")
    assert Sample.objects.get().state == "deleted"
    expect(desk.page.get_by_role("button", name="Begin What is there?")).to_be_visible()
