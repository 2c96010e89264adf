"""Names that nobody could see are refused wherever one types them; counts have words for one."""

from __future__ import annotations

import ast
import re

import pytest

from annotation.actions import (
    answers,
    invitations,
    labels,
    people,
    places,
    projects,
    reports,
    settings,
)
from annotation.errors import Refused
from annotation.models import Item, Project, User
from annotation.records import Answer, SpanRecord
from tests import code, factories
from tests.files import jsonl, load, row

UNSEEN = ("\u200b\u2060", "\u202e\u200f", "\u00a0", "\u3164", "\ufeff\u2800")


def where(work) -> set[str]:
    with pytest.raises(Refused) as refused:
        work()
    return {problem.where for problem in refused.value.problems}


def test_a_name_of_invisible_characters_alone_is_refused_everywhere(project, tmp_path):
    secret = invitations.make_invitations(None, project, "writer", [], 3)[0]
    label = project.labels.first()
    for name in UNSEEN:
        works = {
            "project": lambda: projects.create_project(None, "p", "sheep", ["en"], 1, name),  # noqa: B023
            "settings": lambda: settings.change_settings(None, project, ["en"], name=name),  # noqa: B023
            "label": lambda: labels.change_label(None, label, name=name),  # noqa: B023
        }
        assert {kind: where(work) for kind, work in works.items()} == dict.fromkeys(works, {"name"})
        label.refresh_from_db()
        project.refresh_from_db()
        for typed in (name, f"ann{name}"):
            made = (
                lambda: people.add_member(None, project, typed, "writer", []),  # noqa: B023
                lambda: invitations.accept_as_new(secret, typed, "hay-in-the-barn-9"),  # noqa: B023
            )
            assert [where(work) for work in made] == [{"username"}] * 2
    assert not User.objects.exists() and Project.objects.count() == 1
    said = [{"annotator": name, "spans": []} for name in UNSEEN]
    rows = [row(f"k{n}", annotations=[one]) for n, one in enumerate(said)]
    rows += [row(name) for name in UNSEEN]
    exit_code, _out, err = load(jsonl(tmp_path / "a.jsonl", *rows), "--with-annotations")
    assert exit_code != 0 and not Item.objects.exists()
    assert err.count("needs a name") == err.count("nothing that can be seen") == len(UNSEEN), err


def test_a_comment_or_a_reason_that_shows_nothing_gives_none(project, annotator):
    factories.make_item(project, response="Three geese.")
    place = places.claim(annotator, project.slug).place_id
    for unseen in UNSEEN:
        other = Answer((SpanRecord(0, 5, "E"),), unseen)
        save = lambda: answers.save(annotator, place, other, 0, 0, True)  # noqa: B023, E731
        assert where(save) == {"comment"}
        assert where(lambda: reports.report(annotator, place, unseen)) == {"reason"}  # noqa: B023


# Limits, which are never one, and numbers that count nothing.
LIMITS = re.compile(
    r"^(At most|has more than|has %\(width|An invitation lasts|Between 1 and|%d or more"
    r"|.*: use import_items|the picture has|There are enough samples|This is not JSON"
    r"|%\(path\)s|%\(field\)s is at least|Imported:)"
)


def test_every_count_in_a_sentence_has_words_for_one():
    wrong = []
    for path in code.sources(*code.APPS):
        for node in ast.walk(code.tree(path)):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            if getattr(node.func, "id", "") not in ("_", "gettext", "gettext_lazy"):
                continue
            text = getattr(node.args[0], "value", "")
            if (
                isinstance(text, str)
                and re.search(r"%(\(\w+\))?d", text)
                and not LIMITS.match(text)
            ):
                wrong.append(f"{code.name(path)}:{node.lineno}: {text}")
    assert wrong == []


def test_the_pages_count_one_as_one(project, coordinator, annotator, page_as, tmp_path):
    answers = [{"annotator": "x", "spans": [], "no_hallucination": True}]
    exit_code, out, err = load(jsonl(tmp_path / "a.jsonl", row("a", annotations=answers)))
    assert exit_code == 0 and "1 annotation was left out." in out + err
    places.claim(annotator, "flock")
    person = project.participants.get(user=annotator)
    reply = page_as(coordinator).post(f"/p/flock/people/{person.pk}/withdraw/", follow=True)
    assert "1 place is open again." in reply.text
