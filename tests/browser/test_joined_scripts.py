"""The pages with their modules as one script, as they are served in production."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from deploy.joined import joined
from deploy.storage import PAGES
from tests import factories
from tests.browser.test_writing_translate import editor, media, project, task  # noqa: F401
from tests.browser.writing_desk import TEXT, WritingDesk
from tests.test_joined_scripts import read
from tests.writing import making
from writing.actions import holding, samples

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
SCRIPTS = """() => performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname)
  .filter((path) => path.endsWith(".js")).sort()"""


@pytest.fixture
def watched(watched, settings):  # noqa: F811 - the fixture of that name, and more
    settings.SCRIPTS_JOINED = True

    def answer(text: str) -> Callable[[Route], None]:
        return lambda route: route.fulfill(body=text, content_type="text/javascript")

    def watch(page: Page) -> None:
        for name in PAGES:
            page.route(f"**/static/{name}", answer(joined(name, read)))
        watched(page)

    return watch


def test_an_answer_is_marked_saved_and_submitted(desk, project, annotator):  # noqa: F811
    page = desk(project)
    page.mark("white", "a")
    assert page.spans(annotator) == [(4, 9, "A")]
    assert page.page.evaluate(SCRIPTS) == ["/static/js/label/main.js", "/static/js/shared/early.js"]
    page.press("Control+Enter")
    expect(page.page.locator("#done")).to_be_visible()


def test_a_sample_is_written_and_marked(desk_for, project):  # noqa: F811
    writer = factories.join(project, "author", "writer", ("en",))
    sample = samples.start(writer, making.make_brief(project).pk)
    desk = WritingDesk(desk_for(writer, f"../writing/{sample.pk}/"), sample)
    desk.write()
    desk.label("A")
    desk.error("Two")
    assert desk.stored().text == TEXT
    desk.page.goto(desk.page.url.rsplit("writing/", 1)[0] + "writing/")
    expect(desk.page.locator("main")).to_be_visible()


def test_a_translation_is_edited(desk_for, task, editor):  # noqa: F811
    holding.begin(editor, task.pk)
    page = desk_for(editor, f"../translations/{task.pk}/").page
    field = page.locator("#text")
    field.press("End")
    field.type(" Oui.")
    expect(page.locator("#state")).to_have_attribute("data-state", "saved")
    task.refresh_from_db()
    assert task.text.endswith(" Oui.")
