"""Post-editing in Chromium: type, see the differences, mark the error, send; nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests import factories, pages
from tests.browser.desk import Desk
from tests.writing import making
from writing.actions import holding, samples
from writing.actions.translations import import_translations
from writing.models import Sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
SOURCE = (
    "Three black sheep 🐑 stand on the hill.\r\nA dog looks at them, and the sun is going down."
)
MACHINE = "Trois moutons blancs 🐑 sont sur la colline.\r\nUn chien les regarde."
HEBREW = "שלוש כבשים שחורות 🐑 עומדות על הגבעה."


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def project(db):
    return factories.make_project(languages=("en", "fr", "he"))


@pytest.fixture
def editor(project):
    return factories.join(project, "editor", "writer", ("fr", "he"))


@pytest.fixture
def task(project, coordinator, editor):
    """The French translation with a machine's text."""
    writer = factories.join(project, "writer", "writer", ("en",))
    brief = making.make_brief(
        project, question="What stands on the hill?", image=pages.picture(project), context=None
    )
    fields = {"text": SOURCE, "label": "B", "spans": ((6, 11),)}
    root = making.accepted(writer, coordinator, brief, **fields)
    rows = [
        {"sample": root.key, "language": "fr", "text": MACHINE, "question": "Qu'y a-t-il ?"},
        {"sample": root.key, "language": "he", "text": HEBREW},
    ]
    import_translations(None, project, making.lines(*rows), "mt.jsonl")
    return Sample.objects.get(root=root, language="fr")


@pytest.fixture
def opened(live_server, browser, browser_context_args, log_in, watched, project, editor):
    """``opened(task, **context options)``: the page of the post-editor, ready."""
    contexts = []

    def build(task, **options):
        holding.begin(editor, task.pk)
        context = browser.new_context(**(browser_context_args | options))
        contexts.append(context)
        log_in(context, editor)
        page = context.new_page()
        watched(page)
        desk = Desk(page, f"{live_server.url}/p/{project.slug}/translations/{task.pk}/")
        desk.open()
        return desk

    yield build
    for context in contexts:
        context.close()


def type_over(page, words, new):
    """Select the words in the text field and type others."""
    page.evaluate(
        """([words]) => {
          const area = document.getElementById("text");
          const at = area.value.indexOf(words);
          area.focus();
          area.setSelectionRange(at, at + words.length);
        }""",
        [words],
    )
    page.keyboard.type(new)


def stored(task) -> Sample:
    return Sample.objects.get(pk=task.pk)


def test_a_translation_is_edited_marked_confirmed_and_sent(opened, task, editor):
    desk = opened(task)
    page = desk.page
    expect(page.locator(".source mark")).to_contain_text("black")
    expect(page.locator("#machine-count")).to_have_text("Nothing changed so far.")
    type_over(page, "blancs", "noirs")
    expect(page.locator("#machine del")).to_contain_text("blancs")
    expect(page.locator("#machine ins")).to_contain_text("noirs")
    expect(page.locator("#machine-count")).to_have_text("1 word changed.")
    desk.drag_over("noirs")
    page.get_by_role("button", name="Mark as B").click()
    expect(page.locator("#marks li")).to_have_text("noirs×")
    page.get_by_label("Question").fill("Qu'est-ce qui est là ?")
    page.get_by_role("button", name="Send").click()
    expect(desk.notice).to_contain_text("Confirm")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Sent")).to_be_focused()
    expect(page.locator("#give-back")).to_be_hidden()
    done = stored(task)
    text = MACHINE.replace("blancs", "noirs")
    assert (done.state, done.text, done.machine) == ("submitted", text, MACHINE)
    start = text.index("noirs")
    assert done.spans == [{"start": start, "end": start + 5}]
    assert (done.question, done.writer.user) == ("Qu'est-ce qui est là ?", editor)
    assert (done.char_distance, done.word_distance) == (5, 1)
    # what the new question shares with the old one counts as untyped
    assert (done.typed, done.pasted, done.declared) == (22, 0, True)
    page.get_by_role("button", name="Next translation").click()
    expect(page.locator("#text")).to_have_value(HEBREW)


def test_marks_go_with_their_words_while_one_types(opened, task):
    desk = opened(task)
    desk.drag_over("colline")
    desk.page.keyboard.press("Enter")  # the focus is in the text: nothing to mark with there
    desk.page.get_by_role("button", name="Mark as B").click()
    type_over(desk.page, "Trois", "🐐 Quatre grands")
    expect(desk.page.locator("#marks li")).to_have_text("colline×")
    type_over(desk.page, "lli", "LL")
    expect(desk.page.locator("#marks li")).to_have_text("coLLne×")
    desk.saved()
    text = stored(task).text
    assert text.startswith("🐐 Quatre grands moutons") and ".\r\nUn chien" in text
    span = stored(task).spans[0]
    assert text[span["start"] : span["end"]] == "coLLne"
    type_over(desk.page, "coLLne", "butte")
    expect(desk.page.locator("#marks-empty")).to_be_visible()
    desk.saved()
    assert stored(task).spans == []


