"""A coordinator with a session: sends files, watches jobs, runs them again, downloads."""

from __future__ import annotations

import http.client
import json
import re
from dataclasses import dataclass
from typing import Any

CSRF = "a" * 32
LIMIT = "----a-line-between-the-parts"


@dataclass
class Reply:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


@dataclass
class Coordinator:
    port: int
    session: str
    slug: str

    def ask(self, method: str, path: str, body: bytes = b"", type: str = "") -> Reply:
        """Raises where the answer breaks off."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Cookie": f"sessionid={self.session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
        if type:
            headers["Content-Type"] = type
        try:
            connection.request(method, path, body or None, headers)
            reply = connection.getresponse()
            return Reply(reply.status, reply.headers, reply.read())
        finally:
            connection.close()

    def send(self, rows: bytes, pictures: bytes = b"", **fields: str) -> Reply:
        """The import form; a redirect to the job, or the page that says why not."""
        parts = [("file", "items.jsonl", rows)]
        parts += [("images", "pictures.zip", pictures)] if pictures else []
        body = b"".join(
            f'--{LIMIT}\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n'
            f"Content-Type: application/octet-stream\r\n\r\n".encode()
            + content
            + b"\r\n"
            for name, file, content in parts
        )
        body += b"".join(
            f'--{LIMIT}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode()
            + f"{value}\r\n".encode()
            for name, value in fields.items()
        )
        body += f"--{LIMIT}--\r\n".encode()
        path = f"/p/{self.slug}/import/"
        return self.ask("POST", path, body, f"multipart/form-data; boundary={LIMIT}")

    def started(self, rows: bytes, pictures: bytes = b"") -> str:
        """The address of the job that imports them."""
        reply = self.send(rows, pictures)
        assert reply.status == 302, (reply.status, said(reply.body))
        return str(reply.headers["Location"])

    def job(self, address: str) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.ask("GET", f"{address}?as=json").body)
        return value

    def again(self, address: str) -> None:
        body = b"do=again"
        type = "application/x-www-form-urlencoded"
        assert self.ask("POST", f"{address}change/", body, type).status == 302


def said(page: bytes) -> str:
    """A page's words."""
    text = page.decode().partition("<main")[2]
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def rows_of(count: int, prefix: str, words: int = 20, **fields: str) -> bytes:
    """A `jsonl` file of that many items."""
    response = " ".join(["A sheep stands by the gate."] * words)
    return b"".join(
        json.dumps(
            {"key": f"{prefix}-{n:05}", "language": "en", "response": response}
            | {name: value.format(n) for name, value in fields.items()}
        ).encode()
        + b"\n"
        for n in range(count)
    )
