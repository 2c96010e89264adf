"""Make the demo project and serve it: one web server and one worker; Ctrl+C stops both."""

from __future__ import annotations

import argparse
import http.client
import io
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
START_SECONDS = 30


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def port_is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def prepare() -> None:
    """The database."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)


def fill() -> str:
    """The demo project; what `make_demo` says, the accounts above all."""
    from django.core.management import call_command

    accounts = io.StringIO()
    call_command("make_demo", stdout=accounts)
    return accounts.getvalue().strip()


def start_web(port: int) -> subprocess.Popen[bytes]:
    """The web server, out of reach of the terminal's Ctrl+C; it imports the site once and forks."""
    words = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "--preload"]
    words += ["--bind", f"127.0.0.1:{port}", "--log-level", "warning", "deploy.wsgi:application"]
    return subprocess.Popen(words, cwd=ROOT, process_group=0)


def start_worker() -> subprocess.Popen[bytes]:
    """The worker, out of reach of the terminal's Ctrl+C."""
    words = [sys.executable, "manage.py", "run_worker", "--worker-id", f"demo-{os.getpid()}"]
    return subprocess.Popen(words, cwd=ROOT, process_group=0)


def answers(port: int, processes: list[subprocess.Popen[bytes]]) -> bool:
    """Wait until the site answers; False when a process ended or it takes too long."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and all(p.poll() is None for p in processes):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status < 500
        except OSError:
            time.sleep(0.05)
        finally:
            connection.close()
    return False


def stop(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        if process.poll() is None:
            process.terminate()
    for process in processes:
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    if not port_is_free(port):
        say(f"Port {port} is taken; choose another, as in: make demo PORT={port + 1}")
        return 1
    prepare()
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGHUP, interrupt)
    processes = [start_web(port)]
    try:
        accounts = fill()  # while the web server starts
        processes.append(start_worker())
        if not answers(port, processes):
            say("The site does not answer; the reason stands above.")
            return 1
        say(f"\n{accounts}\n\nSheepfold is at http://127.0.0.1:{port}/ (Ctrl+C stops it)")
        while all(process.poll() is None for process in processes):
            time.sleep(0.2)
        say("The web server or the worker ended; the reason stands above.")
        return 1
    except KeyboardInterrupt:
        say("\nStopped.")
        return 0
    finally:
        stop(processes)


if __name__ == "__main__":
    sys.exit(main())
