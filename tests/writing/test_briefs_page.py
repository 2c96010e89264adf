"""The page of briefs: list, drawing, importing, giving."""

from __future__ import annotations

import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import Refused
from annotation.models import Participant
from tests import factories
from tests.writing import making
from writing.actions import samples
from writing.actions.giving import give_briefs
from writing.models import Brief
from writing.selectors.briefs import brief_counts, find_briefs

PATH = "/p/flock/briefs/"


def person(user):
    return Participant.objects.get(user=user)


def keys(project, state, language=""):
    return [brief.key for brief in find_briefs(project, language, state)]


@pytest.fixture
def four(project, writer, other):
    """A free, a begun, a given and a shared brief."""
    made = {key: making.make_brief(project, key) for key in ("free", "begun", "given")}
    made["shared"] = making.make_brief(project, "shared", shared=True)
    samples.start(writer, made["begun"].pk)
    samples.start(other, made["shared"].pk)
    give_briefs(None, project, [made["given"].pk], person(writer).pk)
    return made


def test_the_list_by_state(project, four):
    assert keys(project, "free") == ["free"]
    assert keys(project, "given") == ["given"]
    assert keys(project, "begun") == ["begun", "shared"]
    assert keys(project, "shared") == ["shared"]
    assert len(keys(project, "")) == 4 and keys(project, "", "fr") == []
    assert brief_counts(project) == [{"language": "en", "n": 4, "shared": 1, "begun": 2}]


def test_a_deleted_sample_frees_its_brief(project, four, writer):
    sample = four["begun"].samples.get()
    samples.delete(writer, sample.pk)
    assert "begun" in keys(project, "free")
    assert brief_counts(project)[0]["begun"] == 1


def test_the_page_asks_as_often_for_many_briefs_as_for_few(
    project, four, coordinator, writer, page_as
):
    page = page_as(coordinator)

    def queries():
        with CaptureQueriesContext(connection) as caught:
            assert page.get(PATH).status_code == 200
        return len(caught)

    few = queries()
    for n in range(10):
        samples.start(writer, making.make_brief(project, f"more-{n}").pk)
    assert queries() == few


def test_drawing_on_the_page(project, coordinator, page_as):
    factories.make_item(project, "item", context="A text.", context_format="plain")
    page = page_as(coordinator)
    sent = {"do": "draw", "language": "en", "count": "1", "seed": "-5", "shared": "on"}
    assert page.post(PATH, sent).url == PATH
    assert Brief.objects.get().shared
    again = page.post(PATH, sent | {"count": "70"})
    assert again.status_code == 422 and "Only 0 questions" in again.text
    assert 'value="70"' in again.text and 'value="-5"' in again.text


@pytest.mark.parametrize("count", ["", "x", "0", "-1", "1.5", "٣", "9" * 30])
def test_a_count_that_is_none_is_refused(project, coordinator, page_as, count):
    sent = {"do": "draw", "language": "en", "count": count, "seed": "0"}
    assert page_as(coordinator).post(PATH, sent).status_code == 422
    assert not Brief.objects.exists()


def upload(page, text, name="briefs.csv", **more):
    file = io.BytesIO(text.encode())
    file.name = name
    return page.post(PATH, {"do": "import", "file": file} | more)


def test_importing_on_the_page(project, coordinator, page_as):
    page = page_as(coordinator)
    good = "key,language,question,context\nb-1,en,What?,A text\n"
    assert upload(page, good).status_code == 302
    bad = good.replace("b-1", "b-2") + "b-3,de,Was?,x\n"
    refused = upload(page, bad)
    assert refused.status_code == 422 and Brief.objects.count() == 1
    assert "Nothing was imported" in refused.text and "is no language" in refused.text
    kept = upload(page, bad, partial="on")
    assert "The others were kept." in kept.text and Brief.objects.count() == 2
    assert page.post(PATH, {"do": "import"}).status_code == 422
    assert page.post(PATH, {"do": "burn"}).status_code == 422


def test_giving_on_the_page(project, four, coordinator, other, page_as):
    page = page_as(coordinator)
    chosen = [four["free"].pk, four["given"].pk]
    sent = {"do": "give", "brief": chosen, "writer": person(other).pk}
    assert page.post(PATH + "?state=free", sent).url == PATH + "?state=free"
    for key in ("free", "given"):
        brief = Brief.objects.get(key=key)
        assert (brief.writer, brief.given) == (person(other), True)
    page.post(PATH, sent | {"writer": ""})
    assert Brief.objects.get(key="free").writer is None and not Brief.objects.get(key="free").given


@pytest.mark.parametrize("key", ["shared", "begun"])
def test_a_shared_or_begun_brief_is_not_given_and_nothing_else_either(project, four, other, key):
    with pytest.raises(Refused, match=key):
        give_briefs(None, project, [four["free"].pk, four[key].pk], person(other).pk)
    assert Brief.objects.get(key="free").writer is None


def test_whoever_began_a_brief_may_be_given_it(project, four, writer):
    assert give_briefs(None, project, [four["begun"].pk], person(writer).pk) == 1
    assert Brief.objects.get(key="begun").given


def test_what_cannot_be_given_is_refused(project, four, writer, annotator, stranger):
    french = making.make_brief(project, "french", language="fr")
    for briefs, who in (
        ([french.pk], person(writer).pk),
        ([four["free"].pk], person(annotator).pk),
        ([four["free"].pk, 999_999], person(writer).pk),
        ([], person(writer).pk),
    ):
        with pytest.raises(Refused):
            give_briefs(None, project, briefs, who)
    foreign = making.make_brief(Participant.objects.filter(user=stranger)[0].project, "foreign")
    with pytest.raises(Refused):
        give_briefs(None, project, [foreign.pk], person(writer).pk)
    assert Brief.objects.get(key="foreign").writer is None


def test_a_given_brief_is_begun_by_its_writer_alone(project, four, writer, other):
    with pytest.raises(Refused, match="Another writer has this brief"):
        samples.start(other, four["given"].pk)
    assert samples.start(writer, four["given"].pk).writer == person(writer)


def test_only_coordinators_come_in(project, writer, annotator, page_as):
    for user in (writer, annotator):
        assert page_as(user).get(PATH).status_code == 403
        assert page_as(user).post(PATH, {"do": "draw"}).status_code == 403
