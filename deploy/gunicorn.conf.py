"""gunicorn's settings; ``gunicorn -c deploy/gunicorn.conf.py deploy.wsgi:application``."""

import os
import sys

from deploy.env import env_int, env_str, log_format

bind = env_str("BIND", "127.0.0.1:8000")
workers = env_int("WEB_WORKERS", 2)
worker_class = "gthread"
threads = env_int("WEB_THREADS", 6)
timeout = 120  # a thread that streams a long export does not count, a worker that hangs does
graceful_timeout = 30  # how long requests under way may still take when the server stops
keepalive = 30  # longer than nginx keeps an idle connection (20 s), so that nginx is who closes it
# Workers are not renewed: none was seen to grow, and each renewal cuts idle connections.
max_requests = 0
# The site is loaded by each worker, so that a reload (SIGHUP) after an upgrade takes the new code.
preload_app = False
# The heartbeat file of a worker must not wait for a disk.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
# gunicorn would open a control socket in the home folder, the same for two sites of one user.
control_socket_disable = True
# Lines like all others of the site; in production one for each request, without its query.
logger_class = "annotation.logs.gunicorn.Logger"
access_log_format = log_format()
accesslog = "-" if access_log_format == "json" else None
# A request that asks the database for longer is ended; commands and the worker may take their time.
os.environ.setdefault("STATEMENT_TIMEOUT", "60")
# A thread that computes (an export, a report) hands over sooner: after each answer of the database
# another thread's request would else wait up to 5 ms for its turn.
sys.setswitchinterval(0.0005)
