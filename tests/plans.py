"""What PostgreSQL did for a query, step by step."""

from __future__ import annotations

import json
from typing import Any

from django.db import connection, transaction


def steps_of(sql: str) -> list[dict[str, Any]]:
    """Every step of the plan as it ran, without whole reads of tables.

    Those are right in tables as small as a test's alone.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}")
        plan = cursor.fetchone()[0]
    steps = [(json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]]
    for step in steps:
        steps += step.get("Plans", [])
    return steps


def in_vain(step: dict[str, Any]) -> int:
    """How many rows the step read each time that it did not hand on."""
    return sum(value for name, value in step.items() if name.startswith("Rows Removed"))
