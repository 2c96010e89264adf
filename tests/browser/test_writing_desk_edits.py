"""Edit mode in Chromium: exact replacements in a correct answer, and what follows from them."""

from __future__ import annotations

import random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests import factories
from tests.browser.writing_desk import TEXT, WritingDesk
from tests.writing import making
from writing.actions import samples
from writing.edits import Edit, apply, places
from writing.models import Policy, Sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
ANSWER = "Two 🐑 white sheep stand on a hill.\nThe sheep are calm."
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@pytest.fixture
def writer(project):
    return factories.join(project, "writer", "writer")


@pytest.fixture
def opened(desk_for, writer, project):
    """``opened(answer, **context options)``: the page of a sample whose brief has that answer."""

    def build(answer=ANSWER, **options):
        brief = making.make_brief(project, answer=answer)
        sample = samples.start(writer, brief.pk)
        return WritingDesk(desk_for(writer, f"../writing/{sample.pk}/", **options), sample)

    return build


def pairs(sample) -> list[tuple[int, int, str, str]]:
    keys = ("start", "end", "original", "hallucinated")
    return [tuple(edit[key] for key in keys) for edit in sample.edits]


def test_replacements_of_the_briefs_answer_are_exact_and_taken_back(opened):
    desk = opened()
    desk.edit_mode()
    desk.label("B")
    desk.send()
    expect(desk.fault("spans")).to_have_text("Change at least one word of the correct answer.")
    desk.replace("white", "black")
    desk.rows.locator(".go").click()
    desk.page.locator("#instead").fill("brown")
    desk.page.locator("#mark-it").click()
    assert pairs(desk.stored()) == [(6, 11, "white", "brown")]
    desk.rows.locator(".gone").click()
    assert (pairs(desk.stored()), desk.sample.text) == ([], ANSWER)
    desk.replace("white", "white")
    expect(desk.notice).to_contain_text("This changes nothing")
    desk.page.keyboard.press("Escape")
    desk.replace("white", "black")
    desk.drag_over("white sheep")
    desk.page.keyboard.type("red goats")
    desk.press("Enter")
    expect(desk.notice).to_contain_text("overlaps number 1")
    assert len(desk.stored().edits) == 1
    desk.press("Escape")
    desk.replace("sheep", "goats 🐐", nth=1)
    sample = desk.stored()
    assert pairs(sample) == [(6, 11, "white", "black"), (39, 44, "sheep", "goats 🐐")]
    assert (sample.origin, sample.correct) == ("edited", ANSWER)
    assert desk.marks() == ["black", "goats 🐐"]
    assert desk.preview.text_content() == sample.text
    assert desk.page.locator("#preview mark").all_text_contents() == desk.marks()
    assert sample.typed >= len("blackgoats 🐐") and sample.pasted == 0
    desk.send()
    expect(desk.page.locator("#done")).to_be_visible()


def test_words_are_left_out_or_put_in_by_keyboard(opened):
    desk = opened("Two very white sheep.")
    desk.edit_mode()
    desk.page.locator("#response").focus()
    desk.press("Control+ArrowRight", "Shift+Control+ArrowRight", "Enter")
    expect(desk.page.locator("#instead")).to_be_focused()
    desk.page.locator("#leave-out").press("Enter")
    assert desk.stored().text == "Two white sheep."
    desk.page.locator("#response").focus()
    desk.press("End", "ArrowLeft", "Enter")
    expect(desk.page.locator("#labelbox-title")).to_have_text("Put in here")
    desk.page.keyboard.type(" graze")
    desk.press("Enter")
    assert desk.stored().text == "Two white sheep graze."
    assert desk.marks() == ["o w", " graze"]


def test_edits_move_with_the_correct_answer_and_go_with_a_message(opened):
    desk = opened("")
    desk.edit_mode()
    expect(desk.page.locator("#fixed")).to_be_disabled()
    desk.page.locator("#correct").press_sequentially(TEXT)
    desk.page.locator("#fixed").click()
    expect(desk.page.locator("#response")).to_be_focused()
    desk.replace("white", "black")
    desk.replace("green", "grey")
    assert desk.stored().text == "Two black sheep stand on a grey hill."
    desk.page.locator("#refix").click()
    desk.caret(0, "correct")
    desk.page.keyboard.type("Ah: ")
    assert pairs(desk.stored()) == [(8, 13, "white", "black"), (31, 36, "green", "grey")]
    desk.caret(11, "correct")
    desk.page.keyboard.type("x")
    expect(desk.notice).to_contain_text("“white”")
    assert pairs(desk.stored()) == [(32, 37, "green", "grey")]


