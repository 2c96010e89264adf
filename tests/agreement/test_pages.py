"""The agreement page, its downloads and the API: right after every submission, names kept."""

from __future__ import annotations

import json

import pytest

from agreement import compute
from agreement.actions import reports
from agreement.models import StoredReport
from agreement.selectors import units_of
from annotation.actions import aside, people
from annotation.actions import reports as item_reports
from annotation.models import Annotation, Item
from tests import factories
from tests.agreement.projects import flock, mark
from tests.files import jsonl, load, run

API = "/api/v1/projects/flock/agreement/"
PAGE = "/p/flock/agreement/"
FILES = ("report.csv", "report.json", "report.tex", "items.csv", "spans.csv", "expected.csv",
         "intended.csv", "people.csv", "pairs.csv", "lowest.csv")  # fmt: skip
FIGURES = ("intervals", "items", "spans-strategy", "spans-language", "expected")


def whole(api) -> dict:
    return api.get(API).json()["groups"][0]


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("by=colour", "by"),
        ("by=a,,b", "by"),
        ("resamples=x", "resamples"),
        ("resamples=20001", "resamples"),
        ("seed=-1", "seed"),
        ("level=2", "level"),
        ("interval=exact", "interval"),
    ],
)
def test_api_and_page_refuse_the_same_and_name_the_option(
    project, coordinator, api_as, page_as, query, where
):
    flock(project, 1)
    reply = api_as(coordinator).get(f"{API}?{query}")
    assert reply.status_code == 422
    assert reply.json()["errors"][0]["where"] == where
    shown = page_as(coordinator).get(f"{PAGE}?{query}")
    assert shown.status_code == 422 and f"<strong>{where}</strong>" in shown.content.decode()
    for file in ("report.csv", "figures/items.svg"):
        assert page_as(coordinator).get(f"{PAGE}{file}?{query}").status_code == 422


def test_the_api_gives_the_same_json_as_the_command(project, coordinator, api_as):
    flock(project)
    words = ["--by", "strategy", "--by", "language", "--resamples", "200", "--seed", "5"]
    told = json.loads(run("agreement", "flock", *words, "--json")[1])
    query = "by=strategy&by=language&resamples=200&seed=5"
    assert api_as(coordinator).get(f"{API}?{query}").json() == told


def test_a_report_is_right_after_every_submission(project, coordinator, api_as):
    users, items = flock(project)
    api = api_as(coordinator)
    before = whole(api)
    assert before == whole(api)
    item = factories.make_item(project, "new", response="Two white sheep.")
    for user in users[:2]:
        mark(user, item, (0, 3, "A"))
    after = whole(api)
    assert (before["n_items"], after["n_items"]) == (4, 5)
    assert after["estimates"]["span_iou"] != before["estimates"]["span_iou"]


def test_a_corrected_answer_a_retired_item_and_a_changed_field_all_count_at_once(
    project, coordinator, api_as, tmp_path
):
    users, items = flock(project)
    api = api_as(coordinator)
    first = whole(api)
    mine = Annotation.objects.get(item=items[0], annotator__user=users[0])
    place = api_as(users[0]).put(
        f"/api/v1/assignments/{mine.place_id}/",
        {"spans": [{"start": 0, "end": 3, "label": "D"}], "version": mine.version, "submit": True},
        format="json",
    )
    assert place.status_code == 200
    corrected = whole(api)
    assert corrected["estimates"]["span_iou"] != first["estimates"]["span_iou"]
    item_reports.retire(coordinator, Item.objects.get(pk=items[1].pk))
    assert whole(api)["n_items"] == 3
    item_reports.put_back(coordinator, Item.objects.get(pk=items[1].pk))
    assert whole(api) == corrected
    names = [group["by"]["model"] for group in api.get(f"{API}?by=model").json()["groups"][1:]]
    assert names == [None]
    row = {"key": "item-0", "language": "en", "response": items[0].response, "model": "gamma"}
    row |= {"question": items[0].question}
    code, out, err = load(jsonl(tmp_path / "again.jsonl", row))
    assert (code, out) == (0, "new 0, same 0, changed 1, refused 0\n"), err
    names = [group["by"]["model"] for group in api.get(f"{API}?by=model").json()["groups"][1:]]
    assert names == ["gamma", None]
    alone = Annotation.objects.filter(item=items[0]).order_by("pk")[:2]
    for annotation in alone:
        aside.set_aside(coordinator, annotation)
    assert (whole(api)["n_items"], whole(api)["n_left_out"]) == (3, 1)


def test_items_that_change_places_change_the_report(project, coordinator, api_as):
    """Sums of keys are alike when 1 and 4 go and 2 and 3 come back."""
    users = [factories.join(project, f"reader-{n}", "annotator") for n in range(2)]
    items = [factories.make_item(project, f"item-{n}", response="Two sheep.") for n in range(4)]
    for n, one in enumerate(items):
        mark(users[0], one, (0, 3, "A"))
        mark(users[1], one, *([(0, 3, "A")] if n in (0, 3) else []))
    api, found = api_as(coordinator), []
    for out, back in (((0, 3), ()), ((1, 2), (0, 3))):
        for n in back:
            item_reports.put_back(coordinator, Item.objects.get(pk=items[n].pk))
        for n in out:
            item_reports.retire(coordinator, Item.objects.get(pk=items[n].pk))
        found.append(whole(api)["estimates"]["presence_alpha_free"]["value"])
    assert found == [-1.0, 1.0]


@pytest.mark.parametrize("name", ["resample", "labels_of", "BY"])
def test_the_api_refuses_a_parameter_that_it_does_not_have(project, coordinator, api_as, name):
    reply = api_as(coordinator).get(f"{API}?{name}=5")
    assert reply.status_code == 422
    assert reply.json()["errors"][0]["where"] == name


