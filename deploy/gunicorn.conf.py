"""gunicorn's settings; ``gunicorn -c deploy/gunicorn.conf.py deploy.wsgi:application``."""

from deploy.env import env_int, env_str

bind = env_str("BIND", "127.0.0.1:8000")
workers = env_int("WEB_WORKERS", 2)
worker_class = "gthread"
threads = env_int("WEB_THREADS", 6)
timeout = 120  # a thread that streams a long export does not count, a worker that hangs does
keepalive = 30
max_requests = 0
# gunicorn would open a control socket in the home folder, the same for two sites of one user.
control_socket_disable = True