def test_everything_by_keyboard(opened, task):
    desk = opened(task)
    page = desk.page
    page.locator("#response").focus()
    page.keyboard.press("Control+Shift+ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#marks li")).to_have_text("Trois×")
    page.keyboard.press("Home")
    page.keyboard.press("Delete")
    expect(page.locator("#marks-empty")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    expect(desk.notice).to_contain_text("Mark the error")
    expect(page.locator("#response")).to_be_focused()
    assert stored(task).state == "draft"


def test_what_cannot_be_translated_is_sent_with_its_reason(opened, task):
    desk = opened(task)
    desk.page.get_by_label("This cannot be translated").check()
    desk.page.keyboard.press("Control+Enter")
    expect(desk.notice).to_contain_text("Say why")
    desk.page.keyboard.type("A pun on black sheep.")
    desk.page.get_by_label("This cannot be translated").uncheck()
    desk.saved()
    assert stored(task).untranslatable == ""
    desk.page.reload()
    desk.ready()
    desk.page.get_by_label("This cannot be translated").check()
    expect(desk.page.get_by_label("Why?")).to_have_value("A pun on black sheep.")
    desk.page.keyboard.press("Control+Enter")
    expect(desk.page.get_by_role("heading", name="Sent")).to_be_focused()
    assert (stored(task).state, stored(task).untranslatable) == (
        "submitted", "A pun on black sheep.",
    )  # fmt: skip


def test_text_typed_offline_is_kept_and_sent_when_the_line_is_back(opened, task):
    desk = opened(task)
    desk.page.context.set_offline(True)
    type_over(desk.page, "blancs", "noirs")
    expect(desk.state).to_have_attribute("data-state", "offline")
    desk.page.context.set_offline(False)
    desk.saved()
    assert "noirs" in stored(task).text


def test_a_page_that_dies_loses_nothing(opened, task):
    desk = opened(task)
    desk.page.route("**/api/v1/samples/**", lambda route: route.abort())
    type_over(desk.page, "blancs", "noirs")
    expect(desk.state).to_have_attribute("data-state", "offline")
    desk.page.unroute("**/api/v1/samples/**")
    desk.page.reload()
    desk.ready()
    expect(desk.page.locator("#text")).to_have_value(
        MACHINE.replace("blancs", "noirs").replace("\r", "")
    )
    desk.saved()
    assert "noirs" in stored(task).text and "\r\n" in stored(task).text


@pytest.mark.parametrize("mine", [True, False])
def test_two_versions_are_shown_and_the_person_chooses(opened, task, editor, mine):
    desk = opened(task)
    theirs = making.content("Un tout autre texte.", None, spans=())
    samples.save(editor, task.pk, theirs, stored(task).version)
    type_over(desk.page, "blancs", "noirs")
    dialog = desk.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Un tout autre texte.")
    expect(dialog).to_contain_text("Trois moutons noirs")
    dialog.get_by_role("button", name="Keep this one" if mine else "Take this one").click()
    desk.saved()
    wanted = MACHINE.replace("blancs", "noirs") if mine else "Un tout autre texte."
    expect(desk.page.locator("#text")).to_have_value(wanted.replace("\r", ""))
    assert stored(task).text == wanted


def test_a_translation_that_somebody_else_took_keeps_the_text_here(opened, task, project):
    desk = opened(task)
    other = factories.join(project, "other", "writer", ("fr",))
    holding.take_away(None, task.pk)
    theirs = making.content("À moi.", None, spans=())
    samples.save(other, task.pk, theirs, stored(task).version)
    type_over(desk.page, "blancs", "noirs")
    expect(desk.notice).to_contain_text("another post-editor")
    expect(desk.page.locator("#text")).to_have_value(
        MACHINE.replace("blancs", "noirs").replace("\r", "")
    )
    assert stored(task).text == "À moi."


def test_the_whole_text_stands_in_its_field_however_the_telephone_is_turned(opened, task):
    tall, wide = {"width": 390, "height": 844}, {"width": 844, "height": 390}
    desk = opened(task, viewport=tall)
    page, heights = desk.page, []
    for turned in (tall, wide, tall):
        page.set_viewport_size(turned)
        page.wait_for_function(
            """() => {
              const area = document.getElementById("text");
              const copy = area.cloneNode();
              copy.value = area.value;
              copy.style.height = "0";
              area.after(copy);
              const needed = copy.scrollHeight;
              copy.remove();
              return area.clientHeight >= needed && area.clientHeight <= needed + 4;
            }"""
        )
        heights.append(page.locator("#text").bounding_box()["height"])
    assert heights[0] == heights[2] > heights[1]


LOOKS = [("light", 1280, 800), ("dark", 390, 844)]


@pytest.mark.parametrize(("scheme", "width", "height"), LOOKS)
@pytest.mark.parametrize("language", ["fr", "he"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    opened, task, language, scheme, width, height
):
    task = Sample.objects.get(root=task.root, language=language)
    size = {"width": width, "height": height}
    desk = opened(task, viewport=size, color_scheme=scheme)
    page = desk.page
    if language == "he":
        type_over(page, "שחורות", "לבנות")
        words = "לבנות"
    else:
        type_over(page, "Un chien", "Une chatte")
        words = "blancs"
    page.locator("#response").scroll_into_view_if_needed()
    desk.drag_over(words, rtl=language == "he")
    page.get_by_role("button", name="Mark as B").click()
    desk.saved()
    found = Axe().run(page).response["violations"]
    assert not [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in found]
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    if folder := os.environ.get("SHOTS"):
        page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=Path(folder) / f"translate-{language}-{width}.png", full_page=True)
