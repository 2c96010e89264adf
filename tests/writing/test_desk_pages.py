"""The writer's home and the writing page before its scripts run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Label
from tests import pages
from tests.writing import making
from writing.actions import review, samples
from writing.models import Sample
from writing.selectors.desk import language_name, slices
from writing.views.desk import MODULES
from writing.views.desk_words import words

SCRIPTS = Path(__file__).parents[2] / "static" / "js"
SOURCE = "\n".join(path.read_text() for path in sorted((SCRIPTS / "writing").glob("*.js")))
HOME = "/p/flock/writing/"


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def page(page_as, writer):
    return page_as(writer)


def settings_in(reply) -> dict:
    found = re.search(r'id="label-settings" type="application/json">(.*?)</script>', reply.text)
    assert found
    return json.loads(found[1])


def test_home_lists_free_briefs_of_the_writers_languages_in_random_order(page, project, other):
    making.make_brief(project, "b-1", question="Second?", number=7)
    making.make_brief(project, "b-2", question="First?", number=3)
    making.make_brief(project, "b-3", question="Français ?", language="fr")
    taken = making.make_brief(project, "b-4", question="Taken?")
    samples.start(other, taken.pk)
    text = page.get(HOME).text
    assert 0 < text.index("First?") < text.index("Second?")
    assert "Français ?" not in text and "Taken?" not in text
    assert "Français ?" not in page.get(HOME + "?language=fr").text


def test_home_shows_a_shared_brief_until_one_has_begun_it(page, project, writer, other):
    brief = making.make_brief(project, "b-1", question="Shared?", shared=True)
    samples.start(other, brief.pk)
    assert f'id="begin-{brief.pk}"' in page.get(HOME).text
    samples.start(writer, brief.pk)
    assert f'id="begin-{brief.pk}"' not in page.get(HOME).text


def test_what_was_sent_back_stands_first_with_its_comment(page, project, writer, coordinator):
    back = making.submitted(writer, making.make_brief(project, "b-1", question="Back?"))
    making.written(writer, making.make_brief(project, "b-2", question="Later?"), text="Hay.")
    review.send_back(coordinator, back.pk, "Say how many <sheep>.")
    text = page.get(HOME).text
    assert text.index("Back?") < text.index("Later?")
    assert "Say how many &lt;sheep&gt;." in text
    text = page.get(f"{HOME}{back.pk}/").text
    assert "sent this back" in text and "Say how many &lt;sheep&gt;." in text


def test_home_says_what_to_do_where_there_is_nothing(page):
    text = page.get(HOME).text
    assert "Your coordinator can add more" in text and "Choose a question below" in text


def test_home_takes_as_many_queries_with_many_samples(page, project, writer):
    def count() -> int:
        with CaptureQueriesContext(connection) as found:
            page.get(HOME)
        return len(found)

    image = pages.picture(project)
    making.written(writer, making.make_brief(project, "b-0"))
    making.make_brief(project, "c-0", image=image)
    few = count()
    for n in range(1, 6):
        making.written(writer, making.make_brief(project, f"b-{n}"), text=f"Hay number {n}.")
        making.make_brief(project, f"c-{n}", image=image)
    assert count() == few <= 14


def test_beginning_leads_to_the_page_and_a_second_click_to_the_same(page, brief):
    address = f"/p/flock/briefs/{brief.pk}/start/"
    first, second = page.post(address), page.post(address)
    sample = Sample.objects.get()
    assert first["Location"] == second["Location"] == f"{HOME}{sample.pk}/"
    assert page.get(first["Location"]).status_code == 200
    assert page.get(address).status_code == 405


def test_a_brief_that_another_took_is_refused_in_words(page, other, brief):
    samples.start(other, brief.pk)
    reply = page.post(f"/p/flock/briefs/{brief.pk}/start/", follow=True)
    assert reply.redirect_chain[0][0] == f"{HOME}?language=en"
    assert "Another writer has this brief" in reply.text
    assert Sample.objects.count() == 1


def test_a_brief_of_another_project_or_language_is_not_found(page, project, stranger, page_as):
    foreign = making.make_brief(project, "b-1", language="fr")
    assert page.post(f"/p/flock/briefs/{foreign.pk}/start/").status_code == 404
    ours = making.make_brief(project, "b-2")
    assert page.post(f"/p/elsewhere/briefs/{ours.pk}/start/").status_code == 404
    assert page_as(stranger).post(f"/p/flock/briefs/{ours.pk}/start/").status_code == 404


def test_the_page_is_for_the_samples_writer(page, page_as, writer, other, coordinator, brief):
    sample = samples.start(writer, brief.pk)
    address = f"{HOME}{sample.pk}/"
    assert page.get(address).status_code == 200
    assert page.get(f"/p/elsewhere/writing/{sample.pk}/").status_code == 404
    assert page_as(other).get(address).status_code == 404
    assert page_as(coordinator).get(address).status_code == 404
    assert page_as(None).get(address).status_code == 302


def test_the_page_carries_what_can_be_written_and_nothing_of_others(page, writer, project, other):
    Label.objects.filter(code="B").update(archived=True)
    brief = making.make_brief(project, "b-1", answer="Right.", context="# Hay", language="en")
    brief.context_format = "markdown"
    brief.save()
    making.written(other, making.make_brief(project, "b-2"), text="A secret of the other.")
    sample = samples.start(writer, brief.pk)
    reply = page.get(f"{HOME}{sample.pk}/")
    settings = settings_in(reply)
    assert [label["code"] for label in settings["labels"]] == ["A", "C", "D"]
    assert settings["brief"]["answer"] == "Right."
    assert settings["brief"]["context_html"] == "<h1>Hay</h1>\n"
    assert settings["sample"]["id"] == sample.pk and settings["person"] == writer.pk
    assert "A secret" not in reply.text
    assert "no-store" in reply["Cache-Control"]


def test_the_page_takes_as_many_queries_with_many_samples(page, project, writer, other, brief):
    sample = samples.start(writer, brief.pk)

    def count() -> int:
        with CaptureQueriesContext(connection) as found:
            page.get(f"{HOME}{sample.pk}/")
        return len(found)

    few = count()
    for n in range(6):
        making.written(other, making.make_brief(project, f"b-{n}"), text=f"Hay number {n}.")
    assert count() == few <= 11


def test_a_sample_that_was_sent_is_shown_and_cannot_be_changed(page, writer, brief):
    sample = making.submitted(writer, brief)
    text = page.get(f"{HOME}{sample.pk}/").text
    assert "It waits for your coordinator" in text and 'id="submit"' not in text


def test_the_picture_of_a_brief_is_for_its_writers_and_staff(
    project, page, page_as, writer, coordinator, annotator, stranger
):
    brief = making.make_brief(project, "b-1", image=pages.picture(project))
    french = making.make_brief(project, "b-2", language="fr", image=brief.image)
    address = f"/briefs/{brief.pk}/picture/"
    assert page.get(address)["Content-Type"] == "image/png"
    assert page_as(coordinator).get(address).status_code == 200
    assert page_as(annotator).get(address).status_code == 404
    assert page_as(stranger).get(address).status_code == 404
    assert page.get(f"/briefs/{french.pk}/picture/").status_code == 404
    assert page.get("/briefs/999999/picture/").status_code == 404


def test_the_home_page_leads_a_writer_to_the_writing_page(page, page_as, annotator):
    assert f'href="{HOME}"' in page.get("/").text
    assert f'href="{HOME}"' not in page_as(annotator).get("/").text


def test_every_sentence_of_the_scripts_is_there_and_none_is_left_over():
    used = set(re.findall(r'"(\w+)"', " ".join(re.findall(r"say\(([^`]*?)[,)]", SOURCE))))
    shared = "\n".join(path.read_text() for path in (SCRIPTS / "label").glob("*.js"))
    known = set(words())
    missing = {name for name in used if name not in known} - {"brief", "edit"}
    assert not missing
    every = SOURCE + shared
    assert not {
        name
        for name in known
        if f'"{name}"' not in every and not name.startswith(("state_", "full_"))
        and f"{name}:" not in every
    }  # fmt: skip


def test_every_script_of_the_page_is_preloaded():
    imported = set(re.findall(r'from "\./(\w+)\.js"', SOURCE))
    assert {f"writing/{name}" for name in imported | {"main"}} == {
        name for name in MODULES if name.startswith("writing/")
    }
    for name in MODULES:
        assert (SCRIPTS / f"{name}.js").exists()


def test_slices_fill_the_circle():
    found = slices([{"n": 1}, {"n": 0}, {"n": 3}], "n")
    assert [one["dash"] for one in found] == ["24.300 100", "0.000 100", "74.300 100"]
    assert [one["offset"] for one in found] == ["-0.000", "-25.000", "-25.000"]
    assert slices([{"n": 0}], "n")[0]["dash"] == "0.000 100"


def test_a_language_has_a_name_or_its_code():
    assert [language_name(code) for code in ("fr", "xx-yy")] == ["French", "xx-yy"]
    assert language_name("zh").endswith("Chinese")
