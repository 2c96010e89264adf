"""The annotators of one scenario, in a process of their own; JSON on standard output.

python -m tests.load.people < WANTED, the arguments of `client.run` as JSON
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from tests.load.client import SHOWN, run


def main() -> None:
    wanted = json.loads(sys.stdin.read())
    wanted["think"] = tuple(wanted["think"])
    begun = time.perf_counter()
    seen = asyncio.run(run(**wanted))
    found = {
        "seconds": seen.seconds, "wall": time.perf_counter() - begun, "cpu": time.process_time(),
        "window": wanted["seconds"],
        "errors": len(seen.errors), "first": seen.errors[:SHOWN], "submitted": seen.submitted,
    }  # fmt: skip
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
