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
folder=$(mktemp -d)
chmod 711 "$folder" # the server of PostgreSQL runs as another user
export TMPDIR=$folder
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP

summary=() failed=0
step() { # step NAME COMMAND...
  local name=$1 from=$SECONDS status=0
  shift
  printf '\n== %s\n' "$name"
  "$@" || status=$?
  if [ "$status" = 0 ]; then summary+=("ok      $((SECONDS - from)) s  $name"); else
    summary+=("FAILED  $((SECONDS - from)) s  $name")
    failed=1
  fi
}

bin=.venv/bin
data=(env "SHEEPFOLD_DATA=$folder/data")
pytest=("$bin/python" -m pytest -q -ra --durations=5 --durations-min=2)
# A busy machine loses a key press now and then; what ran again is listed, and is a reason to mend it.
again=(--reruns 2 --reruns-delay 1)
step "ruff check" "$bin/ruff" check .
step "ruff format" "$bin/ruff" format --check .
step "mypy" "${data[@]}" "$bin/mypy" .
step "migrations complete" "${data[@]}" "$bin/python" manage.py makemigrations --check --dry-run
plain="not browser and not faults and not servers"
step "tests on SQLite" "${pytest[@]}" -n 2 --dist worksteal -m "$plain"
step "tests on PostgreSQL" scripts/postgres.sh "${pytest[@]}" -n 2 --dist worksteal -m "database and not once and $plain"
step "servers" scripts/postgres.sh "${pytest[@]}" -n 2 --dist loadfile -m servers
step "faults, short form" "${pytest[@]}" -m faults tests/faults
step "browser tests on SQLite" "${pytest[@]}" -n 2 --dist worksteal -m "browser and not servers" "${again[@]}"
step "browser tests on PostgreSQL" scripts/postgres.sh "${pytest[@]}" -n 2 --dist worksteal -m "browser and not servers and not once" "${again[@]}"

printf '\n== Summary after %s s\n' "$SECONDS"
printf '%s\n' "${summary[@]}"
exit "$failed"
