"""The writers' part of the demo: what is there, and a demo that was made without it."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.actions import demo as annotation_demo
from annotation.models import Assignment, Item, Project, User
from tests import factories
from writing.actions.demo import read_samples
from writing.models import Brief, Sample, SampleRevision
from writing.selectors.advice import advice


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def make_demo():
    said = io.StringIO()
    call_command("make_demo", stdout=said)
    return said.getvalue()


@pytest.fixture
def demo(db):
    make_demo()
    return Project.objects.get(slug="demo")


def test_there_is_a_sample_in_each_state_and_a_free_brief_for_each_way_to_write(demo):
    written = Sample.objects.filter(project=demo, parent=None)
    states = ["accepted", "draft", "published", "returned", "submitted"]
    assert sorted(written.values_list("state", flat=True)) == states
    assert written.get(state="returned").comment
    assert Brief.objects.filter(project=demo).count() == 9
    assert Brief.objects.filter(samples=None, language="fr").count() == 2
    free = Brief.objects.filter(samples=None, language="en")
    assert sorted(bool(brief.answer) for brief in free) == [False, True]
    assert not Brief.objects.filter(image=None).exists()


def test_one_translation_waits_with_a_machine_text_and_one_was_edited(demo):
    waits, edited = Sample.objects.filter(origin="translated").order_by("writer")
    if edited.writer is None:
        waits, edited = edited, waits
    assert (waits.state, waits.writer, waits.language) == ("draft", None, "fr")
    assert waits.machine and waits.question
    assert (edited.state, str(edited.writer)) == ("submitted", "editor1")
    assert edited.char_distance > 0 and edited.word_distance > 0


def test_every_error_is_marked_where_its_words_stand(demo):
    for row in read_samples():
        sample = Sample.objects.get(brief__key=row["brief"], parent=None)
        quotes = [sample.text[span["start"] : span["end"]] for span in sample.spans]
        assert quotes == row.get("marks", [edit[1] for edit in row.get("edits", [])])
        assert sample.label.code == row["label"]


def test_nothing_that_was_sent_is_in_the_wrong_language(demo):
    for sample in Sample.objects.exclude(state="draft"):
        assert "wrong_language" not in advice(sample)


def test_the_published_item_is_open_to_annotators(demo):
    item = Item.objects.get(sample__isnull=False)
    assert (item.strategy, item.prelabel, item.split) == ("human", "A", None)
    assert Assignment.objects.filter(item=item, state="open").count() == 3


def test_a_demo_of_before_gets_the_writers_once(db, monkeypatch):
    parts = annotation_demo.PARTS
    monkeypatch.setattr(annotation_demo, "PARTS", [])
    assert "writer1" not in make_demo() and not Sample.objects.exists()
    monkeypatch.setattr(annotation_demo, "PARTS", parts)
    assert "writer1" in make_demo()
    count = SampleRevision.objects.count()
    assert count and "editor1" in make_demo()
    assert SampleRevision.objects.count() == count


def test_an_account_of_that_name_is_not_given_out(db, monkeypatch):
    parts = annotation_demo.PARTS
    monkeypatch.setattr(annotation_demo, "PARTS", [])
    make_demo()
    monkeypatch.setattr(annotation_demo, "PARTS", parts)
    factories.make_user("editor1")
    with pytest.raises(CommandError, match="editor1"):
        make_demo()
    assert not User.objects.filter(username="writer1").exists()
