"""What the site's processes take while annotators work: memory, CPU, database connections."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import psycopg

from tests.benchmarks import processes

CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"


@dataclass
class Watch:
    """``pids`` are the first processes of the site's programs by name."""

    url: str
    pids: dict[str, int]
    connections: int = 0
    megabytes: dict[str, float] = field(default_factory=dict)  # the largest process of each
    cpu: dict[str, float] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)

    def _look(self, connection: psycopg.Connection) -> None:
        [count] = connection.execute(CONNECTIONS).fetchone() or (1,)
        self.connections = max(self.connections, count - 1)  # this one is ours
        for name, pid in self.pids.items():
            family = [pid, *processes.children(pid)]
            largest = max(resident_mb(one) for one in family)
            self.megabytes[name] = max(self.megabytes.get(name, 0), largest)

    def _run(self) -> None:
        url = self.url.replace("postgres://", "postgresql://")
        with psycopg.connect(url, autocommit=True) as connection:
            while True:
                self._look(connection)
                if self.over.wait(2):
                    return

    def __enter__(self) -> Watch:
        self.before = {name: processes.cpu_seconds(pid) for name, pid in self.pids.items()}
        self.begun = time.perf_counter()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        wall = time.perf_counter() - self.begun
        for name, pid in self.pids.items():
            self.cpu[name] = (processes.cpu_seconds(pid) - self.before[name]) / wall
        self.over.set()
        self.thread.join(10)


def resident_mb(pid: int) -> float:
    """What the process has for itself: shared memory, such as PostgreSQL's buffers, is left out."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            resident, shared = (int(word) for word in file.read().split()[1:3])
    except OSError:
        return 0.0
    return (resident - shared) * 4096 / 1e6
