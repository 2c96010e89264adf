"""The log of who did what: nothing changes it, and it holds what was done and no secret."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from annotation.actions import invitations, labels, people, places, settings
from annotation.actions.audit import note
from annotation.models import AppendOnly, AuditEvent, Job
from annotation.views.audit_words import said
from tests import factories

GOOD = "hay-in-the-barn-9"
ITEM = {"key": "k1", "language": "en", "response": "Two white sheep."}


def person(user, project):
    return project.participants.get(user=user)


def kinds():
    return list(AuditEvent.objects.order_by("pk").values_list("kind", flat=True))


def printed(*arguments) -> list[dict]:
    out = io.StringIO()
    call_command("audit", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture
def event(project):
    people.add_member(None, project, "one", "annotator", [])
    return AuditEvent.objects.last()


def test_no_row_of_the_log_is_changed_or_deleted_through_the_models(event):
    event.kind = "export"
    for change in (event.save, event.delete, AuditEvent.objects.all().delete):
        with pytest.raises(AppendOnly):
            change()
    with pytest.raises(AppendOnly):
        AuditEvent.objects.update(kind="export")
    with pytest.raises(AppendOnly):
        AuditEvent.objects.bulk_update([event], ["kind"])


CHANGES = ["UPDATE annotation_auditevent SET kind = 'x'", "DELETE FROM annotation_auditevent"]
OF_ONE_DATABASE = {
    "postgresql": ["TRUNCATE annotation_auditevent"],
    "sqlite": [
        f"""{verb} INTO annotation_auditevent (id, at, kind, target, detail, source)
        SELECT id, at, 'x', target, detail, source FROM annotation_auditevent"""  # noqa: S608
        for verb in ("INSERT OR REPLACE", "REPLACE")
    ],
}


@pytest.mark.parametrize("statement", CHANGES + OF_ONE_DATABASE[connection.vendor])
def test_the_database_itself_refuses_to_change_the_log(event, statement):
    with pytest.raises(DatabaseError, match="new rows alone"), transaction.atomic():
        connection.cursor().execute(statement)
    assert AuditEvent.objects.filter(pk=event.pk, kind=event.kind).exists()


def test_what_is_refused_leaves_no_row(project, coordinator, page_as):
    page = page_as(coordinator)
    page.post("/p/flock/members/", {"username": "a b", "role": "annotator"})
    page.post("/p/flock/settings/", {"name": ""})
    page.get("/p/flock/export/?format=nonsense")
    page.get("/p/flock/agreement/?by=nonsense")
    with pytest.raises(RuntimeError), transaction.atomic():
        people.add_member(coordinator, project, "new", "annotator", [])
        raise RuntimeError
    assert kinds() == []


def test_every_change_of_people_labels_and_settings_stands_in_the_log(project, coordinator):
    member, _ = people.add_member(coordinator, project, "one", "annotator", [])
    secret = people.new_password_link(coordinator, member)
    people.use_password_link(secret, GOOD)
    people.change_roles(coordinator, member, {"writer": ["en"]})
    people.make_token(member.user)
    people.revoke_tokens(coordinator, member)
    people.remove_member(coordinator, member)
    label = labels.add_label(coordinator, project, code="X", name="Ex", colour="#a84300")
    labels.change_label(coordinator, label, name="Why")
    labels.move_label(coordinator, label, up=True)
    labels.remove_label(coordinator, label)
    settings.change_settings(coordinator, project, ["en", "fr"], per_item=5, guidelines="Look.")
    assert kinds() == [
        "account.made", "member.added", "password_link.made", "password.set", "member.changed",
        "token.made", "token.revoked", "member.removed",
        "label.added", "label.changed", "label.moved", "label.removed", "settings.changed",
    ]  # fmt: skip
    changed = AuditEvent.objects.last()
    assert changed.detail == {
        "per_item": [3, 5], "languages": [["en"], ["en", "fr"]], "guidelines": "",
    }  # fmt: skip
    by_hand = AuditEvent.objects.filter(kind="member.changed").get()
    assert (by_hand.actor, by_hand.subject_person_id) == (coordinator, member.pk)
    assert by_hand.detail == {"roles": {"writer": ["en"]}}


def test_imports_exports_and_reports_are_told_apart_by_the_way_they_went(
    project, coordinator, page_as, api_as, tmp_path
):
    page, api = page_as(coordinator), api_as(coordinator)
    api.post("/api/v1/projects/flock/items/", [ITEM], format="json")
    api.post("/api/v1/projects/flock/items/?dry_run=1", [ITEM], format="json")
    file = io.BytesIO(json.dumps(ITEM | {"key": "k2"}).encode())
    file.name = "items.jsonl"
    page.post("/p/flock/import/", {"file": file})
    assert Job.objects.get().state == "done"
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(ITEM) + "\n")
    call_command("import_items", "flock", str(path), stdout=io.StringIO())
    b"".join(api.get("/api/v1/projects/flock/export/?format=jsonl"))
    b"".join(page.get("/p/flock/export/?format=csv"))
    page.get("/p/flock/progress.csv")
    call_command("export", "flock", "--format", "sheep", stdout=io.StringIO())
    page.get("/p/flock/agreement/?resamples=0")
    page.get("/p/flock/agreement/report.csv")
    api.get("/api/v1/projects/flock/agreement/?resamples=0")
    call_command("agreement", "flock", "--resamples", "0", stdout=io.StringIO())
    rows = AuditEvent.objects.order_by("pk").values_list("kind", "target", "source", "actor")
    mine = coordinator.pk
    assert list(rows) == [
        ("import", "jsonl", "api", mine),
        ("import", "jsonl", "page", mine),
        ("import", "jsonl", "command", None),
        ("export", "jsonl", "api", mine),
        ("export", "csv", "page", mine),
        ("export", "progress", "page", mine),
        ("export", "sheep", "command", None),
        ("report", "agreement", "page", mine),
        ("report", "agreement.report.csv", "page", mine),
        ("report", "agreement", "api", mine),
        ("report", "agreement", "command", None),
    ]
    assert AuditEvent.objects.first().detail["new"] == 1


def test_annotating_is_not_in_the_log_and_nothing_secret_is(project, coordinator, annotator):
    factories.make_item(project, places=1)
    places.claim(annotator, project.slug)
    assert kinds() == []
    member, _ = people.add_member(coordinator, project, "one", "annotator", [], GOOD)
    secrets = [GOOD, people.make_token(annotator), people.new_password_link(None, member)]
    secrets += invitations.make_invitations(coordinator, project, "writer", [], 3)
    whole = json.dumps(printed())
    assert not [secret for secret in secrets if secret in whole]


@pytest.mark.parametrize(
    ("kind", "detail", "words"),
    [
        ("import", {"new": 0, "same": 3, "refused": 0, "annotations": True},
         "new: 0; the same: 3; with annotations"),
        ("settings.changed", {"per_item": [3, 5], "languages": [["en"], ["en", "fr"]],
                              "overlap_allowed": [False, True], "guidelines": ""},
         "people per item: 3 → 5; languages: en → en, fr; spans may overlap: no → yes; "
         "guidelines for annotators changed"),
        ("member.changed", {"roles": {"writer": ["en"], "annotator": []}},
         "roles: Writer (en), Annotator (all)"),
        ("label.moved", {"facet": "label", "up": False}, "facet: Label; moved down"),
        ("label.changed", {"fields": ["key", "rule"]}, "changed: key, decision rule"),
    ],
)  # fmt: skip
def test_the_page_says_the_details_in_words(kind, detail, words):
    assert said(kind, detail) == words


def test_the_page_filters_by_kind_and_person_and_shows_the_newest_first(
    project, coordinator, stranger, page_as
):
    people.add_member(None, project, "by-machine", "annotator", [])
    people.add_member(coordinator, project, "by-hand", "writer", [])
    elsewhere = stranger.participants.get().project
    people.add_member(stranger, elsewhere, "of-others", "writer", [])
    page = page_as(coordinator)
    shown = page.get("/p/flock/log/").text
    assert shown.index("by-hand") < shown.index("by-machine") and "of-others" not in shown
    assert "the command line" in shown and "role: Writer" in shown
    mine = page.get(f"/p/flock/log/?person={person(coordinator, project).pk}").text
    assert "by-hand" in mine and "by-machine" not in mine
    assert "Nothing of this kind" in page.get("/p/flock/log/?kind=export").text
    for wrong in ("kind=%00&person=x", "person=" + "9" * 40, "page=999"):
        assert page.get(f"/p/flock/log/?{wrong}").status_code == 200


def test_a_page_of_the_log_takes_as_many_queries_for_many_events_as_for_one(
    project, coordinator, page_as, django_assert_max_num_queries
):
    for n in range(60):
        people.add_member(None, project, f"person-{n}", "annotator", [])
    page = page_as(coordinator)
    with django_assert_max_num_queries(8):
        assert "Page 1 of 3" in page.get("/p/flock/log/").text


def test_the_log_is_a_file_and_taking_it_stands_in_it(project, coordinator, page_as):
    note(coordinator, "job.begun", project, "a\u2028b\x85c.jsonl")
    people.add_member(coordinator, project, "@one", "annotator", [])
    page = page_as(coordinator)
    table = b"".join(page.get("/p/flock/log/log.csv")).decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["kind"] for row in rows] == ["export", "member.added", "account.made", "job.begun"]
    assert rows[1]["subject"] == "'@one"  # no formula of a spreadsheet
    lines = b"".join(page.get("/p/flock/log/log.jsonl")).decode().splitlines()
    assert [json.loads(line)["target"] for line in lines][:2] == ["log.jsonl", "log.csv"]
    assert page.get("/p/flock/log/log.exe").status_code == 404


def test_the_command_prints_a_project_or_the_site_from_a_day_on(project, coordinator):
    people.add_member(coordinator, project, "one", "annotator", [])
    people.make_token(coordinator)  # of an account, in no project
    assert [row["kind"] for row in printed("flock")] == ["account.made", "member.added"]
    assert [row["kind"] for row in printed()][-1] == "token.made"
    assert printed("--since", "2999-01-01") == []
    for wrong in (("nowhere",), ("--since", "yesterday"), ("--since", "2026-13-01")):
        with pytest.raises(CommandError):
            printed(*wrong)