@pytest.mark.parametrize("path", ["", "compare/", "report.csv", "figures/items.svg"])
def test_pages_only_answer_to_reading(project, coordinator, page_as, path):
    assert page_as(coordinator).post(PAGE + path).status_code == 405


def test_an_unsent_correction_changes_nothing(project, coordinator, api_as):
    users, items = flock(project)
    api = api_as(coordinator)
    before = whole(api)
    mine = Annotation.objects.get(item=items[0], annotator__user=users[0])
    reply = api_as(users[0]).put(
        f"/api/v1/assignments/{mine.place_id}/",
        {"spans": [], "no_hallucination": True, "version": mine.version, "submit": False},
        format="json",
    )
    assert reply.status_code == 200
    assert whole(api) == before


def test_the_same_state_is_computed_once(project, coordinator, api_as, monkeypatch):
    flock(project)
    api = api_as(coordinator)
    first = api.get(API).json()
    monkeypatch.setattr(reports, "units_of", lambda project: pytest.fail("computed again"))
    assert api.get(API).json() == first
    assert StoredReport.objects.count() == 1


def test_old_answers_are_forgotten(project, coordinator, api_as, monkeypatch):
    monkeypatch.setattr(reports, "KEPT", 3)
    flock(project, 2)
    for seed in range(5):
        api_as(coordinator).get(f"{API}?seed={seed}&resamples=10")
    assert StoredReport.objects.count() == 3


@pytest.mark.parametrize("count", [2, 8])
def test_reading_the_data_costs_the_same_queries_whatever_the_size(
    project, count, django_assert_num_queries
):
    flock(project, count)
    with django_assert_num_queries(5):
        assert len(units_of(project)) == count


def test_a_report_from_a_process_beside_is_the_same(project, coordinator, api_as, monkeypatch):
    flock(project)
    query = f"{API}?by=strategy&interval=bca"
    here = api_as(coordinator).get(query).json()
    StoredReport.objects.all().delete()
    monkeypatch.setattr(compute, "SMALL", 0)
    assert api_as(coordinator).get(query).json() == here
    refused = api_as(coordinator).get(f"{API}?by=colour")
    assert refused.status_code == 422 and "colour" in refused.json()["errors"][0]["message"]


def test_a_second_large_report_waits_its_turn_and_is_refused_kindly(
    project, coordinator, api_as, page_as, monkeypatch
):
    flock(project, 1)
    monkeypatch.setattr(compute, "SMALL", 0)
    monkeypatch.setattr(compute, "WAIT", 0.01)
    with compute._turn:
        reply = api_as(coordinator).get(API)
        shown = page_as(coordinator).get(PAGE)
    assert (reply.status_code, shown.status_code) == (503, 503)
    assert "ask again in a minute" in reply.json()["errors"][0]["message"]


def test_downloads_hold_pseudonyms_and_never_a_name(project, coordinator, page_as):
    users, _ = flock(project)
    page = page_as(coordinator)
    found = {name: page.get(PAGE + name) for name in FILES}
    assert {name for name, reply in found.items() if reply.status_code != 200} == set()
    text = "".join(reply.content.decode() for reply in found.values())
    drawn = "".join(page.get(f"{PAGE}figures/{f}.svg").content.decode() for f in FIGURES)
    assert "reader-" not in text + drawn
    pseudonyms = set(project.participants.values_list("pseudonym", flat=True))
    assert sum(pseudonym in text for pseudonym in pseudonyms) == len(users)
    assert "reader-0" in page.get(PAGE).content.decode()


def test_the_page_shows_every_group_the_people_and_the_items_to_talk_about(
    project, coordinator, page_as
):
    _, items = flock(project)
    shown = page_as(coordinator).get(f"{PAGE}?by=strategy&by=seed").content.decode()
    for words in ("By strategy", "By seed", "(none)", "4 items have answers of two or more people",
                  "1,000 resamples of items, seed 0", "Span IoU of every two people"):  # fmt: skip
        assert words in shown
    assert f"/p/flock/items/{items[0].pk}/" in shown


def test_an_empty_project_says_what_to_do_next(project, coordinator, page_as):
    shown = page_as(coordinator).get(PAGE).content.decode()
    assert "agreement begins with the first one" in shown
    for name in FIGURES:
        for kind in ("svg", "png", "pdf"):
            assert page_as(coordinator).get(f"{PAGE}figures/{name}.{kind}").status_code == 200
    assert "Nobody has submitted an answer yet." in shown


@pytest.mark.parametrize(
    "path", ["figures/nothing.svg", "figures/items.gif", "nothing.csv", "items.tex"]
)
def test_an_unknown_figure_or_table_is_not_found(project, coordinator, page_as, path):
    assert page_as(coordinator).get(PAGE + path).status_code == 404


def test_somebody_who_left_still_counts_under_the_pseudonym(project, coordinator, api_as):
    users, _ = flock(project)
    api = api_as(coordinator)
    before = whole(api)
    person = project.participants.get(user=users[0])
    people.remove_member(coordinator, person)
    assert whole(api) == before


def test_four_annotators_on_one_item_and_one_alone_are_both_taken(project, coordinator, api_as):
    users, _ = flock(project, 1)
    users.append(factories.join(project, "reader-3", "annotator"))
    item = factories.make_item(project, "four", places=4, response="Two white sheep.")
    for user in users:
        mark(user, item, (0, 3, "A"))
    alone = factories.make_item(project, "alone", places=1, response="Two white sheep.")
    mark(users[0], alone)
    found = whole(api_as(coordinator))
    assert (found["n_items"], found["n_left_out"]) == (2, 1)
