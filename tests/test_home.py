"""The home page: my projects, what is left for me, my last answers, and nothing of anybody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import answers, people, places
from annotation.models import Assignment
from annotation.records import Answer
from annotation.selectors.home import last_answers
from annotation.selectors.progress import own_progress
from tests import factories


def left(user, project):
    person = project.participants.get(user=user)
    return own_progress(person, list(project.languages))["left"]


def answer(user, project, comment=""):
    """The user takes a place and submits."""
    mine = places.claim(user, project.slug)
    answers.save(
        user, mine.place_id, Answer(no_hallucination=True, comment=comment), mine.version, 0, True
    )
    return mine


def test_without_login_home_leads_to_the_login(db, page_as):
    reply = page_as(None).get("/")
    assert reply.status_code == 302 and reply["Location"].startswith("/accounts/login/")


def test_who_is_in_no_project_is_told_what_to_do(db, page_as):
    shown = page_as(factories.make_user("alone")).get("/").text
    assert "tell them your user name" in shown
    assert "/new/" not in shown


def test_only_annotators_are_told_of_answers_of_theirs(project, coordinator, annotator, page_as):
    assert "Your answers will stand here" in page_as(annotator).get("/").text
    assert "answers" not in page_as(coordinator).get("/").text


def test_a_new_project_is_refused_at_the_field_that_is_wrong(project, coordinator, page_as):
    sent = {"name": "New", "slug": "a b", "languages": "en", "labels": "sheep", "per_item": "3"}
    shown = page_as(coordinator).post("/new/", sent).text
    assert 'value="a b" aria-describedby="slug-help slug-problem" aria-invalid="true"' in shown
    assert 'id="slug-problem" role="alert">Use letters' in shown and 'class="messages"' not in shown


def test_who_has_left_sees_neither_the_project_nor_old_answers(project, annotator, page_as):
    factories.make_item(project)
    answer(annotator, project)
    people.remove_member(None, project.participants.get(user=annotator))
    shown = page_as(annotator).get("/").text
    assert project.name not in shown and "What is there?" not in shown


def test_left_counts_items_not_places_and_not_what_i_had(project, annotator, second):
    for n in range(3):
        factories.make_item(project, f"item-{n}")
    assert left(annotator, project) == 3
    answer(annotator, project)
    assert left(annotator, project) == 2
    assert left(second, project) == 3


def test_left_leaves_out_other_languages_held_items_and_missing_pictures(project, annotator):
    project.languages = ["en", "fr"]
    project.save()
    factories.make_item(project, "english")
    factories.make_item(project, "french", language="fr")
    factories.make_item(project, "held", state="held")
    factories.make_item(project, "waits", image_name="a.png")
    person = project.participants.get(user=annotator)
    assert own_progress(person, ["en"])["left"] == 1


def test_a_claim_of_another_is_not_left_for_me_until_it_runs_out(project, annotator, second):
    factories.make_item(project, places=1)
    places.claim(annotator, project.slug)
    assert (left(annotator, project), left(second, project)) == (1, 0)
    Assignment.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert left(second, project) == 1


@pytest.mark.parametrize("word", ["ITEM-1", "what is", "white SHEEP", "a note"])
def test_search_finds_key_question_response_and_comment(project, annotator, word):
    factories.make_item(project)
    answer(annotator, project, "A note of mine")
    assert last_answers(annotator, word).count() == 1


@pytest.mark.parametrize("word", ["goat", "%", "_", "50%", "\\"])
def test_search_takes_signs_as_they_stand(project, annotator, word):
    factories.make_item(project)
    answer(annotator, project)
    assert last_answers(annotator, word).count() == 0


def test_search_never_reaches_answers_of_others(project, annotator, second, page_as):
    factories.make_item(project)
    answer(annotator, project, "Mine alone")
    assert last_answers(second, "Mine").count() == 0
    assert "Mine alone" not in page_as(second).get("/?q=Mine").text


def test_a_claim_that_was_only_looked_at_is_no_answer(project, annotator):
    factories.make_item(project)
    places.claim(annotator, project.slug)
    assert not last_answers(annotator).exists()


def test_the_newest_answer_is_first_and_leads_to_its_page(project, annotator, page_as):
    for n in range(2):
        factories.make_item(project, f"item-{n}", question=f"Question {n}?")
    first, second_one = answer(annotator, project), answer(annotator, project)
    shown = page_as(annotator).get("/").text
    older = shown.index(f"/p/flock/label/{first.place_id}/")
    assert shown.index(f"/p/flock/label/{second_one.place_id}/") < older


def test_the_pages_of_a_search_keep_the_search(project, annotator, page_as):
    for n in range(21):
        factories.make_item(project, f"item-{n}", question="Salt & pepper #1?")
        answer(annotator, project)
    page = page_as(annotator)
    shown = page.get("/", {"q": "& #1"}).text
    assert 'href="?q=%26+%231&amp;page=2"' in shown
    assert page.get("/?q=%26+%231&page=2").text.count("Salt &amp; pepper") == 1
    assert page.get("/?page=x").status_code == page.get("/?page=999").status_code == 200
    assert page.get("/?q=%00").status_code == 200


def test_home_takes_as_many_queries_for_many_answers_as_for_one(
    project, annotator, page_as, django_assert_max_num_queries
):
    for n in range(15):
        factories.make_item(project, f"item-{n}")
        answer(annotator, project)
    page = page_as(annotator)
    with django_assert_max_num_queries(10):
        page.get("/")
