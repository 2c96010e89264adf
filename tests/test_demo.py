"""The demo project: what it holds, that a second run changes nothing, where it is refused."""

from __future__ import annotations

import io
import unicodedata

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from PIL import Image as Picture

from annotation.demo.pictures import PICTURES, Drawn
from annotation.demo.records import read_answers, read_items, span_of
from annotation.models import Annotation, Assignment, Item, Project, Span, User
from tests import factories

NAMES = ["coordinator", "annotator1", "annotator2", "annotator3", "writer1", "editor1"]


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def make_demo() -> str:
    said = io.StringIO()
    call_command("make_demo", stdout=said)
    return said.getvalue()


@pytest.fixture
def demo(db) -> Project:
    make_demo()
    return Project.objects.get(slug="demo")


def test_a_site_in_production_gets_no_accounts_with_public_passwords(db, settings):
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="PUBLIC_URL"):
        make_demo()
    assert not User.objects.exists()


def test_a_project_of_that_name_that_is_not_the_demo_is_left_alone(db):
    factories.make_project("demo")
    with pytest.raises(CommandError, match="is not the demo"):
        make_demo()
    assert not User.objects.exists()


def test_an_account_that_is_there_already_is_not_given_out_as_the_demos(coordinator):
    with pytest.raises(CommandError, match="coordinator"):
        make_demo()
    assert not Project.objects.filter(slug="demo").exists()


def test_words_that_do_not_stand_exactly_once_are_refused():
    with pytest.raises(ValueError, match="exactly once"):
        span_of("a ewe and a ram", "a ", "A")


def test_a_second_run_changes_nothing_and_says_the_accounts_again(demo):
    def rows():
        return {m: list(m.objects.order_by("pk").values()) for m in apps.get_models()}

    before = rows()
    said = make_demo()
    assert rows() == before
    for name in NAMES:
        assert name in said


def test_the_printed_password_lets_each_account_in(demo, client):
    accounts = [line.split() for line in make_demo().splitlines()[1:]]
    assert [account[0] for account in accounts] == NAMES
    for name, _, password in accounts:
        assert client.login(username=name, password=password), name


def test_every_language_has_six_items_and_every_picture_is_there(demo):
    languages = list(demo.items.filter(sample=None).values_list("language", flat=True))
    assert {code: languages.count(code) for code in demo.languages} == dict.fromkeys(
        ("en", "fr", "it", "zh"), 6
    )
    assert not Item.objects.filter(image_name__isnull=False, image=None).exists()


def test_the_items_hold_every_kind_of_text_that_is_hard_to_mark():
    text = "".join(item["response"] for item in read_items())
    for kind, sign in {
        "joined emoji": "\u200d",
        "skin tone": "🏽",
        "Windows line ends": "\r\n",
        "list": "\n- ",
    }.items():
        assert sign in text, kind
    assert any(unicodedata.combining(c) for c in text)
    assert any(unicodedata.bidirectional(c) == "R" for c in text)
    assert {item.get("context_format") for item in read_items()} == {None, "markdown", "json"}
    assert {item["strategy"] for item in read_items()} == {"random", "map", "human"}


def test_every_label_and_answers_without_error_are_there(demo):
    assert set(Span.objects.values_list("label__code", flat=True)) == set("ABCDE")
    assert Annotation.objects.filter(state="submitted", no_hallucination=True).exists()


def test_spans_quote_the_words_they_were_placed_on(demo):
    for answer in read_answers():
        spans = Span.objects.filter(
            annotation__item__key=answer["item"],
            annotation__annotator__user__username=answer["who"],
        ).order_by("ordinal")
        quotes = [
            [span.annotation.item.response[span.start : span.end], span.label.code]
            for span in spans
        ]
        assert quotes == [mark[:2] for mark in answer["marks"]]


def test_answers_with_the_label_other_say_why(demo):
    for annotation in Annotation.objects.filter(spans__label__code="E"):
        assert annotation.comment


def test_one_item_is_reported_one_draft_waits_and_much_is_left_for_the_user(demo):
    states = list(Assignment.objects.filter(item__sample=None).values_list("state", flat=True))
    assert len(states) == 72
    assert states.count("reported") == states.count("claimed") == 1
    assert states.count("submitted") >= 25
    assert states.count("open") >= 36
    assert Item.objects.get(state="held").places.filter(state="reported", offered=0).exists()


def test_annotator1_comes_back_to_the_draft_in_english(demo, api_as):
    place = api_as(User.objects.get(username="annotator1")).post(
        "/api/v1/projects/demo/claim/", {}, format="json"
    )
    assert place.json()["item"]["key"] == "en-meadow"
    assert [span["quote"] for span in place.json()["annotation"]["spans"]] == ["five", "blue"]


@pytest.mark.parametrize("name", ["sheep", "jsonl", "csv"])
def test_the_demo_can_be_exported(demo, name):
    out = io.StringIO()
    call_command("export", "demo", format=name, stdout=out)
    assert out.getvalue().count("en-meadow") >= 1


def test_every_drawn_picture_is_used_and_is_a_picture():
    assert {item["image_name"] for item in read_items() if "image_name" in item} == set(PICTURES)
    for name in PICTURES:
        content = Drawn().read(name, 0)
        assert content is not None
        assert Picture.open(io.BytesIO(content)).size == (900, 650)
    assert Drawn().read("../meadow.png", 0) is None
