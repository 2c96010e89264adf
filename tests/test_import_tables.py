"""A second import of a table: a column that is absent is not an empty one."""

from __future__ import annotations

import pytest

from annotation.actions import answers, places
from annotation.models import Item
from annotation.records import Answer
from tests.files import everything, jsonl, load, row

FULL = (
    "key,language,response,question,split,model,image_name,expectation,grade,topic\n"
    'a,en,Two sheep.,What?,train,m-1,a.png,"{""label"": ""A""}",good,wool\n'
)


@pytest.fixture
def table(project, tmp_path):
    """``table(text)``: import the text as a table; what the command counted."""

    def send(text: str, *words: str) -> str:
        path = tmp_path / "items.csv"
        path.write_text(text, encoding="utf-8")
        code, out, err = load(path, *words)
        assert code == 0, err
        return out.strip()

    return send


def stored() -> dict:
    return Item.objects.values().get()


def test_a_table_with_fewer_columns_leaves_all_others_as_they_are(table):
    table(FULL)
    before = everything()
    same = "new 0, same 1, changed 0, refused 0"
    assert table("key,language,response\na,en,Two sheep.\n") == same
    assert table("key,language,response,topic\na,en,Two sheep.,wool\n") == same
    assert everything() == before


def test_a_table_changes_the_columns_it_has_and_no_others(table):
    table(FULL)
    before = stored()
    text = "key,language,response,split,topic,age\na,en,Two sheep.,test,hay,3\n"
    assert table(text) == "new 0, same 0, changed 1, refused 0"
    metadata = {"grade": "good", "topic": "hay", "age": "3"}
    assert stored() == before | {"split": "test", "metadata": metadata}


def test_an_empty_cell_empties_its_field(table):
    table(FULL)
    before = stored()
    text = "key,language,response,question,model,grade\na,en,Two sheep.,,,\n"
    assert table(text) == "new 0, same 0, changed 1, refused 0"
    metadata = {"grade": "", "topic": "wool"}
    assert stored() == before | {"question": "", "model": None, "metadata": metadata}


def test_a_column_of_metadata_says_all_of_it(table):
    table(FULL)
    table('key,language,response,metadata\na,en,Two sheep.,"{""topic"": ""hay""}"\n')
    assert stored()["metadata"] == {"topic": "hay"}
    table("key,language,response,metadata\na,en,Two sheep.,\n")
    assert stored()["metadata"] == {}


def test_a_change_by_a_table_without_pictures_keeps_the_item_and_its_picture(
    table, tmp_path, settings
):
    from tests.files import picture

    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(picture())
    table(FULL, "--images", str(tmp_path / "pictures"))
    before = stored()
    assert before["image_id"]
    table("key,language,response,split\na,en,Two sheep.,test\n")
    assert stored() == before | {"split": "test"}
    assert Item.objects.get().places.filter(offered=1).count() == 3


def test_an_item_that_people_have_judged_takes_a_table_without_its_question(
    table, project, annotator
):
    table(FULL.replace("a.png", ""))
    place = places.claim(annotator, project.slug)
    answers.save(annotator, place.place_id, Answer((), "", True), 0, 0, True)
    assert table("key,language,response,split\na,en,Two sheep.,dev\n").startswith("new 0, same 0")
    assert stored()["question"] == "What?"


def test_lines_of_json_still_say_the_whole_item(table, project, tmp_path):
    table(FULL)
    load(jsonl(tmp_path / "i.jsonl", row("a")))
    assert stored()["metadata"] == {} and stored()["split"] is None
