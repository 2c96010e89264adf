"""Log lines as pure functions: what is masked, what an error tells, which request ids are taken."""

from __future__ import annotations

import json
import logging
import sys

import pytest
from django.db import DataError, IntegrityError

from annotation.logs import context
from annotation.logs.lines import JsonLines, PlainLines
from annotation.logs.mask import masked
from annotation.middleware_log import request_id

TOKEN = "32LyVFQVCdtilmsp0xKT3spMxtt1mZWN_RbuhSKgEYg"


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Token short",
        "Cookie: sessionid=abc; csrftoken=def",
        "{'Authorization': 'Token abcdef'}",
        "csrfmiddlewaretoken=abc&password=hay77",
        "password: hay77",
        "postgres://sheepfold:hay77@db:5432/x",
        f"Internal Server Error: /welcome/{TOKEN}/",
        f"Token {TOKEN}",
        "GET /p/flock/?next=hay77 failed",
    ],
)
def test_a_secret_is_masked(text):
    assert not [word for word in ("short", "abc", "def", "hay77", TOKEN) if word in masked(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Worker exiting (pid: 4711)",
        "/p/hallucinations-in-four-languages-2026/label/17/ 200",
        "job 7: relation annotation_item does not exist",
        "Is it there? Yes.",
    ],
)
def test_what_is_no_secret_stays(text):
    assert masked(text) == text


def test_the_secret_part_of_an_address_is_masked_wherever_it_stands():
    context.begin(request="r-1")
    context.hide("meadow")
    assert masked("/join/meadow/") == "/join/***/"
    context.begin()
    assert masked("/join/meadow/") == "/join/meadow/"


def line_of(error: BaseException, formatter: logging.Formatter) -> str:
    try:
        raise error
    except type(error):
        record = logging.LogRecord("x", 40, "f", 1, "It broke: %s", (error,), sys.exc_info())
    return formatter.format(record)


def test_an_exception_tells_its_kind_and_place_and_never_the_data():
    text = line_of(ValueError("Two white unicorns\nand a pony"), JsonLines())
    assert "\n" not in text and "unicorns" not in text
    line = json.loads(text)
    assert line["message"] == "It broke: ValueError" and line["error"] == "ValueError"
    assert line["traceback"][0].startswith("tests/deploy/test_log_lines.py:")


def test_a_refusal_of_the_database_names_the_constraint_and_not_the_row():
    failing = "violates unique constraint one_place\nDETAIL:  Key (comment)=(Two white unicorns)"
    line = json.loads(line_of(IntegrityError(failing), JsonLines()))
    assert line["error"] == "IntegrityError: violates unique constraint one_place"
    assert json.loads(line_of(DataError("bad: unicorns"), JsonLines()))["error"] == "DataError"


def test_a_line_for_people_is_masked_too():
    record = logging.LogRecord("x", 40, "f", 1, "password=%s", ("hay77",), None)
    assert "hay77" not in PlainLines().format(record)


@pytest.mark.parametrize("given", ["", "a b", "ä", "x" * 65, 'x"y', "x\ny"])
def test_a_request_id_of_other_than_plain_letters_is_replaced(given):
    assert request_id(given) != given and len(request_id(given)) == 16


def test_a_plain_request_id_is_taken_over():
    assert request_id("nginx-7.A_b") == "nginx-7.A_b"


def test_an_answer_carries_the_request_id(client, db):
    assert client.get("/accounts/login/", headers={"X-Request-ID": "abc"})["X-Request-ID"] == "abc"
