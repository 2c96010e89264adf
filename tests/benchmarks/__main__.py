"""``make bench``: the table of speed and size, with what is to be reached beside each number."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from tests.benchmarks import demo, table
from tests.benchmarks.site import ROOT, free_port

PARTS = ("loads", "downloads", "agreement", "page", "backup", "demo")


def python(module: str, *words: str, prefix: tuple[str, ...] = (), **more: str) -> dict[str, Any]:
    """What a module printed, run over a database and a data folder of its own."""
    kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "PUBLIC_URL", "DEBUG")}
    with tempfile.TemporaryDirectory(prefix="sheepfold-bench-") as folder:
        command = [*prefix, sys.executable, "-m", f"tests.benchmarks.{module}", *words]
        environment = kept | {"SHEEPFOLD_DATA": folder} | more
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    if done.returncode:
        sys.stderr.write(f"   {module} {' '.join(words)} failed\n")
        return {}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--parts", default="loads,downloads,agreement,page", help=f"of {','.join(PARTS)}"
    )
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--json", help="file for the raw numbers")
    wanted = parser.parse_args()
    parts = wanted.parts.split(",")
    found: dict[str, Any] = {}
    for name in wanted.databases.split(","):
        found[name] = {}
        prefix = ("bash", "scripts/postgres.sh") if name == "postgresql" else ()
        for part in [p for p in parts if p in ("loads", "downloads", "agreement")]:
            sys.stderr.write(f"{part} on {name}\n")
            found[name] |= python("measure", part, prefix=prefix, PG_DURABLE="1")
        if "backup" in parts:
            sys.stderr.write(f"backup on {name}\n")
            found[name] |= python("backup", prefix=prefix, PG_DURABLE="1")
    if "agreement" in parts:
        sys.stderr.write("agreement from arrays\n")
        found |= python("agreement")
    if "page" in parts:
        sys.stderr.write("labelling page\n")
        address = f"http://127.0.0.1:{free_port()}"
        found |= python("page", PUBLIC_URL=address, SECRET_KEY="only-for-this-run" * 4)
        found |= python("writing", PUBLIC_URL=address, SECRET_KEY="only-for-this-run" * 4)
    if "demo" in parts:
        sys.stderr.write("make demo in a fresh clone\n")
        found |= demo.measure()
    if wanted.json:
        with open(wanted.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    sys.stdout.write(table.render(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
