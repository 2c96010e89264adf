"""The project's log tells who changed the writing, drew, imported, published and took a file."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from annotation.models import AuditEvent
from annotation.pseudonyms import pseudonym
from tests import factories
from tests.writing import making
from writing.actions import briefs, giving, holding, policy
from writing.actions.translations import import_translations, make_tasks


def kinds():
    return [(event.kind, event.target) for event in AuditEvent.objects.order_by("pk")]


def test_what_coordinators_do_with_samples_stands_in_the_log(
    project, writer, coordinator, brief, page_as
):
    before = AuditEvent.objects.count()
    policy.change_policy(coordinator, project, "warn", {}, {}, 0.3)
    row = {"key": "b2", "language": "en", "question": "What?", "context": "A hill."}
    briefs.import_briefs(coordinator, project, making.lines(row), "briefs.jsonl")
    factories.make_item(project, key="pool", question="Who?", context="A gate.")
    briefs.draw_briefs(coordinator, project, "en", 1, 0)
    drawn = brief.__class__.objects.get(source__isnull=False)
    person = project.participants.get(user=writer)
    giving.give_briefs(coordinator, project, [drawn.pk], person.pk)
    given = AuditEvent.objects.order_by("-pk").first()
    assert (given.subject, given.detail) == (writer, {"count": 1})
    giving.give_briefs(coordinator, project, [drawn.pk], None)
    root = making.published(writer, coordinator, brief)
    assert make_tasks(coordinator, project) == 1
    told = {"sample": root.key, "language": "fr", "text": "Deux moutons."}
    import_translations(coordinator, project, making.lines(told), "mt.jsonl")
    draft = making.written(writer, making.make_brief(project, "b3"))
    holding.take_away(coordinator, draft.pk)
    client = page_as(coordinator)
    for address in ("samples/list.csv", "samples/translations.csv"):
        assert client.get(f"/p/flock/{address}").status_code == 200
    assert kinds()[before:] == [
        ("settings.changed", "writing"),
        ("import", "briefs"),
        ("briefs.drawn", "en"),
        ("briefs.given", ""),
        ("briefs.given", ""),
        ("sample.published", root.key),
        ("tasks.made", ""),
        ("import", "translations"),
        ("work.taken", draft.key),
        ("export", "samples.list"),
        ("export", "translations"),
    ]
    held = json.dumps(list(AuditEvent.objects.values_list("detail", flat=True)))
    assert making.TEXT not in held and "moutons" not in held


def test_a_refused_file_of_briefs_leaves_no_row(project, coordinator):
    before = AuditEvent.objects.count()
    briefs.import_briefs(coordinator, project, making.lines({"key": "b"}), "briefs.jsonl")
    assert AuditEvent.objects.count() == before


@given(st.text(min_size=1), st.text())
def test_no_pseudonym_begins_as_a_formula_of_a_spreadsheet_does(key, name):
    made = pseudonym(key, name)
    assert len(made) == 43 and made[0] not in "=+-@"
