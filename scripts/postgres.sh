#!/usr/bin/env bash
# Run a command with DATABASE_URL set to a throw-away PostgreSQL server, which always goes away:
#   scripts/postgres.sh .venv/bin/python -m pytest
# It does not wait for the disk; PG_DURABLE=1 makes it do so, for honest measurements.
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)
[ -n "$bin" ] || bin=$(dirname "$(command -v pg_ctl || true)")
if [ ! -x "$bin/initdb" ]; then
  echo "No PostgreSQL server found: apt-get install postgresql" >&2
  exit 2
fi

as_server() { # initdb refuses root
  if [ "$(id -u)" = 0 ]; then (cd / && exec runuser -u postgres -- "$@"); else "$@"; fi
}

folder=$(mktemp -d)
stop() {
  trap - EXIT INT TERM HUP
  as_server "$bin/pg_ctl" -D "$folder/data" -s -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT
trap 'stop; exit 130' INT TERM HUP
[ "$(id -u)" != 0 ] || chown postgres "$folder"

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
speed=""
[ -n "${PG_DURABLE:-}" ] || speed="-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
as_server "$bin/initdb" -D "$folder/data" -U app -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
as_server "$bin/pg_ctl" -D "$folder/data" -w -s -l "$folder/log" -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder $speed" start
as_server "$bin/createdb" -h 127.0.0.1 -p "$port" -U app app

status=0
DATABASE_URL="postgres://app@127.0.0.1:$port/app" "$@" || status=$?
exit "$status"
