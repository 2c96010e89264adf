"""What people met on the pages: no dead ends, and no end of the work that forgets theirs."""

from __future__ import annotations

import re

import pytest

from annotation.actions import answers, places, reports
from annotation.records import Answer, SpanRecord
from tests import factories, pages

LINKS = re.compile(r'(?:href|src)="(/[^"#]*)"')


@pytest.fixture
def place(project, annotator):
    """A place of the annotator's with a saved draft; there is no other item."""
    factories.make_item(project, places=2)
    mine = places.claim(annotator, project.slug)
    draft = Answer((SpanRecord(0, 3, "A"),), "")
    answers.save(annotator, mine.place_id, draft, mine.version, 0, False)
    return mine.place


def retired(place, coordinator, second):
    reports.retire(coordinator, place.item)


def held(place, coordinator, second):
    other = places.claim(second, place.item.project.slug)
    reports.report(second, other.place_id, "The picture is black.")


@pytest.mark.parametrize("away", [retired, held])
def test_a_draft_in_an_item_that_was_taken_back_is_not_passed_over(
    project, annotator, second, coordinator, api_as, page_as, place, away
):
    api, address = api_as(annotator), f"/api/v1/projects/{project.slug}/"
    one = f"/api/v1/assignments/{place.pk}/"
    assert api.get(one).json()["state"] == "claimed"
    away(place, coordinator, second)
    assert api.post(f"{address}claim/").status_code == 204
    assert api.get(address).json()["resting"] == 1
    assert api.get(one).json()["resting"] is True
    assert "with your coordinator" in page_as(annotator).get("/").text
    place.item.refresh_from_db()
    reports.put_back(coordinator, place.item)
    assert api.post(f"{address}claim/").json()["id"] == place.pk
    assert api.get(address).json()["resting"] == 0
    assert "with your coordinator" not in page_as(annotator).get("/").text


def test_only_what_was_marked_is_missed(project, annotator, second, coordinator, api_as, place):
    """Neither an item that was fetched ahead and never touched, nor anybody else's."""
    places.claim(second, project.slug)
    reports.retire(coordinator, place.item)
    address = f"/api/v1/projects/{project.slug}/"
    assert api_as(second).get(address).json()["resting"] == 0
    assert api_as(coordinator).get(address).json()["resting"] == 0


def test_what_a_reviewer_is_shown_leads_nowhere_that_refuses(project, page_as, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    users = pages.crowd(project)
    named = pages.fill(project, users)
    client = page_as(users["reviewer"])
    for name in ("item", "sample"):
        text = client.get(pages.TABLE[name].path.format(**named)).text
        main = text.partition("<main")[2]
        assert "<form" not in main
        for link in set(LINKS.findall(main)):
            assert client.get(link.replace("&amp;", "&")).status_code == 200, link
        assert not re.search(r"</h2>\s*(<div[^>]*>\s*</div>\s*)*</section>", main)


def test_a_project_without_items_gets_no_figures_of_nothing(project, coordinator, page_as):
    text = page_as(coordinator).get(f"/p/{project.slug}/agreement/").text
    assert "<figure" not in text and f"/p/{project.slug}/import/" in text.partition("<h1")[2]
