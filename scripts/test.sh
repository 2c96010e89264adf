#!/usr/bin/env bash
# Everything that must hold before a change goes in; ends with a summary, non-zero if anything failed.
set -uo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

# What is missing of the machine's own programs: installed where that is allowed, else named.
missing=()
# The headless shell runs the tests, a third faster; the whole browser takes the README's pictures.
[ -x "${CHROMIUM:-/usr/bin/chromium-headless-shell}" ] || missing+=(chromium-headless-shell chromium)
[ -x /usr/bin/firefox-esr ] || missing+=(firefox-esr)
[ -x /usr/sbin/nginx ] || missing+=(nginx)
command -v systemd-analyze >/dev/null || missing+=(systemd)
command -v openssl >/dev/null || missing+=(openssl)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
[ -e /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf ] || missing+=(fonts-noto-color-emoji)
[ -e /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc ] || missing+=(fonts-noto-cjk)
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing ${missing[*]} ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get -o DPkg::Lock::Timeout=300 -qq update >/dev/null &&
      apt-get -o DPkg::Lock::Timeout=300 -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
  else
    false
  fi || { echo "Install these first: apt-get install --no-install-recommends ${missing[*]}" >&2; exit 2; }
fi
"${PYTHON:-python3}" scripts/install.py requirements-dev.txt || exit 1

# The caller's site has no part in the tests.
unset DATABASE_URL SHEEPFOLD_DATA SECRET_KEY PUBLIC_URL DEBUG DJANGO_SETTINGS_MODULE
unset REQUIRE_SECOND_FACTOR EMAIL_URL DEFAULT_FROM_EMAIL
unset S3_BUCKET S3_ENDPOINT_URL S3_REGION S3_PREFIX
unset TASKS_BACKEND CONN_MAX_AGE CLIENT_IP_HEADER ACCEL_PREFIX MAX_IMAGE_PIXELS MAX_IMAGE_BYTES MAX_UPLOAD_BYTES HSTS_SECONDS
# Some hundred processes would each compile the site and the tests anew: a minute of both cores.
unset PYTHONDONTWRITEBYTECODE
folder=$(mktemp -d)
chmod 711 "$folder" # the server of PostgreSQL runs as another user
export TMPDIR=$folder
lane="" # the steps that run beside the others, as a group of processes
leave() {
  trap - EXIT INT TERM HUP
  [ -z "$lane" ] || { kill -INT -- "-$lane" && wait "$lane"; } 2>/dev/null # it stops its servers
  rm -rf "$folder"
}
trap leave EXIT
trap 'leave; exit 130' INT TERM HUP

summary=$folder/summary
step() { # step NAME COMMAND...
  local name=$1 from=$SECONDS status=0 word=ok
  shift
  printf '\n== %s\n' "$name"
  "$@" || status=$?
  [ "$status" = 0 ] || word=FAILED
  printf '%-6s  %3s s  %s\n' "$word" "$((SECONDS - from))" "$name" >>"$summary" || exit 1
}
beside() { # beside FUNCTION: its steps run while others do, and are silent until `joined`
  set -m # a group of its own, so that it can be ended as a whole
  { trap 'exit 130' INT && "$1" && echo "$1" >>"$folder/ended"; } >"$folder/beside" 2>&1 &
  lane=$!
  set +m
}
joined() { # joined FUNCTION: wait for its end, and show what it said
  wait "$lane"
  lane=""
  cat "$folder/beside"
  grep -qx "$1" "$folder/ended" 2>/dev/null || echo "FAILED  the steps of $1 did not come to their end" >>"$summary"
}

bin=.venv/bin
data=(env "SHEEPFOLD_DATA=$folder/data")
pytest=("$bin/python" -m pytest -q -ra --durations=5 --durations-min=2)
# A busy machine loses a key press now and then; what ran again is listed, and is a reason to mend it.
again=(--reruns 2 --reruns-delay 1)
plain="not browser and not faults and not servers"
# What waits much of its time runs, step by step, beside what fills both cores.
waiting() {
  step "mypy" "${data[@]}" "$bin/mypy" .
  step "migrations complete" "${data[@]}" "$bin/python" manage.py makemigrations --check --dry-run
  step "faults, short form" "${pytest[@]}" -m faults tests/faults
  step "servers" scripts/postgres.sh "${pytest[@]}" -m servers
  return 0
}
step "ruff check" "$bin/ruff" check .
step "ruff format" "$bin/ruff" format --check .
beside waiting
step "tests on SQLite" "${pytest[@]}" -n 2 --dist worksteal -m "$plain"
step "tests on PostgreSQL" scripts/postgres.sh "${pytest[@]}" -n 2 --dist worksteal -m "database and not once and $plain"
joined waiting
# A browser's test waits for more than half of its time: four of them keep two cores busy.
step "browser tests on SQLite" "${pytest[@]}" -n 4 --dist worksteal -m "browser and not servers" "${again[@]}"
step "browser tests on PostgreSQL" scripts/postgres.sh "${pytest[@]}" -n 4 --dist worksteal -m "browser and not servers and not once" "${again[@]}"

printf '\n== Summary after %s s\n' "$SECONDS"
cat "$summary"
! grep -q '^FAILED' "$summary"
