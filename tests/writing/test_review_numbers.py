"""Balance, pace and pasted share, on the page and as files with pseudonyms."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Participant
from tests.writing import making
from writing.actions import samples
from writing.actions.policy import change_policy
from writing.models import Sample
from writing.selectors.review import balance_of, find_samples, work_of  # noqa: F401

TEXTS = ("Two sheep are on a hill.", "A dog sleeps beside the barn.", "Nine birds fly over it.")


@pytest.fixture
def three(project, writer, other):
    """Eight English briefs; the writer has an A and a B, the other one a B and a bare draft."""
    briefs = [making.make_brief(project, f"brief-{n}") for n in range(8)]
    making.submitted(writer, briefs[0], text=TEXTS[0], typed=20, pasted=5)
    making.submitted(writer, briefs[1], text=TEXTS[1], label="B", typed=25)
    making.submitted(other, briefs[2], text=TEXTS[2], label="B", pasted=30)
    samples.start(other, briefs[3].pk)
    return briefs


def rows(page_as, user, name):
    reply = page_as(user).get(f"/p/flock/samples/{name}.csv")
    assert reply.status_code == 200 and reply["Cache-Control"] == "no-store"
    return list(csv.DictReader(io.StringIO(reply.text)))


def test_the_balance_is_what_is_stored_by_label_language_and_writer(project, three):
    english, french = balance_of(project)
    assert (english.code, english.planned, english.total, english.other) == ("en", 8, 4, 1)
    assert [(s.label, s.count, s.target) for s in english.shares] == [
        ("A", 1, 2), ("B", 2, 2), ("C", 0, 2), ("D", 0, 2),
    ]  # fmt: skip
    assert [share.deficit for share in english.shares] == [1, 0, 2, 2]
    assert [(str(row["person"]), row["labels"], row["other"]) for row in english.writers] == [
        ("other", [0, 1, 0, 0], 1),
        ("writer", [1, 1, 0, 0], 0),
    ]
    assert (french.code, french.total, list(french.writers)) == ("fr", 0, [])


def test_the_samples_of_the_balance_are_one_query(project, three):
    with CaptureQueriesContext(connection) as caught:
        balance_of(project)
    of_samples = [q for q in caught if 'FROM "writing_sample"' in q["sql"]]
    assert len(of_samples) == 1 and len(caught) == 5


def test_targets_follow_the_policy(project, three):
    change_policy(None, project, "suggest", {"A": 0.5}, {}, 0.3)
    assert [share.target for share in balance_of(project)[0].shares] == [4, 2, 1, 1]


def test_a_deleted_sample_and_a_translation_do_not_count(project, three, coordinator, writer):
    samples.delete(writer, Sample.objects.get(text=TEXTS[0]).pk)
    root = making.accepted(writer, coordinator, three[4], text="Five more words stand here.")
    making.tasks_of(project, root)
    english, french = balance_of(project)
    assert (english.shares[0].count, french.total) == (1, 0)


def test_pace_and_pasted_share_of_each_writer(project, three):
    Sample.objects.filter(text=TEXTS[1]).update(submitted_at="2026-01-02T23:00:00Z")
    other, writer = work_of(project)
    assert (writer.written, writer.translated, len(writer.days)) == (2, 0, 2)
    assert writer.per_day == 1 and writer.pasted_share == 0.1
    assert (other.written, other.pasted_share, sum(other.days.values())) == (2, 1, 1)


def test_a_writer_whose_characters_were_not_counted_has_no_share(project, writer):
    making.written(writer, making.make_brief(project))
    assert work_of(project)[0].pasted_share is None
    assert work_of(project)[0].per_day is None


def test_the_files_hold_the_numbers_and_no_name(project, three, coordinator, page_as):
    balance = rows(page_as, coordinator, "balance")
    whole = {
        row["label"]: (row["samples"], row["target"], row["missing"])
        for row in balance
        if row["language"] == "en" and not row["writer"] and row["label"]
    }
    assert whole == {
        "A": ("1", "2", "1"), "B": ("2", "2", "0"), "C": ("0", "2", "2"), "D": ("0", "2", "2"),
    }  # fmt: skip
    pseudonyms = set(Participant.objects.filter(samples__isnull=False).values_list("pseudonym"))
    assert {(row["writer"],) for row in rows(page_as, coordinator, "writers")} == pseudonyms
    assert sum(int(row["sent"]) for row in rows(page_as, coordinator, "pace")) == 3
    listed = rows(page_as, coordinator, "list")
    assert {row["key"] for row in listed} == {sample.key for sample in Sample.objects.all()}
    for name in ("balance", "pace", "writers", "list"):
        text = page_as(coordinator).get(f"/p/flock/samples/{name}.csv").text
        assert "other" not in text and ",writer," not in text.split("\n", 1)[1]
    assert page_as(coordinator).get("/p/flock/samples/nothing.csv").status_code == 404


def test_a_key_that_a_spreadsheet_takes_for_a_formula_is_quoted(
    project, coordinator, writer, page_as
):
    making.submitted(writer, making.make_brief(project, "=1+1"))
    assert rows(page_as, coordinator, "list")[0]["brief"] == "'=1+1"


def test_the_page_shows_the_same_balance(project, three, coordinator, page_as):
    page = page_as(coordinator).get("/p/flock/samples/")
    assert [language.total for language in page.context["balance"]] == [4, 0]
    assert page.context["waiting"] == 3 and "3 samples wait for your review." in page.text
