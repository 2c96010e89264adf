"""The numbers as one table; a row without a target is for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# name, value with unit, target, met; the last two are empty where there is no target
Row = tuple[str, str, str, str]
NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
TOGETHER = {"sqlite": (45, 1500), "postgresql": (70, 350)}


def row(name: str, value: float, unit: str, limit: float, at_least: bool = False) -> Row:
    met = value >= limit if at_least else value <= limit
    sign = "at least" if at_least else "at most"
    digits = 2 if unit == "s" else 0
    text = f"{value:,.{digits}f} {unit}".strip()
    return name, text, f"{sign} {limit:,g} {unit}".strip(), "yes" if met else "NO"


def _one(where: str, what: str, one: dict[str, Any]) -> Iterator[Row]:
    name = f"{where}, 1 annotator, {what}"
    yield row(f"{name}: pair p50", one["p50"], "ms", 25)
    yield row(f"{name}: pair p95", one["p95"], "ms", 40)
    yield row(f"{name}: server CPU a pair", one["cpu"], "ms", 25)
    yield f"{name}: client CPU a pair", f"{one['client_cpu']:.1f} ms", "", ""


def _loads(where: str, key: str, found: dict[str, Any]) -> Iterator[Row]:
    small, large, after = found["one_small"], found["one_large"], found["one_after"]
    twelve, (rate, late) = found["twelve"], TOGETHER[key]
    name = f"{where}, 1 annotator, 2,000 items"
    yield f"{name}: pair p50 / p95", f"{small['p50']:.0f} / {small['p95']:.0f} ms", "", ""
    yield from _one(where, "20,000 items", large)
    yield from _one(where, "20,000 items, 1,250 own answers", after)
    yield row(f"{where}: p50 at 20,000 : at 2,000", large["p50"] / small["p50"] * 100, "%", 120)
    share = after["p50"] / small["p50"] * 100
    yield row(f"{where}: p50 after 1,250 own answers : at 2,000", share, "%", 120)
    name = f"{where}, 12 annotators at once"
    yield row(f"{name}: pairs a second", twelve["rate"], "", rate, at_least=True)
    yield f"{name}: pair p50", f"{twelve['p50']:.0f} ms", "", ""
    yield row(f"{name}: pair p95", twelve["p95"], "ms", late)
    yield f"{name}: server CPU a pair", f"{twelve['cpu']:.1f} ms", "", ""
    yield f"{name}: client CPU a pair", f"{twelve['client_cpu']:.1f} ms", "", ""
    yield row(f"{name}: errors", len(twelve["errors"]), "", 0)
    yield row(f"{where}: items with a surplus answer", found["surplus"], "", 0)
    yield row(f"{where}: people twice on an item", found["twice"], "", 0)
    yield row(f"{where}: answers lost", abs(found["lost"]), "", 0)
    yield row(f"{where}, import of 20,000: time", found["import"]["seconds"], "s", 4)
    yield row(f"{where}, import of 20,000: peak memory", found["import"]["peak_mb"], "MB", 200)


def _downloads(where: str, found: dict[str, Any]) -> Iterator[Row]:
    for what, key in (("command", "export"), ("HTTP", "export_http")):
        name = f"{where}, export of 20,000 x 3 by {what}"
        yield row(f"{name}: time", found[key]["seconds"], "s", 4)
        yield row(f"{name}: first byte", found[key]["first_byte"], "s", 1)
        yield row(f"{name}: peak memory", found[key]["peak_mb"], "MB", 150)


def _report(where: str, found: dict[str, float]) -> Iterator[Row]:
    name = f"{where}, agreement of 20,000 x 3, 14 groups"
    yield row(f"{name}: command", found["seconds"], "s", 4)
    yield row(f"{name}: peak memory", found["peak_mb"], "MB", 400)
    yield f"{name}: first answer over HTTP", f"{found['http']:.2f} s", "", ""
    yield f"{name}: the same again", f"{found['again']:.2f} s", "", ""
    words = f"{found['alone']:.0f} / {found['beside']:.0f} ms"
    yield f"{name}: another's read p95 alone / beside it", words, "", ""


def _arrays(found: dict[str, float]) -> Iterator[Row]:
    name = "Agreement from arrays, 20,000 x 3"
    yield row(f"{name}: report of 14 groups", found["report"], "s", 2)
    yield row(f"{name}: the same with BCa", found["report_bca"], "s", 2)
    yield row(f"{name}: peak memory", found["report_peak_mb"], "MB", 400)
    yield row(f"{name}: time of 10 times the items", found["growth"], "times", 12)
    faster = found["times_faster"]
    yield row(f"{name}: 1,000 resamples against the package", faster, "times", 50, at_least=True)


def _backup(where: str, found: dict[str, float]) -> Iterator[Row]:
    name = f"{where}, 20,000 x 3 with 2,000 pictures of 100 kB"
    yield row(f"{name}: backup", found["backup"], "s", 60)
    yield f"{name}: backup, encrypted", f"{found['sealed']:.1f} s", "", ""
    yield f"{name}: archive / its rows", f"{found['mb']:.0f} / {found['rows_mb']:.0f} MB", "", ""
    yield row(f"{name}: backup, peak memory", found["peak_mb"], "MB", 200)
    yield f"{name}: verify", f"{found['verify']:.1f} s", "", ""
    if "restore" in found:
        yield row(f"{name}: restore", found["restore"], "s", 180)


def _rows(found: dict[str, Any]) -> Iterator[Row]:
    for key, where in NAMES.items():
        part = found.get(key, {})
        if "twelve" in part:
            yield from _loads(where, key, part)
        if "export" in part:
            yield from _downloads(where, part)
        if "backup" in part:
            yield from _backup(where, part["backup"])
        if "report" in part:
            yield from _report(where, part["report"])
    if "agreement" in found:
        yield from _arrays(found["agreement"])
    if "page" in found:
        yield row("Labelling page: transferred", found["page"]["bytes"] / 1000, "kB", 80)
        yield row("Labelling page: requests", found["page"]["requests"], "", 30)
        yield row("Labelling page: ready", found["page"]["ready"], "ms", 400)
    if "writing" in found:
        name = "Writing page, 2,000 samples"
        yield row(f"{name}: ready", found["writing"]["ready"], "ms", 400)
        counted = found["writing"]["balance_queries"]
        yield row(f"{name}: queries that count the balance", counted, "", 1)
        yield f"{name}: balance", f"{found['writing']['balance_ms']:.0f} ms", "", ""
    if "demo" in found:
        yield row("make demo: first page in a fresh clone", found["demo"]["first"], "s", 60)
        yield row("make demo: a later start", found["demo"]["later"], "s", 3)
        yield row("make demo: .venv", found["demo"]["mb"], "MB", 400)


def render(found: dict[str, Any]) -> str:
    rows = [("", "measured", "to reach", "met"), *_rows(found)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for name, value, target, met in rows:
        lines.append(
            f"{name:<{widths[0]}}  {value:>{widths[1]}}  {target:<{widths[2]}}  {met}".rstrip()
        )
    return "\n".join(lines) + "\n"
