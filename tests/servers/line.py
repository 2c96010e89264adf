"""A line to the site that a test may cut: before a request, in its middle, or before the answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

CUTS = ("before", "during", "after")


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line[15:])
    return 0


class _Pair:
    """One connection of a client and the one to the site that belongs to it."""

    def __init__(self, client: socket.socket, target: int) -> None:
        self.client = client
        self.site = socket.create_connection(("127.0.0.1", target))
        self.rest = b""
        self.deaf = threading.Event()  # the answer is thrown away, and the line ends

    def close(self) -> None:
        for end in (self.client, self.site):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def request(self) -> bytes:
        """The next request as a whole; empty at the end."""
        while b"\r\n\r\n" not in self.rest:
            part = self.client.recv(65536)
            if not part:
                return b""
            self.rest += part
        head, _, body = self.rest.partition(b"\r\n\r\n")
        whole = len(head) + 4 + _length(head)
        while len(self.rest) < whole:
            part = self.client.recv(65536)
            if not part:
                return b""
            self.rest += part
        found, self.rest = self.rest[:whole], self.rest[whole:]
        return found

    def answers(self) -> None:
        with suppress(OSError):
            while part := self.site.recv(65536):
                if self.deaf.is_set():
                    break
                self.client.sendall(part)
        self.close()


class Line:
    """``with Line(port) as line:`` a port of 127.0.0.1 that leads to another one.

    ``choose(request)`` names a cut of `CUTS` for a request, or nothing; ``counts`` says how often
    each was made.
    """

    def __init__(self, target: int, choose: Callable[[bytes], str] = lambda request: "") -> None:
        self.target, self.choose = target, choose
        self.counts = dict.fromkeys(CUTS, 0)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = int(self.listener.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            pair = _Pair(client, self.target)
        except OSError:
            return client.close()
        threading.Thread(target=pair.answers, daemon=True).start()
        with suppress(OSError):
            while request := pair.request():
                cut = self.choose(request)
                if cut:
                    self.counts[cut] += 1
                if cut == "before":
                    break
                if cut == "during":
                    pair.site.sendall(request[: len(request) - 1 - _length(request) // 2])
                    break
                if cut == "after":
                    pair.deaf.set()
                pair.site.sendall(request)
            else:
                return pair.close()
        return pair.close()

    def __enter__(self) -> Line:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.listener.close()
