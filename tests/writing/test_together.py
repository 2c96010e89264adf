"""Accepting and publishing many samples: counted first, refused by key, never half of one."""

from __future__ import annotations

import pytest

from annotation.errors import Forbidden, Unknown
from annotation.models import Item
from tests import factories
from tests.writing import making
from writing.actions import review
from writing.actions.together import decide_together
from writing.models import Sample

PATH = "/p/flock/samples/together/"


@pytest.fixture
def sent(project, writer):
    texts = ("A tram in the rain, and nobody inside.", "The mountain has new snow.", "Old bikes.")
    return [
        making.submitted(writer, making.make_brief(project, f"b-{n}"), text=text)
        for n, text in enumerate(texts)
    ]


def test_it_is_the_coordinators(project, writer, sent):
    reviewer = factories.join(project, "reviewer", "reviewer")
    for user in (writer, reviewer):
        with pytest.raises(Forbidden):
            decide_together(user, project, "accept", [sent[0].pk])
    with pytest.raises(Unknown):
        decide_together(None, project, "send_back", [sent[0].pk])
    assert not Sample.objects.exclude(state="submitted").exists()


def test_the_good_ones_are_done_and_the_others_named(project, coordinator, sent):
    review.send_back(coordinator, sent[1].pk, "Longer.")
    elsewhere = factories.make_project("elsewhere")
    far = making.submitted(
        factories.join(elsewhere, "far", "writer"), making.make_brief(elsewhere, "far")
    )
    pks = [sample.pk for sample in (*sent, far)]
    report = decide_together(coordinator, project, "accept", pks)
    assert report.done == [sent[0].key, sent[2].key]
    [(key, reason)] = report.refused
    assert key == sent[1].key and "Returned" in reason
    assert Sample.objects.get(pk=far.pk).state == "submitted"
    Item.objects.create(
        project=project, key=review.item_key(sent[0]), language="en", response="x", number=1
    )
    assert decide_together(coordinator, project, "publish", pks).done == report.done
    assert Item.objects.filter(sample__isnull=False).count() == 2


def test_the_page_counts_first_and_lists_refusals(project, coordinator, sent, page_as):
    page = page_as(coordinator)
    assert "Choose Sample" not in page.get("/p/flock/samples/").text
    assert page.post(PATH, {"decision": "accept"}, follow=True).text.count("Choose samples in")
    assert page.post(PATH, {"decision": "burn", "sample": "1"}).status_code == 302
    review.accept(coordinator, sent[0].pk)
    body = {"decision": "accept", "sample": [str(s.pk) for s in sent] + ["x", "9" * 30]}
    asked = page.post(PATH, body).text
    assert "Accept 2 samples?" in asked and "1 chosen sample is left alone" in asked
    assert Sample.objects.filter(state="submitted").count() == 2
    late = page.post(PATH, body | {"sure": "1"})
    assert late.status_code == 422 and f"<strong>{sent[0].key}</strong>" in late.text
    assert Sample.objects.filter(state="accepted").count() == 3
    body["decision"] = "publish"
    done = page.post(PATH, body | {"sure": "1"}, follow=True)
    assert "3 samples are published." in done.text and Item.objects.count() == 3


def test_what_the_pages_count_is_explained(project, coordinator, writer, sent, page_as):
    making.written(writer, making.make_brief(project, "bare"), label=None, text="No label as yet.")
    text = " ".join(page_as(coordinator).get("/p/flock/samples/").text.split())
    assert "en: 3 with a label, which the writers' pages count, and 1 without" in text
