#!/usr/bin/env bash
# Write the locks: every package that the direct pins bring, in one version, with the hashes of its files.
# What is locked already stays at its version; ARGS such as --upgrade or --upgrade-package NAME change that.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=.venv/bin/uv
[ -x "$uv" ] || { echo "make install first: uv is missing from .venv" >&2; exit 2; }
export UV_PYTHON_DOWNLOADS=never UV_NO_PROGRESS=1
# --universal: one lock for every Python from 3.11 on and every system.
compile=("$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url)
# The last holds all of them, so what several bring stands in one version in every lock.
"${compile[@]}" "$@" requirements-dev.txt --output-file requirements-dev.lock
for name in requirements requirements-s3; do
  "${compile[@]}" "$name.txt" --constraint requirements-dev.lock --output-file "$name.lock"
done
"${compile[@]}" --no-annotate --output-file requirements-uv.lock - <<<"uv==$("$uv" --version | cut -d' ' -f2)"
