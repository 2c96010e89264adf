"""What the writing rests on in a project stays: pictures of briefs and items, codes of labels."""

from __future__ import annotations

import json

import pytest

from annotation.actions import labels
from annotation.models import AuditEvent, Image, Item
from tests import factories
from tests.files import everything, exported, jsonl, load, picture, row
from tests.writing import making
from writing.actions import review, samples
from writing.actions.briefs import import_briefs
from writing.actions.policy import change_policy
from writing.models import Brief
from writing.selectors.balance import policy_of

GREEN, LARGE = picture(), picture((9, 9))


@pytest.fixture
def folder(tmp_path, settings, tmp_path_factory):
    settings.MEDIA_ROOT = tmp_path_factory.mktemp("media")
    path = tmp_path / "pictures"
    path.mkdir()
    (path / "1.png").write_bytes(GREEN)
    return path


@pytest.fixture
def file(project, folder, tmp_path):
    """An item with a picture, a brief with the same picture; the folder has another one now."""
    path = jsonl(tmp_path / "i.jsonl", row("en-1", image_name="1.png"))
    assert load(path, "--images", folder)[0] == 0
    told = {"key": "b1", "language": "en", "question": "What?", "image_name": "1.png"}
    import_briefs(None, project, making.lines(told), "b.jsonl")
    (folder / "1.png").write_bytes(LARGE)
    return path


@pytest.mark.parametrize("state", ["begun", "deleted", "accepted", "published"])
def test_a_picture_that_was_written_about_stays(file, folder, writer, coordinator, state):
    brief = Brief.objects.get()
    if state in ("begun", "deleted"):
        begun = samples.start(writer, brief.pk)
        if state == "deleted":
            samples.delete(writer, begun.pk)
    else:
        sample = making.accepted(writer, coordinator, brief)
        if state == "published":
            review.publish(coordinator, sample.pk)
    before = everything()
    why = "image_name: '1.png' is another picture now, and people have written about it"
    for words in ((), ("--dry-run",), ("--partial",)):
        code, out, err = load(file, "--images", folder, *words)
        assert code == 1 and "same 0" in out and "refused 1" in out and "replaced" not in err
        assert f"{file}:1: {why}" in err
        assert everything() == before


def test_a_picture_of_an_item_with_a_lineage_stays(
    file, folder, writer, coordinator, project, tmp_path
):
    making.published(writer, coordinator, Brief.objects.get())
    lines = [json.loads(line) for line in exported().splitlines()]
    written = [line for line in lines if "lineage" in line["metadata"]]
    factories.make_project("again", languages=("en", "fr"))
    (folder / "1.png").write_bytes(GREEN)
    path = jsonl(tmp_path / "again.jsonl", *written)
    assert load(path, "--images", folder, slug="again")[0] == 0
    (folder / "1.png").write_bytes(LARGE)
    code, _, err = load(path, "--images", folder, slug="again")
    assert code == 1 and "an item with it comes from a sample" in err
    assert Image.objects.get(project__slug="again").width == 8


def test_a_picture_under_untouched_work_is_replaced_and_that_is_told(file, folder, project):
    code, out, err = load(file, "--images", folder, "--dry-run")
    assert (code, Image.objects.get().width) == (0, 8) and "1 picture is replaced." in err
    code, out, err = load(file, "--images", folder)
    assert (code, out) == (0, "new 0, same 0, changed 1, refused 0\n")
    assert "1 picture is replaced." in err and Image.objects.get().width == 9
    assert AuditEvent.objects.order_by("-pk").first().detail["replaced"] == 1
    assert Item.objects.get().image == Brief.objects.get().image == Image.objects.get()
    code, out, err = load(file, "--images", folder)
    assert (out, err) == ("new 0, same 1, changed 0, refused 0\n", "")


def test_a_share_goes_with_the_labels_code_and_not_to_another_label(project, coordinator):
    change_policy(None, project, "require", {"A": 0.7, "B": 0.2}, {"hint_words": "off"}, 0.3)
    by_code = {label.code: label for label in project.labels.all()}
    labels.change_label(coordinator, by_code["A"], code="A2", name="Invented")
    assert policy_of(project).targets == {"A2": 0.7, "B": 0.2}
    assert policy_of(project).checks == {"hint_words": "off"}
    labels.change_label(coordinator, by_code["A"], code="A")
    labels.change_label(coordinator, by_code["A"], name="Invention")
    side = labels.add_label(coordinator, project, facet="sublabel", code="B", name="b",
                            colour="#123456")  # fmt: skip
    labels.change_label(coordinator, side, code="S")
    assert policy_of(project).targets == {"A": 0.7, "B": 0.2}
    assert labels.remove_label(coordinator, by_code["B"])
    labels.add_label(coordinator, project, code="B", name="Another", colour="#123456")
    assert policy_of(project).targets == {"A": 0.7}
