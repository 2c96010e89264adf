"""What a translation or an extension does to a page moves no span."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import factories
from tests.browser.writing_desk import WritingDesk
from tests.writing import making
from writing.actions import holding, samples
from writing.actions.translations import import_translations
from writing.models import Sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
TEXT = "Two white sheep\r\nstand 🐑 here."
SHOWN = "Two white sheep\nstand 🐑 here."
# As a browser's translation does it, as an extension does that reads along, and in place.
CHANGES = {
    "wrapped": """(e) => {
        const font = document.createElement("font");
        font.textContent = "Deux moutons blancs sont là.";
        e.replaceChildren(font);
    }""",
    "put in": "(e) => e.prepend(document.createElement('mark'))",
    "split": "(e) => e.firstChild.splitText(5)",
    "in place": "(e) => { e.firstChild.data = 'Zwei weiße Schafe stehen hier.'; }",
    "emptied": "(e) => e.replaceChildren()",
}


def change(page, name: str) -> None:
    page.page.locator("#response").evaluate(CHANGES[name])


@pytest.mark.parametrize("name", CHANGES)
def test_a_text_that_something_else_changed_is_shown_as_it_came_and_marked_rightly(
    desk, project, annotator, name
):
    page = desk(project, response=TEXT)
    page.mark("white", "a")
    page.drag_over("Two")
    change(page, name)
    expect(page.notice).to_contain_text("changed this text, perhaps to translate it")
    assert page.text == SHOWN
    assert page.highlighted("0") == ["white"] and page.chosen() == ""
    page.mark("here", "b")
    assert page.spans(annotator) == [(4, 9, "A"), (25, 29, "B")]


def test_what_changes_the_text_again_and_again_neither_halts_the_page_nor_moves_a_span(
    desk, project, annotator
):
    page = desk(project, response=TEXT)
    page.page.locator("#response").evaluate("""(e) => {
        const again = () => { if (e.childNodes.length === 1) e.append('!'); };
        window.reader = new MutationObserver(again);
        window.reader.observe(e, { childList: true });
        again();
    }""")
    expect(page.notice).to_contain_text("changed this text")
    page.drag_over("white")
    page.press("a")
    page.page.evaluate("window.reader.disconnect()")
    expect(page.page.locator("#response")).to_have_text(SHOWN, use_inner_text=True)
    page.page.wait_for_function("document.getElementById('response').childNodes.length === 1")
    page.mark("stand", "b")
    assert page.spans(annotator)[-1] == (17, 22, "B")


def test_a_writers_mark_stays_where_it_is_when_something_changes_the_text_beside_the_field(
    desk_for, project
):
    writer = factories.join(project, "writer", "writer")
    sample = samples.start(writer, making.make_brief(project).pk)
    page = WritingDesk(desk_for(writer, f"../writing/{sample.pk}/"), sample)
    page.write()
    page.label("A")
    page.error("Two")
    change(page, "wrapped")
    expect(page.notice).to_contain_text("changed this text")
    assert page.text == page.field.input_value() and page.marks() == ["Two"]
    page.error("hill")
    page.saved()
    assert [span["start"] for span in page.stored().spans] == [0, 33]


def test_a_post_editors_mark_stays_where_it_is_as_well(desk_for, project, coordinator):
    project.languages = ["en", "fr"]
    project.save()
    writer = factories.join(project, "writer", "writer")
    root = making.accepted(writer, coordinator, making.make_brief(project))
    text = "Deux moutons.\r\nIci."
    row = {"sample": root.key, "language": "fr", "text": text}
    import_translations(None, project, making.lines(row), "mt.jsonl")
    task = Sample.objects.get(root=root, language="fr")
    holding.begin(writer, task.pk)
    page = desk_for(writer, f"../translations/{task.pk}/")
    page.drag_over("Deux")
    change(page, "in place")
    expect(page.notice).to_contain_text("changed this text")
    assert page.text == text.replace("\r\n", "\n")
    page.drag_over("Ici")
    page.page.locator("#mark").click()
    page.saved()
    task.refresh_from_db()
    assert [(span["start"], span["end"]) for span in task.spans] == [(15, 18)]


def test_texts_that_are_judged_are_not_offered_to_a_translation_and_the_page_is(desk, project):
    page = desk(project, response=TEXT, context="# Sheep", context_format="markdown")
    for name in ("response", "question", "context", "spans"):
        assert page.page.locator(f"#{name}").evaluate("(e) => e.translate") is False, name
    assert page.page.locator("#submit").evaluate("(e) => e.translate") is True
