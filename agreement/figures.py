"""Figures of a report and of what a data set holds, for a page and for a paper.

Each takes JSON values as `agreement.report` and `agreement.describe` give them, so that a stored
report can be drawn. Matplotlib is imported inside functions: it takes a second and a half.
"""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agreement.tables import columns, method, name_of, parts, word

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Json = Mapping[str, Any]
KINDS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
INK, QUIET = "#1b1f24", "#57606a"
# told apart by colour-blind people, and in grey by their marker
COLOURS = ("#005b8f", "#a84300", "#00704f", "#8a2f7b", "#595959")
MARKERS = ("o", "s", "^", "D", "v")
COLUMN = 6.4  # inches
GROUPS_DRAWN = 80  # in all panels of a figure: more than fit a page
BARS_DRAWN = 24  # values of a field, of which each is a bar or a panel
STYLE: Any = {  # the library's stubs name every key
    "font.size": 8,
    "font.family": ["DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "text.parse_math": False,  # a value may hold dollars
    "svg.fonttype": "none",
    "svg.hashsalt": "sheepfold",
    "pdf.fonttype": 42,
}
# Fonts and styles are kept by the library for the whole process
_drawing = threading.RLock()


@contextmanager
def _styled() -> Iterator[None]:
    import logging

    import matplotlib

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with _drawing, matplotlib.rc_context(STYLE):
        yield


def render(figure: Figure, kind: str) -> bytes:
    """The figure as a file of one of `KINDS`; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    fixed = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    with _styled(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a box in its place
        figure.savefig(buffer, format=kind, dpi=200, metadata=fixed, bbox_inches="tight")
    return buffer.getvalue()


def save(figure: Figure, path: str | Path) -> None:
    Path(path).write_bytes(render(figure, Path(path).suffix.lower().lstrip(".")))


def _canvas(
    panels: int, height: float, across: bool = True, alike: bool = False
) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(COLUMN, height), layout="constrained")
    shape = (1, panels) if across else (panels, 1)
    found = figure.subplots(*shape, squeeze=False, sharex=not across, sharey=alike)
    return figure, list(found.flat)


@_styled()
def intervals(report: Json, labels_of: str = "first", empty_pairs: str = "one") -> Figure:
    """Every group's five statistics with their intervals, one panel per grouping."""
    wanted = columns(labels_of, empty_pairs)
    blocks = list(parts(report))
    blocks = blocks[1:] or blocks
    room = max(GROUPS_DRAWN // len(blocks), 4)
    most = max(len(groups) for _, groups in blocks)
    height = 0.7 + len(blocks) * (0.6 + 0.42 * min(most, room))
    figure, panels = _canvas(len(blocks), height, across=False)
    for axes, (fields, groups) in zip(panels, blocks, strict=True):
        _intervals_panel(axes, fields, groups[:room], wanted)
        if len(groups) > room:
            axes.set_xlabel(f"The first {room} of {len(groups)} groups.", fontsize=7, color=QUIET)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper left", ncols=3, frameon=False)
    shown = panels[-1].get_xlabel()
    panels[-1].set_xlabel(f"{shown} {method(report)}".strip(), fontsize=7, color=QUIET)
    return figure


def _intervals_panel(
    axes: Axes, fields: Sequence[str], groups: Sequence[Json], wanted: Mapping[str, Any]
) -> None:
    step = 0.7 / len(wanted)
    for at, (name, (kind, what)) in enumerate(wanted.items()):
        found = [(y, g["estimates"][name]) for y, g in enumerate(groups)]
        known = [(y, e) for y, e in found if e["value"] is not None]
        values = [e["value"] for _, e in known]
        below = [_distance(e["value"], e["low"]) for _, e in known]
        above = [_distance(e["high"], e["value"]) for _, e in known]
        axes.errorbar(
            values,
            [y - 0.28 + at * step for y, _ in known],
            xerr=[below, above],
            fmt=MARKERS[at],
            color=COLOURS[at],
            markersize=3.5,
            linewidth=1,
            label=f"{kind}, {what}",
        )
    names = [f"{name_of(g['by'])} (n = {g['n_items']:,})" for g in groups]
    axes.set_yticks(range(len(groups)), names)
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#d8dee4", linewidth=0.5)
    axes.set_axisbelow(True)
    title = " x ".join(map(word, fields)) or "all items"
    axes.set_title(title, loc="left", fontsize=8, fontweight="bold")


def _legend(value: Any) -> str:
    """A name in a legend, which would pass over one that begins with an underscore."""
    text = word(value)
    return f" {text}" if text.startswith("_") else text


def _distance(high: float | None, low: float | None) -> float:
    return 0.0 if high is None or low is None else max(high - low, 0.0)


@_styled()
def items(composition: Sequence[Json]) -> Figure:
    """Items per language, one panel per strategy, splits side by side."""
    strategies = list(dict.fromkeys(row["strategy"] for row in composition))[:6] or [None]
    languages = list(dict.fromkeys(row["language"] for row in composition))[:BARS_DRAWN]
    splits = list(dict.fromkeys(row["split"] for row in composition))[:BARS_DRAWN]
    figure, panels = _canvas(len(strategies), 2.2, alike=True)
    width = 0.8 / max(len(splits), 1)
    count = {(r["strategy"], r["language"], r["split"]): r["items"] for r in composition}
    for axes, strategy in zip(panels, strategies, strict=True):
        for at, split in enumerate(splits):
            heights = [count.get((strategy, language, split), 0) for language in languages]
            places = [x - 0.4 + (at + 0.5) * width for x in range(len(languages))]
            bars = axes.bar(
                places,
                heights,
                width,
                color=COLOURS[at % 5],
                alpha=1 - 0.12 * (at // 5),
                label=_legend(split),
            )
            axes.bar_label(bars, [f"{n:,}" if n else "" for n in heights], fontsize=6)
        axes.set_xticks(range(len(languages)), [word(text) for text in languages])
        axes.set_title(word(strategy), loc="left", fontsize=8, fontweight="bold")
    panels[0].set_ylabel("items")
    panels[0].locator_params(axis="y", integer=True)
    if splits != [None]:
        figure.legend(
            *panels[0].get_legend_handles_labels(),
            loc="outside lower center", ncols=5, frameon=False, title="split",
        )  # fmt: skip
    return figure


@_styled()
def spans(rows: Sequence[Json]) -> Figure:
    """The share of annotations with 0, 1, 2, ... spans, a group beside the other."""
    rows = [row for row in rows if row["annotations"]][:BARS_DRAWN]
    figure, (axes,) = _canvas(1, 2.4)
    numbers = len(rows[0]["spans"]) if rows else 1
    width = 0.8 / max(len(rows), 1)
    for at, row in enumerate(rows):
        shares = [100 * n / row["annotations"] for n in row["spans"]]
        places = [x - 0.4 + (at + 0.5) * width for x in range(numbers)]
        name = f"{_legend(row['value'])} (n = {row['annotations']:,})"
        bars = axes.bar(places, shares, width, color=COLOURS[at % 5], label=name)
        axes.bar_label(bars, [f"{share:.0f}" if share else "" for share in shares], fontsize=6)
    names = [str(n) for n in range(numbers - 1)] + [f"{numbers - 1} or more"]
    axes.set_xticks(range(numbers), names)
    axes.set_xlabel("spans in the annotation")
    axes.set_ylabel("% of the annotations")
    if rows:
        axes.legend(frameon=False)
    return figure


@_styled()
def expected(found: Sequence[Json], labels: Sequence[str]) -> Figure:
    """Expected label (rows) against annotators' labels (columns), per strategy, in % of the row."""
    found = [part for part in found if part["rows"]][:6]
    figure, panels = _canvas(max(len(found), 1), 2.4)
    names = [*labels, "none"]
    for axes, part in zip(panels, found, strict=False):
        shares = [
            [100 * n / max(row["annotations"], 1) for n in (*row["labels"], row["none"])]
            for row in part["rows"]
        ]
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=100, aspect="auto")
        for y, line in enumerate(shares):
            for x, share in enumerate(line):
                colour = "white" if share > 55 else INK
                axes.text(x, y, f"{share:.0f}", ha="center", va="center", color=colour, fontsize=7)
        axes.set_xticks(range(len(names)), names)
        axes.set_yticks(range(len(part["rows"])), [word(row["expected"]) for row in part["rows"]])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_title(word(part["value"]), loc="left", fontsize=8, fontweight="bold")
        axes.set_xlabel("annotators' labels")
    if not found:
        panels[0].set_axis_off()
        panels[0].text(0.5, 0.5, "No item has an expected label.", ha="center")
    panels[0].set_ylabel("expected label")
    return figure
