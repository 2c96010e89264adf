"""A second engine: Firefox selects, marks, draws and saves the same, on both pages."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from annotation.models import Annotation, User
from tests import factories
from tests.writing import making
from writing.actions import samples
from writing.models import Sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
RECT = """
const range = document.createRange();
const node = document.getElementById('response').firstChild;
range.setStart(node, arguments[0]); range.setEnd(node, arguments[1]);
const r = range.getClientRects()[0];
return [r.left, r.right, (r.top + r.bottom) / 2];
"""
STATE = "return document.getElementById('state').dataset.state"
DRAWN = "return CSS.highlights.get(arguments[0]).size"


@pytest.fixture(scope="module")  # it takes seconds to start
def firefox() -> Iterator[Any]:
    if FIREFOX is None:
        pytest.skip("Firefox is not installed")
    from marionette_driver.marionette import Marionette

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = Marionette(bin=FIREFOX, headless=True, host="127.0.0.1", port=port)
    client.start_session()
    yield client
    client.quit()
    client.cleanup()  # at the interpreter's end it would print tracebacks


def until(what: Any, seconds: float = 8) -> Any:
    """Wait until ``what()`` is true."""
    end = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < end:
        time.sleep(0.05)
    assert found
    return found


@pytest.fixture
def opened(live_server, firefox) -> Any:
    """``opened(user, path)``: run a script on the user's page, which is ready."""

    def build(user: User, path: str) -> Any:
        session = Client()
        session.force_login(user)
        firefox.navigate(f"{live_server.url}/accounts/login/")
        name = settings.SESSION_COOKIE_NAME
        firefox.add_cookie({"name": name, "value": session.cookies[name].value, "path": "/"})
        firefox.navigate(f"{live_server.url}/p/flock/{path}")
        run = firefox.execute_script
        until(lambda: run("return document.documentElement.dataset.ready"))
        return run

    return build


def drag(firefox: Any, start: int, end: int) -> None:
    """The mouse goes over these units of the shown text."""
    left, right, y = firefox.execute_script(RECT, [start, end])
    mouse = firefox.actions.sequence("pointer", "mouse", {"pointerType": "mouse"})
    mouse.pointer_move(int(left) + 1, int(y)).pointer_down().pointer_move(int(right) - 1, int(y))
    mouse.pointer_up().perform()
    shown = "return !document.getElementById('labelbox').hidden"
    until(lambda: firefox.execute_script(shown))


def test_firefox_marks_what_is_dragged_over(firefox, opened, project, annotator):
    factories.make_item(project, response="🐑🐑 deux\r\nmoutons «blancs»")
    run = opened(annotator, "label/")
    drag(firefox, 10, 17)
    firefox.actions.sequence("key", "keyboard").key_down("a").key_up("a").perform()
    until(lambda: run(STATE) == "saved")
    assert run(DRAWN, ["sheepfold-on-0"]) == 1
    spans = Annotation.objects.get().spans.values_list("start", "end", "label__code")
    assert list(spans) == [(9, 16, "A")]
    assert run("return document.getElementById('response').childNodes.length") == 1


def test_firefox_writes_and_marks_the_error(firefox, opened, project):
    writer = factories.join(project, "writer", "writer")
    sample = samples.start(writer, making.make_brief(project).pk)
    run = opened(writer, f"writing/{sample.pk}/")
    firefox.find_element("css selector", "input[name=label][value=A]").click()
    firefox.find_element("id", "text").send_keys("🐑🐑 deux\nmoutons «blancs»")
    until(lambda: run("return !document.getElementById('answer').hidden"))
    run("document.getElementById('response').scrollIntoView({ block: 'center' })")
    drag(firefox, 10, 17)
    firefox.find_element("id", "mark-it").click()
    until(lambda: Sample.objects.get().spans)
    until(lambda: run(STATE) == "saved")
    assert run(DRAWN, ["sheepfold-0"]) == 1
    held = Sample.objects.get()
    assert (held.text, held.label.code) == ("🐑🐑 deux\nmoutons «blancs»", "A")
    assert held.spans == [{"start": 8, "end": 15}]
