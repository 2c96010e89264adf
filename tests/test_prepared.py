"""Queries that are put into SQL once: the same as if they were put into SQL each time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.db.models import Model, QuerySet
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from annotation.actions import places
from annotation.api.auth import digest
from annotation.models import ApiToken, Project, User
from annotation.prepared import Prepared
from annotation.selectors import asked
from tests import factories

HOT = [query for query in vars(asked).values() if isinstance(query, Prepared)]


def by_slug(slug: str) -> QuerySet[Project]:
    return Project.objects.filter(slug=slug)


def containing(slug: str) -> QuerySet[Project]:
    return Project.objects.filter(slug__contains=slug)


def without(slug: str) -> QuerySet[Project]:
    return Project.objects.all()


@pytest.mark.django_db
@pytest.mark.parametrize("values", [[None], [3], [b"flock"], []])
def test_a_value_of_another_kind_is_refused(values: list[Any]):
    with pytest.raises(TypeError, match="by_slug: slug is no str"):
        Prepared(by_slug)(*values)


@pytest.mark.django_db
@pytest.mark.parametrize("make", [containing, without])
def test_a_parameter_that_is_not_the_value_of_a_column_is_refused(make: Any):
    with pytest.raises(ValueError, match="slug"):
        Prepared(make)("flock")


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_within_a_transaction_alone():
    user = factories.join(factories.make_project(), "reader", "annotator")
    with transaction.atomic():
        assert asked.roles_in_locked(user.pk, "flock")
    with pytest.raises(TransactionManagementError):
        asked.roles_in_locked(user.pk, "flock")


def work(n: int) -> dict[str, Any]:
    """What the queries are asked about, in a project of its own."""
    project = factories.make_project(f"flock-{n}", ("en", "fr"), guidelines="Look twice.")
    user = factories.join(project, f"reader-{n}", "annotator", ("fr",))
    factories.make_item(project, language="fr", metadata={"b": 1, "a": [n]})
    annotation = places.claim(user, project.slug)
    assert annotation
    ApiToken.objects.create(user=user, digest=digest(f"secret-{n}"))
    return {
        "user": user.pk,
        "slug": project.slug,
        "place": annotation.place_id,
        "person": annotation.annotator_id,
        "pk": annotation.item_id,
        "digest": digest(f"secret-{n}"),
        "project": project.pk,
    }


def plain(row: Any) -> Any:
    """Every loaded value, with those of the models that came along."""
    if not isinstance(row, Model):
        return row
    kept = {name: value for name, value in vars(row).items() if name != "_state"}
    related = row._state.fields_cache
    return type(row), kept, {name: plain(value) for name, value in related.items()}


@pytest.mark.django_db
@pytest.mark.parametrize("query", HOT, ids=lambda query: query.__name__)
def test_the_answer_and_the_sql_are_those_of_the_queryset(query: Prepared[Any, Any]):
    for found in (work(1), work(2)):
        values = {name: found[name] for name in query.kinds}
        for given in (query(**values), query(*values.values())):
            assert [plain(row) for row in given] == [plain(r) for r in query.make(**values)] != []
        with CaptureQueriesContext(connection) as queries:
            query(**values)
            list(query.make(**values))
        assert queries[0]["sql"] == queries[1]["sql"]


@pytest.mark.django_db
def test_nothing_that_is_done_to_a_row_is_seen_in_the_next_answer():
    found = work(1)
    [first] = asked.roles_in(found["user"], "flock-1")
    first.participant.project.name = "changed"
    first.languages.append("en")
    [again] = asked.roles_in(found["user"], "flock-1")
    assert again.participant.project.name == "Flock-1" and again.languages == ["fr"]
    assert asked.roles_in(found["user"], "flock-2") == []


@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_over_its_own_connection():
    found = [work(n) for n in range(6)]

    def asks(n: int) -> list[str]:
        try:
            return [
                user.username
                for at in range(20)
                for user in asked.users_of_token(found[(n + at) % 6]["digest"])
            ]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        told = list(pool.map(asks, range(6)))
    assert told == [[f"reader-{(n + at) % 6}" for at in range(20)] for n in range(6)]
    assert User.objects.count() == 6
