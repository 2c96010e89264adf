"""What a coordinator does beside the annotators, over and over until they have ended."""

from __future__ import annotations

import http.client
import itertools
import threading
import time
from dataclasses import dataclass, field

from tests.faults.coordinator import Coordinator, rows_of
from tests.load.scenarios import ANSWERED

IMPORTED = 20_000


@dataclass
class Beside:
    """``with Beside("export", ...) as beside:``; ``seconds`` has each round."""

    kind: str
    port: int
    session: str
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def export(self, number: int) -> None:
        """Read piece by piece, so that this process holds no file."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        path = f"/api/v1/projects/{ANSWERED}/export/?format=sheep"
        connection.request("GET", path, headers={"Cookie": f"sessionid={self.session}"})
        reply = connection.getresponse()
        while reply.read(1 << 20):
            pass
        connection.close()
        if reply.status != 200:
            self.errors.append(f"export {reply.status}")

    def agreement(self, number: int) -> None:
        coordinator = Coordinator(self.port, self.session, ANSWERED)
        path = f"/api/v1/projects/{ANSWERED}/agreement/?by=language&seed={number}"
        reply = coordinator.ask("GET", path)
        if reply.status != 200:
            self.errors.append(f"agreement {reply.status}")

    def imports(self, number: int) -> None:
        coordinator = Coordinator(self.port, self.session, "p20000")
        job = coordinator.started(rows_of(IMPORTED, f"beside-{number}"))
        while not coordinator.job(job)["ended"]:
            time.sleep(0.5)
        if coordinator.job(job)["state"] != "done":
            self.errors.append(f"import {coordinator.job(job)}")

    def _run(self) -> None:
        act = {"export": self.export, "import": self.imports, "agreement": self.agreement}
        for number in itertools.count():
            if self.over.is_set():
                return
            begun = time.perf_counter()
            try:
                act[self.kind](number)
            except (OSError, http.client.HTTPException, AssertionError, ValueError) as error:
                self.errors.append(repr(error))
            self.seconds.append(time.perf_counter() - begun)
            self.over.wait(2)

    def __enter__(self) -> Beside:
        if self.kind:
            self.thread = threading.Thread(target=self._run, daemon=True)
            self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        if self.thread is not None:
            self.thread.join(120)
