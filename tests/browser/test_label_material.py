"""Picture and context beside the answer; what costs nothing on the way; and calm."""

from __future__ import annotations

import io

import pytest
from django.core.files.base import ContentFile
from PIL import Image as Pixels
from playwright.sync_api import expect

from annotation.models import Image
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


@pytest.fixture
def picture(project):
    data = io.BytesIO()
    Pixels.new("RGB", (1600, 900), "#7fae6a").save(data, "JPEG")
    image = Image(project=project, name="meadow.jpg", width=1600, height=900, sha256="0" * 64)
    image.file.save("meadow.jpg", ContentFile(data.getvalue()), save=False)
    image.save()
    return image


def scale(page) -> float:
    return page.page.evaluate(
        "new DOMMatrix(getComputedStyle(document.getElementById('picture')).transform).a"
    )


def test_picture_question_and_answer_are_seen_together(desk, project, picture):
    page = desk(project, image=picture, image_name=picture.name, response="Sheep. " * 40)
    page.page.wait_for_function("() => document.getElementById('picture').naturalWidth > 0")
    for part in ("#picture", "#question", "#response", "#submit"):
        box = page.page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 800, part
    assert page.page.locator("#material").bounding_box()["width"] <= 0.55 * 1280


def test_the_picture_is_zoomed_by_wheel_buttons_and_keys(desk, project, picture):
    page = desk(project, image=picture, image_name=picture.name)
    box = page.page.locator("#stage").bounding_box()
    page.page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.page.mouse.wheel(0, -400)
    page.page.wait_for_function(
        "() => document.getElementById('stage').classList.contains('zoomed')"
    )
    assert 1.5 < scale(page) < 3
    page.press("0")
    assert scale(page) == 1
    page.press("+")
    page.page.locator("#zoom-in").click()
    assert scale(page) == pytest.approx(1.96)
    page.page.locator("#zoom-fit").click()
    assert scale(page) == 1


def test_a_picture_that_is_gone_is_said(desk, project, picture):
    picture.file.delete(save=False)
    page = desk(project, image=picture, image_name=picture.name)
    expect(page.page.locator("#missing")).to_be_visible()


def test_the_picture_grows_by_a_tap_on_a_phone(desk_for, project, annotator, picture):
    factories.make_item(project, image=picture, image_name=picture.name)
    options = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = desk_for(annotator, **options)
    before = page.page.locator("#material").bounding_box()["height"]
    assert before < 0.36 * 844
    page.page.locator("#stage").tap()
    assert page.page.locator("#material").bounding_box()["height"] > 1.8 * before
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(
    ("form", "text", "shown"),
    [
        ("plain", "two  sheep\n<b>here</b>", "two  sheep\n<b>here</b>"),
        ("json", '{"a":[1.50,{}]}', '{\n  "a": [\n    1.50,\n    {}\n  ]\n}'),
        ("json", "{broken", "{broken"),
        ("code", "if a:\n    b()", "if a:\n    b()"),
        ("markdown", "# Two\n\n**sheep**<b>x</b>", "Two\nsheep<b>x</b>\n"),
    ],
)
def test_a_context_is_shown_as_what_it_is(desk, project, form, text, shown):
    page = desk(project, context=text, context_format=form)
    assert page.page.locator("#context").text_content() == shown


def test_marking_moves_nothing_else(desk, project):
    page = desk(project)
    parts = ("#question", "#response", "#legend", "#none", "#submit", "#state")
    before = [page.page.locator(part).bounding_box() for part in parts]
    page.mark("white", "a")
    page.mark("hite", "b")
    page.press("Escape")
    after = [page.page.locator(part).bounding_box() for part in parts]
    for part, old, new in zip(parts, before, after, strict=True):
        assert part == "#state" or (old["x"], old["y"]) == (new["x"], new["y"]), part
    assert page.page.evaluate("document.getElementById('response').childNodes.length") == 1


def test_the_next_item_and_its_picture_are_there_before_they_are_asked_for(
    desk_for, project, annotator, picture
):
    for key in ("one", "two"):
        factories.make_item(
            project, key, response=f"Sheep {key}.", image=picture, image_name=picture.name
        )
    page = desk_for(annotator)
    page.page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.method + request.url))
    page.press("n", "Control+Enter")
    expect(page.page.locator("#none")).not_to_be_checked()
    assert not any("claim" in one for one in asked[:1]) and asked[0].startswith("PUT")


def test_the_page_is_small(desk_for, project, annotator):
    factories.make_item(project)
    page = desk_for(annotator)
    requests: list[str] = []
    page.page.on("request", lambda request: requests.append(request.url))
    page.page.reload()
    page.ready()
    page.page.wait_for_load_state("networkidle")
    assert len(requests) <= 30, requests
    assert len(set(requests)) >= len(requests) - 1  # two claims; nothing else is asked for twice


ASKED = """() => performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname)
  .filter((path) => path.startsWith("/api/"))"""


def test_the_first_item_is_asked_for_once_while_the_scripts_come(
    desk, desk_for, project, annotator
):
    """Asked a second time, it would cost every item's wait twice."""
    page = desk(project).page
    claim = f"/api/v1/projects/{project.slug}/claim/"
    page.wait_for_load_state("networkidle")
    assert page.evaluate(ASKED).count(claim) == 2  # this item, and the next one ahead
    place = page.url.rstrip("/").rpartition("/")[2]
    again = desk_for(annotator, f"{place}/").page
    again.wait_for_load_state("networkidle")
    asked = again.evaluate(ASKED)
    assert asked.count(f"/api/v1/assignments/{place}/") == 1 and asked.count(claim) == 1
