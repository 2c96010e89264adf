"""Requests that nobody means well: refused in words, never with an error of the server."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.actions import people, places
from annotation.errors import Refused
from annotation.models import Job
from tests import factories


@pytest.fixture
def address(project, annotator):
    factories.make_item(project)
    return f"/api/v1/assignments/{places.claim(annotator, project.slug).place_id}/"


@pytest.mark.parametrize(
    "content",
    [b"[" * 100_000, b'{"spans":' * 50_000, b"\xff\xfe", b"", b'{"version": NaN}', b"9" * 5000],
)
@pytest.mark.parametrize("tail", ["", "report/"])
def test_a_body_that_is_no_json_is_refused(api_as, annotator, address, content, tail):
    send = api_as(annotator).post if tail else api_as(annotator).put
    answer = send(address + tail, content, content_type="application/json")
    assert answer.status_code in (400, 422) and answer.json()["errors"]
    for internal in ("char 0", "sys.", "codec", "Expecting", "recursion"):
        assert internal not in answer.text


@pytest.mark.parametrize("tail", ["assignment", "claim"])
def test_a_body_that_is_too_large_is_413(api_as, project, annotator, address, tail):
    body = b'{"after": "' + b"x" * 2_000_000 + b'"}'
    target = address if tail == "assignment" else f"/api/v1/projects/{project.slug}/claim/"
    send = api_as(annotator).put if tail == "assignment" else api_as(annotator).post
    assert send(target, body, content_type="application/json").status_code == 413


@pytest.mark.parametrize("number", [2**63, 2**70])
def test_an_id_beyond_every_database_is_not_found(api_as, page_as, annotator, number):
    for method in ("get", "put"):
        answer = getattr(api_as(annotator), method)(f"/api/v1/assignments/{number}/")
        assert answer.status_code == 404
    assert page_as(annotator).get(f"/pictures/{number}/").status_code == 404


def test_an_upload_beyond_the_limit_is_refused_and_kept_nowhere(
    project, coordinator, page_as, settings
):
    settings.MAX_UPLOAD_BYTES = 1000
    file = SimpleUploadedFile("big.jsonl", b"x" * 2000)
    answer = page_as(coordinator).post(f"/p/{project.slug}/import/", {"file": file})
    assert answer.status_code == 422 and b"more than 1000 bytes" in answer.content
    assert not Job.objects.exists()


def test_a_password_with_nul_is_refused_and_the_link_stays(project):
    member, _ = people.add_member(None, project, "new", "annotator", [])
    secret = people.new_password_link(None, member)
    with pytest.raises(Refused, match="NUL"):
        people.use_password_link(secret, "clover\x00and-hay-24")
    assert people.link_for(secret) is not None
