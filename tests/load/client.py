"""Annotators as coroutines on bare sockets: they cost little of the machine that they measure."""

from __future__ import annotations

import asyncio
import json
import random
import time
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

CSRF = "a" * 32
SHOWN = 5  # errors that are named


@dataclass
class Seen:
    """Seconds of every request by its kind, and what went wrong."""

    since: float = 0.0  # before, people come one by one: errors count, times do not
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    submitted: int = 0

    def note(self, kind: str, seconds: float, status: int, wanted: tuple[int, ...]) -> None:
        if time.perf_counter() >= self.since:
            self.seconds[kind].append(seconds)
        if status not in wanted:
            self.errors.append(f"{kind} {status}")


class Connection:
    """One line of a browser to the site, opened anew where it was closed."""

    def __init__(self, port: int, session: str) -> None:
        self.port = port
        self.head = (
            f"Host: 127.0.0.1:{port}\r\nCookie: sessionid={session}; csrftoken={CSRF}\r\n"
            f"X-CSRFToken: {CSRF}\r\nAccept-Encoding: gzip\r\nContent-Type: application/json\r\n"
        )
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def send(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Status and body; 0 where the line broke."""
        for fresh in (self.writer is None, True):
            try:
                if fresh:
                    await self.open()
                return await self._send(method, path, body)
            except (OSError, asyncio.IncompleteReadError, ValueError):
                self.close()
                if fresh:
                    return 0, b""
        return 0, b""

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    async def _send(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        assert self.reader is not None and self.writer is not None
        head = f"{method} {path} HTTP/1.1\r\n{self.head}Content-Length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        head_bytes = await self.reader.readuntil(b"\r\n\r\n")
        first, *lines = head_bytes.decode("latin-1").lower().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines if ": " in line)
        status = int(first.split()[1])
        if headers.get("transfer-encoding") == "chunked":
            content = await self._chunks()
        else:
            content = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.close()
        if headers.get("content-encoding") == "gzip":
            content = zlib.decompress(content, 31)
        return status, content

    async def _chunks(self) -> bytes:
        assert self.reader is not None
        found = b""
        while size := int((await self.reader.readline()).split(b";")[0], 16):
            found += await self.reader.readexactly(size)
            await self.reader.readexactly(2)
        await self.reader.readexactly(2)
        return found


class Annotator:
    """The labelling page: claims ahead, fetches pictures, saves drafts, submits, counts."""

    def __init__(self, port: int, session: str, slug: str, seen: Seen, think: tuple[float, float]):
        self.line, self.slug, self.seen, self.think = Connection(port, session), slug, seen, think
        self.chance = random.Random(session)

    async def ask(
        self, kind: str, method: str, path: str, body: Any = None, wanted: tuple[int, ...] = (200,)
    ) -> tuple[int, bytes]:
        begun = time.perf_counter()
        text = b"" if body is None else json.dumps(body).encode()
        status, content = await self.line.send(method, path, text)
        self.seen.note(kind, time.perf_counter() - begun, status, wanted)
        return status, content

    async def work(self, until: float) -> None:
        """Until the loop's clock says so; who begins does so somewhere in a think time."""
        await asyncio.sleep(self.chance.uniform(0, self.think[0]))
        await self.ask("page", "GET", f"/p/{self.slug}/label/")
        place = await self.claim({})
        if place:
            await self.picture(place)
        now = asyncio.get_running_loop().time
        while place and now() < until:
            ahead = await self.claim({"after": place["id"]})
            await self.ask("progress", "GET", f"/api/v1/projects/{self.slug}/")
            if ahead:
                await self.picture(ahead)
            await self.label(place, until)
            place = ahead
        self.line.close()

    async def claim(self, body: dict[str, int]) -> dict[str, Any] | None:
        path = f"/api/v1/projects/{self.slug}/claim/"
        status, content = await self.ask("claim", "POST", path, body)
        return json.loads(content) if status == 200 else None

    async def picture(self, place: dict[str, Any]) -> None:
        if place["item"]["image_url"]:
            await self.ask("picture", "GET", place["item"]["image_url"])

    async def label(self, place: dict[str, Any], until: float) -> None:
        version = place["annotation"]["version"]
        drafts = self.chance.randrange(2, 5)
        think = self.chance.uniform(*self.think) / (drafts + 1)
        spans = []
        for n in range(drafts + 1):
            await asyncio.sleep(think)
            if asyncio.get_running_loop().time() > until:
                return
            submit = n == drafts
            if not submit:
                spans.append({"start": 20 * n, "end": 20 * n + 9, "label": "ABCD"[n % 4]})
            answer = {"spans": spans, "comment": "", "no_hallucination": False}
            body = answer | {"version": version, "active_ms": int(1000 * think), "submit": submit}
            kind = "submit" if submit else "draft"
            path = f"/api/v1/assignments/{place['id']}/"
            status, content = await self.ask(kind, "PUT", path, body)
            if status == 200:
                version = json.loads(content)["version"]
                self.seen.submitted += submit


async def run(
    port: int, sessions: list[str], slug: str, think: tuple[float, float], seconds: float
) -> Seen:
    """Everybody at work for so long, once all have begun."""
    seen = Seen(since=time.perf_counter() + 1.25 * think[0])
    until = asyncio.get_running_loop().time() + 1.25 * think[0] + seconds
    people = [Annotator(port, session, slug, seen, think) for session in sessions]
    await asyncio.gather(*(person.work(until) for person in people))
    return seen
