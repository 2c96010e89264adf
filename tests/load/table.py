"""The figures as Markdown: one table for all scenarios, one for what is to be reached."""

from __future__ import annotations

from typing import Any

HEAD = (
    "scenario", "requests/s", "p50 ms", "p95 ms", "p99 ms", "errors", "submitted",
    "web process MB", "worker MB", "database process MB", "connections", "CPU of client / site",
)  # fmt: skip


def at(values: list[float], share: float) -> float:
    """A percentile in ms."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def figures(found: dict[str, Any]) -> dict[str, Any]:
    """What one scenario's process said, in short; the page itself is not part of the loop."""
    loop = [s for kind, values in found["seconds"].items() if kind != "page" for s in values]
    return {
        "rate": len(loop) / found["window"],
        **{f"p{int(100 * share)}": at(loop, share) for share in (0.5, 0.95, 0.99)},
        "kinds": {k: [at(v, 0.5), at(v, 0.95), len(v)] for k, v in found["seconds"].items()},
        "errors": found["errors"], "first": found["first"], "submitted": found["submitted"],
        "client": found["cpu"] / found["wall"],
    }  # fmt: skip


def _row(words: str, one: dict[str, Any]) -> tuple[str, ...]:
    memory, cpu = one["megabytes"], one["cpu"]
    return (
        words, f"{one['rate']:.0f}", f"{one['p50']:.0f}", f"{one['p95']:.0f}", f"{one['p99']:.0f}",
        str(one["errors"]), str(one["submitted"]), f"{memory['web']:.0f}",
        f"{memory['worker']:.0f}", f"{memory['database']:.0f}", str(one["connections"]),
        f"{100 * one['client']:.0f} % / {100 * sum(cpu.values()):.0f} %",
    )  # fmt: skip


def reached(found: dict[str, dict[str, Any]]) -> list[tuple[str, ...]]:
    """What is to be reached, as far as it was measured."""
    rows: list[tuple[str, ...]] = [("to reach", "measured", "met")]

    def add(words: str, value: float, limit: float, unit: str) -> None:
        digits = 1 if unit == "times" else 0
        rows.append((words, f"{value:.{digits}f} {unit}", "yes" if value <= limit else "NO"))

    if "300" in found:
        add("300 annotators with think time: p95 at most 300 ms", found["300"]["p95"], 300, "ms")
        add("300 annotators with think time: no error", found["300"]["errors"], 0, "errors")
    if {"100", "export"} <= found.keys():
        ratio = found["export"]["p95"] / found["100"]["p95"]
        add("p95 beside exports: at most twice that without", ratio, 2, "times")
    if {"2000", "200000"} <= found.keys():
        for name in ("20000", "200000"):
            if name in found:
                ratio = found[name]["p95"] / found["2000"]["p95"]
                words = f"p95 in {int(name):,} items : in 2,000: at most 1.5"
                add(words, ratio, 1.5, "times")
    return rows if len(rows) > 1 else []


def _markdown(rows: list[tuple[str, ...]]) -> str:
    ruler = ("---", *("---:" for _ in rows[0][1:]))
    return "".join("| " + " | ".join(row) + " |\n" for row in (rows[0], ruler, *rows[1:]))


def render(found: dict[str, dict[str, Any]], words: dict[str, str]) -> str:
    rows = [HEAD, *(_row(words[name], one) for name, one in found.items())]
    text = _markdown(rows)
    if goals := reached(found):
        text += "\n" + _markdown(goals)
    return text
