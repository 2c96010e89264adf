"""Agreement of annotators, with intervals: pure functions of `Units`."""

from __future__ import annotations

from agreement.stats.answers import POLICIES, has_span, labels_by
from agreement.stats.bootstrap import INTERVALS, Resampling
from agreement.stats.coefficients import (
    free_marginal_alpha,
    free_marginal_kappa,
    krippendorff_alpha,
)
from agreement.stats.differences import Difference, difference
from agreement.stats.estimate import Estimate
from agreement.stats.groups import Table
from agreement.stats.overlap import Pairs, pairs_of
from agreement.stats.people import AnnotatorPair, ItemAgreement, annotator_pairs, item_agreement
from agreement.stats.statistics import STATISTICS, Statistic, label, presence, span
from agreement.stats.units import Units, UnknownField, units_from_columns

__all__ = [
    "INTERVALS",
    "POLICIES",
    "STATISTICS",
    "AnnotatorPair",
    "Difference",
    "Estimate",
    "ItemAgreement",
    "Pairs",
    "Resampling",
    "Statistic",
    "Table",
    "Units",
    "UnknownField",
    "annotator_pairs",
    "difference",
    "free_marginal_alpha",
    "free_marginal_kappa",
    "has_span",
    "item_agreement",
    "krippendorff_alpha",
    "label",
    "labels_by",
    "pairs_of",
    "presence",
    "span",
    "units_from_columns",
]