def test_a_page_that_comes_back_shows_the_edits(opened):
    desk = opened("a\r\nwhite sheep\n")
    desk.edit_mode()
    desk.replace("white", "black")
    assert desk.stored().text == "a\r\nblack sheep\n"
    desk.page.reload()
    desk.ready()
    expect(desk.rows).to_have_count(1)
    assert desk.preview.text_content() == "a\r\nblack sheep\n"
    expect(desk.page.locator("input[name=mode][value=edit]")).to_be_checked()


def test_the_page_and_the_site_make_the_same_text_of_edits(opened):
    desk = opened()
    draw = random.Random(3)
    cases = []
    for _ in range(200):
        clean = "".join(draw.choice("ab 🐑\u3000\t") for _ in range(draw.randint(1, 12)))
        ends = sorted(draw.choices(range(len(clean) + 1), k=4))
        new = [draw.choice(["", "x", "🐐 y", " "]) for _ in range(2)]
        cut = [Edit(ends[0], ends[1], new[0]), Edit(ends[2], ends[3], new[1])]
        edits = [edit for edit in cut if clean[edit.start : edit.end] != edit.hallucinated]
        cases.append((clean, edits))
    sent = [
        [clean, [{"start": e.start, "end": e.end, "hallucinated": e.hallucinated} for e in edits]]
        for clean, edits in cases
    ]
    found = desk.module("writing/document", "a.map(([c, e]) => m.apply(c, e))", sent)
    for (clean, edits), got in zip(cases, found, strict=True):
        wanted = apply(clean, edits)
        spans = [{"start": start, "end": end} for start, end in places(wanted)]
        assert got == {"text": wanted.text, "spans": spans}, (clean, edits)


def test_a_full_label_is_marked_and_refused_where_balance_is_required(opened, project):
    other = factories.join(project, "other", "writer")
    Policy.objects.create(project=project, balance="require")
    making.submitted(other, making.make_brief(project, "b-2"), label="A")
    desk = opened()
    desk.field.fill("Three white sheep eat some hay.")
    expect(desk.page.locator("#full-A")).to_be_visible()
    desk.label("A")
    expect(desk.page.locator("#full-said")).to_contain_text("There are enough of Invention")
    desk.error("hay")
    desk.send()
    expect(desk.fault("label")).to_contain_text("choose another label")
    desk.label("B")
    expect(desk.page.locator("#full-said")).to_be_empty()
    desk.send()
    expect(desk.page.locator("#done")).to_be_visible()
    assert Sample.objects.filter(state="submitted").count() == 2


@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", NARROW)])
def test_axe_finds_nothing_in_any_state_and_nothing_scrolls_sideways(opened, scheme, size):
    desk = opened(color_scheme=scheme, viewport=size)

    def clean():
        found = Axe().run(desk.page).response["violations"]
        assert not {one["id"]: one["nodes"][0]["html"] for one in found}
        assert not desk.page.evaluate("document.documentElement.scrollWidth > innerWidth")

    desk.field.fill("This is wrong: one sheep stands on a hill near " + "a" * 90)
    desk.page.locator("#submit").click()
    expect(desk.fault("label")).not_to_be_empty()
    assert desk.page.locator("#bar").bounding_box()["height"] < 70  # one row
    clean()
    desk.error("one")
    desk.page.locator("#balance summary").first.click()
    clean()
    desk.page.locator("#balance summary").first.click()
    desk.edit_mode()
    expect(desk.page.locator("#start-from")).to_be_visible()
    clean()
    desk.page.locator("#start-from button[value=brief]").click()
    expect(desk.preview).to_contain_text("white")
    desk.replace("white", "black")
    desk.drag_over("Two")
    expect(desk.page.locator("#labelbox")).to_be_visible()
    clean()
    desk.press("Escape", "F1")
    clean()
