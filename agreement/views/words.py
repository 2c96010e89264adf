"""What the pages say about numbers, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agreement.stats import estimate
from agreement.tables import Json, parts, word

REASONS = {
    estimate.NO_PAIR: gettext_lazy("no item has two answers"),
    estimate.NOT_ALL_MARKED: gettext_lazy("no item is marked by everybody who answered it"),
    estimate.ONE_LABEL: gettext_lazy("fewer than two labels occur"),
    estimate.ALL_EMPTY: gettext_lazy("no pair of answers has a span"),
    estimate.ONE_ITEM: gettext_lazy("a single item gives no interval"),
    estimate.NO_RESAMPLE: gettext_lazy("no resample gives a value"),
    estimate.NOT_RESAMPLED: gettext_lazy("no resamples were drawn"),
}
POLICIES = {
    "first": gettext_lazy("first span"),
    "first_position": gettext_lazy("first position"),
    "longest": gettext_lazy("longest span"),
}
NONE = gettext_lazy("(none)")


def reason(text: str | None) -> str:
    """A reason of the statistics in the reader's language."""
    return str(REASONS.get(text, text)) if text else ""


def statistic(name: str) -> str:
    """One of the eleven in words, such as "Label α unconditional, longest span"."""
    if name == "presence_alpha_free":
        return _("Presence α free")
    if name.startswith("label_alpha_"):
        policy, _sep, among = name.removeprefix("label_alpha_").rpartition("_")
        text = _("Label α unconditional, %s")
        if among != "all":
            text = _("Label α given a hallucination, %s")
        return text % POLICIES[policy]
    if name.endswith("_leave_out"):
        matched = _("Span IoU requiring label match, empty pairs left out")
        ignored = _("Span IoU ignoring labels, empty pairs left out")
    else:
        matched, ignored = _("Span IoU requiring label match"), _("Span IoU ignoring labels")
    return matched if "label_match" in name else ignored


def group(by: Json) -> str:
    """A group's values; items that lack the field are "(none)"."""
    if not by:
        return _("All items")
    return ", ".join(map(value, by.values()))


def value(one: Any) -> str:
    """A value, or a field's name, on one short line."""
    return str(NONE) if one is None else word(one)


def fields(names: Sequence[str]) -> str:
    """The fields of a grouping."""
    return ", ".join(map(value, names))


def method(report: Json) -> str:
    """How the intervals were made, so that they can be made again."""
    if not report["resamples"]:
        return _("No intervals: no resamples were drawn.")
    bca = _("%(level)s % BCa bootstrap intervals: %(n)s resamples of items, seed %(seed)s.")
    plain = _(
        "%(level)s % percentile bootstrap intervals: %(n)s resamples of items, seed %(seed)s."
    )
    text = bca if report["interval"] == "bca" else plain
    values = {"level": f"{100 * report['level']:g}", "n": f"{report['resamples']:,}"}
    for name, value in (values | {"seed": str(report["seed"])}).items():
        text = text.replace(f"%({name})s", value)
    return text


def undefined(report: Json, wanted: Any) -> list[str]:
    """How many resamples left which statistic of which group undefined."""
    found = []
    for _fields, groups in parts(report):
        for one in groups:
            for name in wanted:
                n = one["estimates"][name]["n_undefined_resamples"]
                if n:
                    text = ngettext(
                        "%(group)s: %(n)d resample left %(name)s undefined.",
                        "%(group)s: %(n)d resamples left %(name)s undefined.",
                        n,
                    )
                    values = {"group": group(one["by"]), "n": n, "name": statistic(name)}
                    found.append(text % values)
    return found
