"""Real servers on loopback for tests, faults and load: PostgreSQL, gunicorn, nginx, worker.

Each is a context manager that leaves nothing behind, and can be killed and started again.
"""

from tests.servers.database import Postgres
from tests.servers.line import Line
from tests.servers.programs import Nginx, Program, Web, Worker, free_port, manage, wait_until

__all__ = [
    "Line",
    "Nginx",
    "Postgres",
    "Program",
    "Web",
    "Worker",
    "free_port",
    "manage",
    "wait_until",
]
