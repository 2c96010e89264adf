"""From briefs to a labelled data set in Chromium: written, translated, published, labelled."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from annotation.models import Annotation, Assignment, Item
from tests import factories
from tests.browser.desk import Desk
from tests.browser.writing_desk import WritingDesk
from tests.files import exported
from tests.writing import making
from writing.actions.translations import import_translations
from writing.models import Sample

pytestmark = pytest.mark.django_db(transaction=True)
BY_HAND = "Three black sheep stand on the hill."
CORRECT = "Two white sheep stand on the hill."
MACHINE = "Trois moutons noirs sont sur la coline."
FRENCH = "Trois moutons noirs sont sur la colline."


@pytest.fixture
def project(db):
    return factories.make_project(languages=("en", "fr"))


@pytest.fixture
def signed_in(live_server, browser, browser_context_args, watched):
    """``signed_in(name)``: a page in a browser of one's own, after the login form."""
    contexts = []

    def build(name: str):
        context = browser.new_context(**browser_context_args)
        contexts.append(context)
        page = context.new_page()
        watched(page)
        page.goto(f"{live_server.url}/accounts/login/")
        page.fill("input[name=login]", name)
        page.fill("input[name=password]", factories.PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(f"{live_server.url}/")
        return page

    yield build
    for context in contexts:
        context.close()


def write_two(page, address: str) -> list[Sample]:
    """One sample by hand, one in edit mode, both sent; the balance moves."""
    page.goto(f"{address}/p/flock/writing/")
    page.get_by_role("button", name="Begin").first.click()
    page.wait_for_url("**/writing/*/")
    desk = WritingDesk(Desk(page, address), Sample.objects.get())
    page.wait_for_selector("html[data-ready='1']")
    desk.write(BY_HAND)
    desk.label("B")
    desk.error("black")
    assert desk.marks() == ["black"]
    desk.send()
    expect(page.locator("#done")).to_be_visible()
    page.locator("#done a").click()
    page.get_by_role("button", name="Begin").first.click()
    page.wait_for_url("**/writing/*/")
    page.wait_for_selector("html[data-ready='1']")
    desk = WritingDesk(Desk(page, address), Sample.objects.get(state="draft"))
    desk.label("A")
    desk.edit_mode()
    desk.replace("sheep", "cows")
    assert desk.marks() == ["cows"]
    desk.send()
    expect(page.locator("#done")).to_be_visible()
    return list(Sample.objects.order_by("pk"))


def decide(page, address: str, sample: Sample, *words: str) -> None:
    page.goto(f"{address}/p/flock/samples/{sample.pk}/")
    for name in words:
        page.get_by_role("button", name=name, exact=True).click()
    sample.refresh_from_db()


def post_edit(page, address: str, task: Sample) -> None:
    page.goto(f"{address}/p/flock/translations/{task.pk}/")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("html[data-ready='1']")
    page.fill("#own-question", "Qu'y a-t-il ?")
    page.fill("#text", FRENCH)
    desk = Desk(page, address)
    desk.drag_over("noirs")
    page.locator("#mark").click()
    expect(page.locator("#marks li")).to_have_count(1)
    page.locator("#confirm").check()
    page.locator("#send").click()
    expect(page.locator("#done")).to_be_visible()


def label_all(desk_for, user, count: int) -> None:
    desk = desk_for(user)
    for n in range(count):
        shown = desk.text
        assert desk.page.locator("body").inner_text().count("human") == 0
        desk.mark(shown.split()[1], "a")
        desk.press("Control+Enter")
        if n < count - 1:
            expect(desk.page.locator("#response")).not_to_have_text(shown)
    expect(desk.page.locator("#done")).to_be_visible()


def test_samples_go_from_a_brief_to_a_labelled_data_set(
    live_server, desk_for, signed_in, project, coordinator
):
    writer = factories.join(project, "writer", "writer", ("en",))
    editor = factories.join(project, "editor", "writer", ("fr",))
    readers = [factories.join(project, f"reader-{n}", "annotator") for n in range(3)]
    for n in range(2):
        making.make_brief(project, f"brief-{n}", answer=CORRECT)
    address = live_server.url
    by_hand, edited = write_two(signed_in("writer"), address)
    assert (by_hand.state, edited.state, edited.origin) == ("submitted", "submitted", "edited")
    assert edited.edits == [{"start": 10, "end": 15, "original": "sheep", "hallucinated": "cows"}]
    desk = signed_in("coordinator")
    for sample in (by_hand, edited):
        decide(desk, address, sample, "Accept", "Publish")
        assert sample.state == "published"
    rows = [{"sample": by_hand.key, "language": "fr", "text": MACHINE}]
    import_translations(coordinator, project, making.lines(*rows), "mt.jsonl")
    task = Sample.objects.get(root=by_hand, language="fr")
    post_edit(signed_in("editor"), address, task)
    decide(desk, address, task, "Accept", "Publish")
    assert (task.char_distance, task.word_distance) == (1, 1)
    for reader in readers:
        label_all(desk_for, reader, 3)
    assert set(Assignment.objects.values_list("state", flat=True)) == {"submitted"}
    assert Annotation.objects.filter(state="submitted").count() == 9
    authors = {writer: 2, editor: 1}
    for user, count in authors.items():
        person = project.participants.get(user=user)
        assert Item.objects.filter(author=person.pseudonym).count() == count
    told = [json.loads(line) for line in exported("flock", "jsonl").splitlines()]
    french = next(item for item in told if item["language"] == "fr")
    assert french["expectation"] == {
        "label": "B",
        "spans": [{"start": 14, "end": 19, "label": "B"}],
    }
    lineage = french["metadata"]["lineage"]
    assert (lineage["root"], lineage["chain"]) == (by_hand.key, ["en", "fr"])
    sheep = [json.loads(line) for line in exported("flock", "sheep").splitlines()]
    assert {row["metadata"]["strategy"] for row in sheep} == {"human"}
    assert [row["metadata"]["prelabel"] for row in sheep] == ["B", "A", "B"]
    assert all(len(row["raw_annots"]) == 3 for row in sheep)
    desk.goto(f"{address}/p/flock/agreement/")
    expect(desk.get_by_role("heading", name="Intended errors that were found")).to_be_visible()
    desk.wait_for_load_state("networkidle")  # figures are still being drawn
