"""``run_worker``: carries out jobs, tells that it lives, and outlasts a database that goes away."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import threading
import time
from typing import Any

from django.core.management.base import BaseCommand
from django.db import Error, connections
from django_tasks_db.management.commands.db_worker import (
    Worker,
    valid_interval,
    valid_max_tasks,
    validate_worker_id,
)
from django_tasks_db.models import DBTaskResult

from annotation.actions import workers
from annotation.logs import context
from annotation.logs.console import serve

BEAT_SECONDS = 10.0
AGAIN_SECONDS = 1.0  # between two looks for a database that is away
log = logging.getLogger(__name__)


class Beat(threading.Thread):
    """Writes the worker's sign of life, on a connection of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(name="beat", daemon=True)
        self.worker = name
        self.over = threading.Event()

    def run(self) -> None:
        act = workers.started
        while not self.over.is_set():
            try:
                act(self.worker)
                act = workers.beat
            except Error:  # away, or SQLite is busy with an import, which gives signs of its own
                log.debug("no sign of life could be written")
            connections.close_all()
            self.over.wait(BEAT_SECONDS)

    def stop(self) -> None:
        self.over.set()
        self.join(BEAT_SECONDS)
        try:
            workers.stopped(self.worker)
        except Error:
            log.debug("the last sign of life stays")


class PatientWorker(Worker):
    """Begins anew when its database goes away, instead of ending."""

    lost: int | None = None  # the job that was under way

    def run(self) -> None:
        while self.running:
            try:
                self._give_up_lost()
                return super().run()
            except Error as error:
                log.warning("The database does not answer, trying again: %s", error)
                connections.close_all()
                time.sleep(AGAIN_SECONDS)

    def _give_up_lost(self) -> None:
        if self.lost is not None:
            workers.give_up(self.lost)
            self.lost = None

    def run_task(self, db_task_result: DBTaskResult[Any, Any]) -> None:
        job = next(iter(db_task_result.args_kwargs["args"]), None)
        context.begin(job=job, task=str(db_task_result.pk))
        try:
            super().run_task(db_task_result)
        except Error:
            self.lost = job
            raise
        finally:
            context.begin()


class Command(BaseCommand):
    help = "Carry out imports and other long jobs until it is told to stop."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        name = f"{socket.gethostname()}-{os.getpid()}"[-64:]
        parser.add_argument("--worker-id", type=validate_worker_id, default=name)
        parser.add_argument("--interval", type=valid_interval, default=1.0)
        parser.add_argument("--max-tasks", type=valid_max_tasks, default=None)
        parser.add_argument("--batch", action="store_true", help="Do what is there, then end.")

    def handle(self, *_: Any, **options: Any) -> None:
        serve()
        for name in ("django_tasks", "django_tasks_db"):
            logging.getLogger(name).setLevel(logging.INFO)
        worker = PatientWorker(
            queue_names=["default"],
            interval=options["interval"],
            batch=options["batch"],
            backend_name="default",
            startup_delay=False,
            max_tasks=options["max_tasks"],
            worker_id=options["worker_id"],
            excluded_queue_names=[],
        )
        worker.configure_signals()
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, worker.shutdown)
        beat = Beat(options["worker_id"])
        beat.start()
        try:
            worker.run()
        finally:
            beat.stop()
