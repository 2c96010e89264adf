"""A second engine: Firefox selects, marks, draws and saves the same."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from annotation.models import Annotation
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.look]
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
RECT = """
const range = document.createRange();
const node = document.getElementById('response').firstChild;
range.setStart(node, arguments[0]); range.setEnd(node, arguments[1]);
const r = range.getClientRects()[0];
return [r.left, r.right, (r.top + r.bottom) / 2];
"""
DRAWN = "return CSS.highlights.get('sheepfold-on-0').size"


@pytest.fixture
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


def test_firefox_marks_what_is_dragged_over(live_server, firefox, project, annotator):
    factories.make_item(project, response="🐑🐑 deux\r\nmoutons «blancs»")
    session = Client()
    session.force_login(annotator)
    firefox.navigate(f"{live_server.url}/accounts/login/")
    name = settings.SESSION_COOKIE_NAME
    firefox.add_cookie({"name": name, "value": session.cookies[name].value, "path": "/"})
    firefox.navigate(f"{live_server.url}/p/{project.slug}/label/")
    run = firefox.execute_script
    until(lambda: run("return document.documentElement.dataset.ready"))
    left, right, y = run(RECT, [10, 17])
    mouse = firefox.actions.sequence("pointer", "mouse", {"pointerType": "mouse"})
    mouse.pointer_move(int(left) + 1, int(y)).pointer_down().pointer_move(int(right) - 1, int(y))
    mouse.pointer_up().perform()
    until(lambda: run("return !document.getElementById('labelbox').hidden"))
    firefox.actions.sequence("key", "keyboard").key_down("a").key_up("a").perform()
    until(lambda: run("return document.getElementById('state').dataset.state") == "saved")
    assert run(DRAWN) == 1
    spans = Annotation.objects.get().spans.values_list("start", "end", "label__code")
    assert list(spans) == [(9, 16, "A")]
    assert run("return document.getElementById('response').childNodes.length") == 1
