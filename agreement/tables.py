"""A report as tables: text for a terminal, CSV with everything, LaTeX for a paper.

Each takes the JSON of a report (`agreement.report.Report.as_json`).
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agreement.stats import POLICIES
from agreement.stats.estimate import NOT_RESAMPLED
from annotation.formats.cells import guarded

Json = Mapping[str, Any]
EMPTY_PAIRS = ("one", "leave_out")
NONE = "(none)"
LONGEST = 60  # characters of a group's name in a table or figure
FEW = 50  # the fewest items that the simulation of coverage has looked at
POLICY_WORDS = {
    "first": "first span",
    "first_position": "first position",
    "longest": "longest span",
}


def columns(labels_of: str = "first", empty_pairs: str = "one") -> dict[str, tuple[str, str]]:
    """The five statistics of a paper's table: name -> (kind of agreement, what exactly).

    Parameters
    ----------
    labels_of : {"first", "first_position", "longest"}
    empty_pairs : {"one", "leave_out"}
    """
    if labels_of not in POLICIES or empty_pairs not in EMPTY_PAIRS:
        raise ValueError(f"There are no columns for {labels_of!r} and {empty_pairs!r}.")
    tail = "" if empty_pairs == "one" else "_leave_out"
    return {
        "presence_alpha_free": ("Presence", "free-marginal alpha"),
        f"label_alpha_{labels_of}_all": ("Label", "unconditional"),
        f"label_alpha_{labels_of}_hallucination": ("Label", "given a hallucination"),
        f"span_iou_label_match{tail}": ("Span", "requiring label match"),
        f"span_iou{tail}": ("Span", "ignoring labels"),
    }


def name_of(by: Json) -> str:
    """A group in words: ``All``, ``human``, ``human, en``; `NONE` where items lack the field."""
    return ", ".join(map(word, by.values())) if by else "All"


def word(value: Any) -> str:
    """A value on one short line, without control characters: `NONE` for null, ``""`` for empty."""
    if value is None:
        return NONE
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if not text.strip():
        return json.dumps(text)
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def parts(report: Json) -> Iterator[tuple[tuple[str, ...], list[Json]]]:
    """The whole, then each grouping: its fields and its groups."""
    found: dict[tuple[str, ...], list[Json]] = {}
    for group in report["groups"]:
        found.setdefault(tuple(group["by"]), []).append(group)
    yield from found.items()


def method(report: Json) -> str:
    """How the intervals were made, so that they can be made again."""
    if not report["resamples"]:
        return "No intervals: no resamples were drawn."
    kind = "BCa" if report["interval"] == "bca" else report["interval"]
    return (
        f"{100 * report['level']:g}% {kind} bootstrap intervals: {report['resamples']:,} resamples "
        f"of items, seed {report['seed']}."
    )


def cell(estimate: Json) -> str:
    """``0.412 [0.380, 0.444]``; a value without an interval alone; a dash where undefined."""
    if estimate["value"] is None:
        return "–"
    if estimate["low"] is None:
        return f"{estimate['value']:.3f}"
    return f"{estimate['value']:.3f} [{estimate['low']:.3f}, {estimate['high']:.3f}]"


def notes(report: Json, wanted: Mapping[str, Any]) -> list[str]:
    """Why a value or an interval is missing, undefined resamples, and groups of few items."""
    found: list[str] = []
    for group in report["groups"]:
        estimates = {name: group["estimates"][name] for name in wanted}
        reasons: dict[str, list[str]] = {}
        for name, estimate in estimates.items():
            if estimate["reason"] not in (None, NOT_RESAMPLED):
                reasons.setdefault(estimate["reason"], []).append(name)
            if n := estimate["n_undefined_resamples"]:
                words = "resample was" if n == 1 else "resamples were"
                found.append(f"{name_of(group['by'])}, {name}: {n} {words} undefined.")
        for reason, names in reasons.items():
            which = "" if len(names) == len(wanted) else f", {', '.join(names)}"
            found.append(f"{name_of(group['by'])}{which}: {reason}.")
    if few := few_items(report):
        found.append(f"Fewer than {FEW} items, for which no coverage was simulated: {few}.")
    return found


def few_items(report: Json) -> str:
    """The groups whose intervals rest on fewer items than the simulation of coverage."""
    if not report["resamples"]:
        return ""
    names = [name_of(g["by"]) for g in report["groups"] if 0 < g["n_items"] < FEW]
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return "; ".join(names[:8]) + more


def text_table(report: Json, labels_of: str = "first", empty_pairs: str = "one") -> str:
    """Tables for a terminal: one row per group, what they rest on, and the method."""
    wanted = columns(labels_of, empty_pairs)
    heads = [
        "presence alpha", "label alpha unconditional", "given a hallucination",
        "span IoU requiring match", "ignoring labels",
    ]  # fmt: skip
    blocks = []
    for fields, groups in parts(report):
        title = [
            "by " + " x ".join(map(word, fields)) if fields else "",
            "items",
            "left out",
            *heads,
        ]
        rows = [
            [name_of(group["by"]), f"{group['n_items']:,}", f"{group['n_left_out']:,}"]
            + [cell(group["estimates"][name]) for name in wanted]
            for group in groups
        ]
        blocks.append(_aligned([title, *rows]))
    empty = "count 1" if empty_pairs == "one" else "are left out, and pairs are pooled"
    foot = [
        method(report),
        f"Label of an annotation: its {POLICY_WORDS[labels_of]}. "
        f"Two annotations without a span {empty}.",
        "Items with fewer than two annotations are left out.",
        *notes(report, wanted),
    ]
    return "\n".join([*blocks, "\n".join(foot) + "\n"])


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            text.ljust(width) if at == 0 else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
    return "".join(line + "\n" for line in lines)


def csv_table(report: Json) -> str:
    """One line per group and statistic, all eleven, with what makes the intervals again.

    ``by`` is the group as JSON, and ``by.FIELD`` each of its values to read, empty in other
    groupings.
    """
    import pandas  # takes a second

    fields = list(dict.fromkeys(name for group in report["groups"] for name in group["by"]))
    how = {name: report[name] for name in ("resamples", "seed", "level", "interval")}
    rows = [
        {"by": json.dumps(group["by"], ensure_ascii=False)}
        | {
            f"by.{field}": guarded(_whole(group["by"][field])) if field in group["by"] else ""
            for field in fields
        }
        | {"statistic": name}
        | estimate
        | {"group_items": group["n_items"], "group_left_out": group["n_left_out"]}
        | how
        for group in report["groups"]
        for name, estimate in group["estimates"].items()
    ]
    buffer = io.StringIO()
    # CRLF, as RFC 4180 has it: the writer quotes a lone CR only then
    pandas.DataFrame(rows).astype(object).to_csv(buffer, index=False, lineterminator="\r\n")
    return buffer.getvalue()


def _whole(value: Any) -> str:
    if value is None:
        return NONE
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "\N{REPLACEMENT CHARACTER}": "?",
}  # fmt: skip


def escaped(text: str) -> str:
    """Text as LaTeX prints it, on one line and without control characters."""
    plain = (character if character.isprintable() else " " for character in text)
    return "".join(LATEX.get(character, character) for character in plain)


def latex_table(
    report: Json, labels_of: str = "first", empty_pairs: str = "one", spread: str = "half-width"
) -> str:
    r"""A booktabs table per grouping: metrics down, groups across, as papers print agreement.

    Parameters
    ----------
    spread : {"half-width", "interval"}
        ``0.41 \pm 0.01``, half the width of the interval, or both of its ends.
    """
    wanted = columns(labels_of, empty_pairs)
    few = few_items(report)
    head = f"% Fewer than {FEW} items, no coverage simulated: {few}.\n" if few else ""
    head += f"% {method(report)} Label: {POLICY_WORDS[labels_of]}; empty pairs: {empty_pairs}.\n"
    tables = [
        _latex_part(fields, groups, wanted, spread) for fields, groups in _latex_parts(report)
    ]
    return head + "\n".join(tables)


def _latex_parts(report: Json) -> Iterator[tuple[tuple[str, ...], list[Json]]]:
    """The groupings alone; the whole where nothing is grouped."""
    found = list(parts(report))
    yield from found[1:] or found


def _latex_part(
    fields: Sequence[str], groups: Sequence[Json], wanted: Mapping[str, Any], spread: str
) -> str:
    heads = " & ".join(escaped(name_of(group["by"])) for group in groups)
    lines = [
        rf"\begin{{tabular}}{{ll{'r' * len(groups)}}}",
        r"\toprule",
        rf"\multicolumn{{2}}{{l}}{{Agreement}} & {heads} \\",
        r"\midrule",
    ]
    before = ""
    for name, (kind, what) in wanted.items():
        cells = " & ".join(_latex_cell(group["estimates"][name], spread) for group in groups)
        lines.append(rf"{kind if kind != before else ''} & {what} & {cells} \\".lstrip())
        before = kind
    counts = " & ".join(f"{group['n_items']:,}" for group in groups)
    lines += [r"\midrule", rf"\multicolumn{{2}}{{l}}{{Items}} & {counts} \\", r"\bottomrule"]
    title = f"% by {', '.join(map(word, fields))}" if fields else "% all items"
    return "\n".join([title, *lines, r"\end{tabular}", ""])


def _latex_cell(estimate: Json, spread: str) -> str:
    value, low, high = (estimate[name] for name in ("value", "low", "high"))
    if value is None:
        return "--"
    if low is None:
        return f"${value:.4f}$"
    if spread == "interval":
        return f"${value:.4f}$ $[{low:.4f}, {high:.4f}]$"
    return rf"${value:.4f} \pm {(high - low) / 2:.4f}$"
