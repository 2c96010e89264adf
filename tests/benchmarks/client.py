"""A light HTTP client: one keep-alive socket, bytes put together by hand."""

from __future__ import annotations

import json
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Any


class Connection:
    def __init__(self, port: int, token: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.headers = (
            f"Host: 127.0.0.1:{port}\r\nAuthorization: Token {token}\r\n"
            "Content-Type: application/json\r\n"
        )
        self.rest = b""

    def send(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Status and body."""
        head = f"{method} {path} HTTP/1.1\r\n{self.headers}Content-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)
        while b"\r\n\r\n" not in self.rest:
            self._receive()
        head_bytes, _, self.rest = self.rest.partition(b"\r\n\r\n")
        lines = head_bytes.lower().split(b"\r\n")
        lengths = [int(line[15:]) for line in lines if line.startswith(b"content-length:")]
        length = lengths[0] if lengths else 0
        while len(self.rest) < length:
            self._receive()
        answer, self.rest = self.rest[:length], self.rest[length:]
        return int(lines[0].split()[1]), answer

    def _receive(self) -> None:
        part = self.socket.recv(65536)
        if not part:
            raise ConnectionError("the server closed the connection")
        self.rest += part


@dataclass
class Load:
    """What one or several annotators saw: seconds of each pair of claim and submit."""

    pairs: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    seconds: float = 0.0
    client_cpu: float = 0.0

    def at(self, share: float) -> float:
        """A percentile of the pairs, in ms."""
        ordered = sorted(self.pairs)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    @property
    def rate(self) -> float:
        return len(self.pairs) / self.seconds if self.seconds else 0.0


def submission(assignment: dict[str, Any]) -> bytes:
    """An answer with two short spans."""
    spans = [{"start": 0, "end": 3, "label": "A"}, {"start": 4, "end": 9, "label": "B"}]
    version = assignment["annotation"]["version"]
    return json.dumps(
        {"spans": spans, "comment": "", "no_hallucination": False, "version": version}
        | {"active_ms": 20, "submit": True}
    ).encode()


def pair(connection: Connection, slug: str) -> str:
    """Claim and submit once; what went wrong, or nothing; ``left`` when no place is left."""
    status, body = connection.send("POST", f"/api/v1/projects/{slug}/claim/", b"{}")
    if status == 204:
        return "left"
    if status != 200:
        return f"claim {status}: {body[:200]!r}"
    assignment = json.loads(body)
    path = f"/api/v1/assignments/{assignment['id']}/"
    status, body = connection.send("PUT", path, submission(assignment))
    return "" if status == 200 else f"submit {status}: {body[:200]!r}"


def _annotate(port: int, token: str, slug: str, count: int, load: Load) -> None:
    try:
        connection = Connection(port, token)
        for _ in range(count):
            start = time.perf_counter()
            wrong = pair(connection, slug)
            if wrong:
                load.errors.append(wrong)
                return
            load.pairs.append(time.perf_counter() - start)
    except OSError as error:
        load.errors.append(repr(error))


def run(port: int, tokens: list[str], slug: str, count: int) -> Load:
    """Every token's person does ``count`` pairs, all at once, without think time."""
    load, start, cpu = Load(), time.perf_counter(), time.process_time()
    people = [
        threading.Thread(target=_annotate, args=(port, token, slug, count, load))
        for token in tokens
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()
    load.seconds, load.client_cpu = time.perf_counter() - start, time.process_time() - cpu
    return load
