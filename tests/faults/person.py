"""An annotator that does what the labelling page does, and remembers what was acknowledged."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

Spans = tuple[tuple[int, int, str], ...]
PATIENCE = 120.0  # seconds after which a save that never arrived is a fault


@dataclass(frozen=True)
class Said:
    """An answer as it was sent; two are equal when the page would call them the same."""

    spans: Spans
    comment: str
    none: bool

    @classmethod
    def of(cls, value: dict[str, Any]) -> Said:
        spans = sorted((s["start"], s["end"], s["label"]) for s in value["spans"])
        return cls(tuple(spans), value["comment"], value["no_hallucination"])

    def as_json(self) -> dict[str, Any]:
        spans = [{"start": a, "end": b, "label": label} for a, b, label in self.spans]
        return {"spans": spans, "comment": self.comment, "no_hallucination": self.none}


@dataclass(frozen=True)
class Ack:
    """A save that the site said it has."""

    user: int
    place: int
    version: int
    said: Said
    submit: bool


@dataclass
class Counts:
    unacknowledged: int = 0  # saves whose first try got no answer, or one of trouble
    again: int = 0  # requests that were sent again
    late: int = 0
    wrong: list[str] = field(default_factory=list)


class Person(threading.Thread):
    """Claims, saves two or three drafts, submits, until told to stop; then ends what is begun."""

    def __init__(self, port: int, user: int, token: str, slug: str, seed: int = 0) -> None:
        super().__init__(daemon=True)
        self.port, self.user, self.token, self.slug = port, user, token, slug
        self.chance = random.Random(f"{user}:{seed}")
        self.over = threading.Event()
        self.acks: list[tuple[float, Ack]] = []
        self.sent: set[tuple[int, Said]] = set()
        self.counts = Counts()
        self.statuses: dict[int, int] = {}
        self.connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Status and JSON; 0 where the line is dead, as `fetch` fails."""
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            self.connection.request(method, path, json.dumps(body), headers)
            reply = self.connection.getresponse()
            text, status = reply.read(), reply.status
            is_json = "json" in reply.headers.get("Content-Type", "")
            value = json.loads(text) if is_json else None
        except (OSError, http.client.HTTPException):
            if self.connection is not None:
                self.connection.close()
            self.connection, status, value = None, 0, None
        self.statuses[status] = self.statuses.get(status, 0) + 1
        return status, value

    def answer(self) -> Said:
        if self.chance.random() < 0.1:
            return Said((), f"nothing {self.chance.randrange(10**6)}", True)
        at, spans = 0, []
        for _ in range(self.chance.randrange(1, 4)):
            at += self.chance.randrange(1, 20)
            end = at + self.chance.randrange(1, 20)
            spans.append((at, end, self.chance.choice("ABCD")))
            at = end
        return Said(tuple(spans), f"{self.chance.randrange(10**6)}", False)

    def run(self) -> None:
        tries = 0
        while not self.over.is_set():
            status, place = self.ask("POST", f"/api/v1/projects/{self.slug}/claim/", {})
            if status == 200:
                tries = 0
                self.label(place)
            elif status == 0 or status >= 500:
                self.pause(tries := tries + 1)
            else:
                return self.counts.wrong.append(f"claim {status}")
        if self.connection is not None:
            self.connection.close()
        return None

    def pause(self, tries: int) -> None:
        """As the page waits, but in a tenth of its time."""
        time.sleep(min(3.0, 0.1 * 2**tries) * self.chance.uniform(0.5, 1))

    def label(self, place: dict[str, Any]) -> None:
        version: int | None = place["annotation"]["version"]
        for submit in [False] * self.chance.randrange(2, 4) + [True]:
            if version is not None:
                version = self.save(place["id"], version, self.answer(), submit)

    def save(self, place: int, version: int, said: Said, submit: bool) -> int | None:
        """Send it until the site has it; the version then, or None where there is nothing to do."""
        lost: list[Said] = []
        tries, begun = 0, time.monotonic()
        while time.monotonic() - begun < PATIENCE:
            self.sent.add((place, said))
            body = said.as_json() | {"version": version, "active_ms": 20, "submit": submit}
            status, value = self.ask("PUT", f"/api/v1/assignments/{place}/", body)
            if status == 200:
                ack = Ack(self.user, place, value["version"], said, submit)
                self.acks.append((time.monotonic(), ack))
                return ack.version
            if status == 0 or status >= 500:
                self.counts.unacknowledged += not tries
                lost.append(said)
                self.pause(tries := tries + 1)
                if self.chance.random() < 0.3:  # who waits goes on marking
                    said = self.answer()
            elif status == 409:
                theirs = Said.of(value["annotation"]["draft"] or value["annotation"])
                if theirs not in [said, *lost]:
                    break
                version, lost = value["annotation"]["version"], []
            elif status == 410:
                self.counts.late += 1
                return None
            else:
                break
            self.counts.again += 1
        self.counts.wrong.append(f"save {status}: {value}")
        return None
