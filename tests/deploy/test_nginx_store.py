"""What a browser gets of a store that fails behind nginx's sample for several hosts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.deploy.far import Answering
from tests.deploy.hosts import sample
from tests.deploy.visitor import Visitor
from tests.files import picture
from tests.servers import Nginx, free_port, wait_until
from tests.servers.programs import answers

pytestmark = pytest.mark.servers

# the store's status -> the browser's
FAULTS = {301: 503, 302: 503, 307: 503, 308: 503, 400: 503, 403: 503, 404: 404, 500: 503, 507: 503}
PLACE = {"X-Accel-Redirect": "/protected-store/flock/a.png?X-Amz-Signature=hay77"}


def test_no_redirect_and_no_word_of_the_store_reaches_a_browser(tmp_path):
    if not Path("/usr/sbin/nginx").exists():
        assert not os.environ.get("CI"), "nginx is not installed"
        pytest.skip("nginx is not installed")
    port = free_port()
    elsewhere = {"Location": "http://store.internal/hay77", "Set-Cookie": "store=hay77"}
    with Answering(200, **PLACE) as web, Answering(200, picture(), **elsewhere) as store:
        webs, far = [web.server.server_port] * 2, store.server.server_port
        with (
            Nginx(tmp_path / "nginx", sample(port, webs, far)),
            Visitor(f"http://127.0.0.1:{port}/", port) as visitor,
        ):
            wait_until(lambda: answers(f"http://127.0.0.1:{port}/no-store"), 10, "nginx")
            whole = visitor.get("/pictures/1/")
            assert (whole.status, whole.body, whole.cookies) == (200, picture(), [])
            part = visitor.get("/pictures/1/", Range="bytes=1-3")
            assert (part.status, part.body) == (206, b"PNG")
            assert visitor.get("/pictures/1/", Range="bytes=900000-").status == 416
            store.body = b"<Error>hay77</Error>"
            for store.status, wanted in FAULTS.items():
                reply = visitor.get("/pictures/1/")
                assert reply.status == wanted, store.status
                assert "hay77" not in str(reply) and "location" not in reply.headers
                assert wanted == 404 or int(reply.headers["retry-after"]) > 0
