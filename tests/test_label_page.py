"""The labelling page before its scripts run: who may see it, and what it carries."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from annotation.actions import places
from annotation.models import Annotation, Assignment, Label
from annotation.views.label import MODULES
from annotation.views.label_words import words
from tests import factories

SCRIPTS = Path(__file__).parents[1] / "static" / "js" / "label"
SOURCE = "\n".join(path.read_text() for path in sorted(SCRIPTS.glob("*.js")))


def address(project, tail=""):
    return f"/p/{project.slug}/label/{tail}"


def settings_in(reply) -> dict:
    found = re.search(r'id="label-settings" type="application/json">(.*?)</script>', reply.text)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("tail", ["", "1/", "back/"])
def test_the_page_is_for_the_projects_annotators(project, coordinator, stranger, page_as, tail):
    assert page_as(coordinator).get(address(project, tail)).status_code == 403
    assert page_as(stranger).get(address(project, tail)).status_code == 404
    reply = page_as(None).get(address(project, tail))
    assert reply.status_code == 302 and reply["Location"].startswith("/accounts/login/")


def test_opening_the_page_claims_nothing(project, annotator, page_as):
    factories.make_item(project)
    page = page_as(annotator)
    assert page.get(address(project)).status_code == 200
    assert page.head(address(project)).status_code == 200
    assert page.post(address(project)).status_code == 405
    assert not Annotation.objects.exists()
    assert set(Assignment.objects.values_list("state", flat=True)) == {"open"}


def test_the_page_takes_six_queries_at_most(
    project, annotator, page_as, django_assert_max_num_queries
):
    page = page_as(annotator)
    with django_assert_max_num_queries(6):
        page.get(address(project))


def test_the_page_carries_labels_in_order_but_no_archived_ones(project, annotator, page_as):
    Label.objects.filter(code="B").update(archived=True)
    factories.make_item(project)
    place = places.claim(annotator, project.slug).place_id
    settings = settings_in(page_as(annotator).get(address(project, f"{place}/")))
    assert [label["code"] for label in settings["labels"]] == ["A", "C", "D", "E"]
    assert settings["assignment"] == place and settings["person"] == annotator.pk
    assert "seed" not in json.dumps(settings) and "pseudonym" not in json.dumps(settings)


def test_guidelines_are_shown_as_html_that_is_safe(project, annotator, coordinator, page_as):
    project.guidelines = "# Look\n\n<script>alert(1)</script> [x](javascript:alert(1))"
    project.save()
    for user in (annotator, coordinator):
        reply = page_as(user).get(f"/p/{project.slug}/guidelines/")
        assert "<h1>Look</h1>" in reply.text
        assert "<script>alert" not in reply.text and 'href="javascript' not in reply.text


def test_every_script_is_loaded_ahead_and_every_one_exists():
    assert sorted(MODULES) == sorted(path.stem for path in SCRIPTS.glob("*.js"))


def test_every_sentence_the_scripts_say_exists_and_is_said():
    said = set(re.findall(r'(?<![\w.])"([a-z]+(?:_[a-z]+)*)"', SOURCE))
    asked = set(re.findall(r'say\(\s*"(\w+)"', SOURCE))
    assert asked <= words().keys()
    states = {name for name in words() if name.startswith("state_")}
    assert words().keys() - states - {"state_"} <= said


def test_the_scripts_put_no_text_into_the_page_as_html():
    assert "innerHTML" not in SOURCE and "insertAdjacentHTML" not in SOURCE
