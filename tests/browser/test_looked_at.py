"""What only a browser shows: pages that are older than a save, ends of the work, narrow lines."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.actions import reports
from annotation.models import Item
from tests import factories
from tests.browser.writing_desk import WritingDesk
from tests.writing import making
from writing.actions import holding, samples

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
WIDTHS = """() => [...document.querySelectorAll("main [type=radio], main [type=checkbox]")]
  .map((input) => [input.offsetWidth, input.name]).filter(([width]) => width < 20)"""


@pytest.fixture
def project(db):
    return factories.make_project(languages=("en", "fr"))


def _older_page(desk, saved):
    """Load the page again as it was before what stands in it was saved."""

    heard = []
    desk.page.on("requestfinished", lambda asked: heard.append(asked.method))

    def late(route):
        reply = route.fetch()
        for _ in range(100):
            desk.page.wait_for_timeout(50)  # also for the page that is going, once it has heard
            if "PUT" in heard:
                break
        desk.page.wait_for_timeout(50)
        route.fulfill(response=reply)

    desk.page.route(desk.page.url, late)
    desk.page.reload()
    desk.ready()
    expect(desk.page.locator("#text")).to_have_value(saved)
    expect(desk.state).to_have_attribute("data-state", "saved")


def test_a_page_that_was_made_before_the_last_save_shows_it_all_the_same(
    desk_for, project, coordinator
):
    writer = factories.join(project, "writer", "writer")
    sample = samples.start(writer, making.make_brief(project).pk)
    desk = WritingDesk(desk_for(writer, f"../writing/{sample.pk}/"), sample)
    desk.write("Two goats.")
    _older_page(desk, "Two goats.")

    root = making.accepted(writer, coordinator, making.make_brief(project, "other"))
    task = making.tasks_of(project, root)["fr"]
    holding.begin(writer, task.pk)
    desk = desk_for(writer, f"../translations/{task.pk}/")
    desk.page.locator("#text").fill("Deux moutons.")
    _older_page(desk, "Deux moutons.")


def test_the_end_of_the_work_tells_of_an_item_that_was_taken_back(
    desk_for, project, annotator, coordinator
):
    desk = desk_for(annotator)
    expect(desk.page.locator("#done-title")).to_have_text("Nothing waits for you here yet")
    factories.make_item(project)
    desk.open()
    desk.drag_over("Two")
    desk.page.keyboard.press("a")
    expect(desk.state).to_have_attribute("data-state", "saved")
    one = desk.page.url
    reports.retire(coordinator, Item.objects.get())
    desk.open()
    expect(desk.page.locator("#done-title")).to_have_text(
        "Thank you: nothing waits for you here now"
    )
    expect(desk.page.locator("#done-resting")).to_contain_text("1 item that you began")
    desk.page.goto(one)
    expect(desk.page.locator("#standing")).to_contain_text("What you marked is kept")
    desk.page.get_by_role("button", name="Next item").click()
    expect(desk.page.locator("#done-resting")).to_be_visible()


def test_choices_keep_their_size_beside_long_words_and_a_search_in_vain_says_so(
    live_server, browser, browser_context_args, log_in, watched, project, coordinator
):
    for n in range(5):
        factories.make_item(project, f"item-{n}")
    narrow = {"viewport": {"width": 390, "height": 844}}
    with browser.new_context(**(browser_context_args | narrow)) as context:
        log_in(context, coordinator)
        page = context.new_page()
        watched(page)
        for name in ("export", "import"):
            page.goto(f"{live_server.url}/p/{project.slug}/{name}/")
            assert page.evaluate(WIDTHS) == []
        page.goto(f"{live_server.url}/p/{project.slug}/items/")
        page.get_by_label("Show rows with").fill("wolf")
        expect(page.get_by_text("No row of this table has these words")).to_be_visible()
        page.get_by_label("Show rows with").fill("item-3")
        expect(page.get_by_text("No row of this table has these words")).to_have_count(0)
        expect(page.locator("tbody tr:visible")).to_have_count(1)
