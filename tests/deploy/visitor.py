"""Somebody's browser without a screen: one connection, cookies, the headers that browsers send."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlencode, urlsplit


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes
    cookies: list[str]

    @property
    def text(self) -> str:
        return self.body.decode()


class Visitor:
    """Asks the server on a port of loopback as if it stood under the public address."""

    def __init__(self, public_url: str, port: int, certificate: Path | None = None) -> None:
        parts = urlsplit(public_url)
        self.origin, self.host = f"{parts.scheme}://{parts.netloc}", parts.netloc
        self.prefix = parts.path.rstrip("/")
        self.port, self.cookies = port, dict[str, str]()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        if certificate is not None:
            context = ssl.create_default_context(cafile=str(certificate))
            plain = socket.create_connection(("127.0.0.1", port), timeout=20)
            self.connection.sock = context.wrap_socket(plain, server_hostname=parts.hostname)

    def __enter__(self) -> Visitor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.connection.close()

    def send(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> http.client.HTTPResponse:
        """``path`` below the public address, or from the host's root where it has the prefix."""
        full = path if self.prefix and path.startswith(self.prefix + "/") else self.prefix + path
        given = {"Host": self.host} | {n.replace("_", "-"): v for n, v in headers.items()}
        if self.cookies:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.connection.request(method, full, body, given)
        return self.connection.getresponse()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        response = self.send(method, path, body, **headers)
        set_cookies = response.headers.get_all("Set-Cookie") or []
        for cookie in set_cookies:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        lowered = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, lowered, response.read(), set_cookies)

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, **headers)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Reply:
        """A form, with the token of its page and the origin a browser would name."""
        secret = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(path).text)
        assert secret, f"{path} has no form"
        body = urlencode(fields | {"csrfmiddlewaretoken": secret[1]})
        sent = {"Content_Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        return self.ask("POST", path, body, **(sent | headers))

    def log_in(self, name: str, password: str, **headers: str) -> Reply:
        return self.post("/accounts/login/", {"login": name, "password": password}, **headers)
