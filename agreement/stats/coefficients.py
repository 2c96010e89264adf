"""Coefficients of agreement from counts of values, each a function of sums over the items.

A table of counts says for each item how often each value was given to it. Everything here follows
from Krippendorff's coincidence matrix ``o``: in an item with ``m`` >= 2 ratings every ordered pair
of different raters adds ``1 / (m - 1)`` to the cell of their two values.

References
----------
.. [1] K. Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.
   https://repository.upenn.edu/asc_papers/43
.. [2] K. Krippendorff (2018), Content Analysis, 4th ed. doi:10.4135/9781071878781
.. [3] T. Byrt, J. Bishop, J. B. Carlin (1993), Bias, prevalence and kappa.
   doi:10.1016/0895-4356(93)90018-V
.. [4] J. J. Randolph (2005), Free-marginal multirater kappa (ERIC ED490661).
"""

from __future__ import annotations

import krippendorff
import numpy as np
from numpy.typing import ArrayLike

from agreement.stats.units import Floats, Integers

# the package makes an array of items x values x values; past this it would need over 100 MB
PACKAGE_CELLS = 1 << 22


def coincidence_sums(counts: ArrayLike) -> Floats:
    """What each item adds to the coincidence matrix.

    Parameters
    ----------
    counts : int, shape (n_items, n_values)

    Returns
    -------
    float64, shape (n_items, 1 + n_values)
        The item's part of the sum of ``o[v, w]`` over v != w, which is
        ``sum_v c_v (m - c_v) / (m - 1)``, then its counts. An item with fewer than two ratings
        has zeros alone.

    Examples
    --------
    >>> coincidence_sums([[2, 1], [3, 0], [1, 0]])
    array([[2., 2., 1.],
           [0., 3., 0.],
           [0., 0., 0.]])
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum(axis=1)
    table = np.where((total >= 2)[:, None], table, 0.0)
    split = (table * (total[:, None] - table)).sum(axis=1)
    return np.column_stack([split / np.maximum(total - 1, 1), table])


def nominal_alpha_of_sums(sums: Floats) -> Floats:
    """Krippendorff's alpha, nominal: ``1 - (n - 1) sum_{v != w} o[v, w] / sum_{v != w} n_v n_w``.

    Parameters
    ----------
    sums : float64, shape (..., 1 + n_values)
        Sums of `coincidence_sums` over items.

    Returns
    -------
    float64, shape (...)
        NaN where fewer than two values occur.
    """
    disagreement, counts = sums[..., 0], sums[..., 1:]
    n = counts.sum(axis=-1)
    expected = n * n - (counts * counts).sum(axis=-1)
    defined = expected > 0
    return np.where(defined, 1 - (n - 1) * disagreement / np.where(defined, expected, 1), np.nan)


def free_alpha_of_sums(sums: Floats, k: int = 2) -> Floats:
    """Free-marginal alpha: ``1 - k / (k - 1) * sum_{v != w} o[v, w] / n``, ``n`` the sum of ``o``.

    Parameters
    ----------
    sums : float64, shape (..., 1 + n_values)
        Sums of `coincidence_sums` over items; its counts may be added up to one column.
    k : int
        How many values could occur.

    Returns
    -------
    float64, shape (...)
        NaN where no item has two ratings.
    """
    if k < 2:
        raise ValueError(f"Agreement by chance needs two values that could occur, not {k}.")
    n = sums[..., 1:].sum(axis=-1)
    share = sums[..., 0] / np.where(n > 0, n, 1)
    return np.where(n > 0, 1 - k / (k - 1) * share, np.nan)


def _value(found: Floats) -> float | None:
    return None if np.isnan(found) else float(found)


def _column_order(table: Integers) -> list[int]:
    """The columns from the least to the greatest, compared row by row; none negative.

    As bytes, the most significant first: to sort by each row takes longer than alpha itself.
    """
    columns = [column.tobytes() for column in np.ascontiguousarray(table.T, dtype=">i8")]
    return sorted(range(len(columns)), key=columns.__getitem__)


def krippendorff_alpha(counts: ArrayLike) -> float | None:
    """Krippendorff's alpha for nominal values with fixed marginals [1]_ [2]_.

    The value is that of the ``krippendorff`` package; a table of more than `PACKAGE_CELLS` items x
    values x values is computed from sums, which agrees to 1e-12.

    Parameters
    ----------
    counts : int, shape (n_items, n_values)
        How often each value was given to each item; items with fewer than two ratings do not count.

    Returns
    -------
    float or None
        None where fewer than two values occur among the items with two ratings.

    Examples
    --------
    Section A of [1]_, two observers and two values:

    >>> counts = [[1, 1], [0, 2], [1, 1], [2, 0], [2, 0], [1, 1], [2, 0], [2, 0], [1, 1], [2, 0]]
    >>> round(krippendorff_alpha(counts), 3)
    0.095
    """
    table = np.asarray(counts, dtype=np.int64)
    table = table[table.sum(axis=1) >= 2]
    table = table[:, table.any(axis=0)]
    if table.shape[1] < 2:
        return None
    table = table[:, _column_order(table)]  # the last bit must not depend on the labels' order
    if table.shape[0] * table.shape[1] ** 2 > PACKAGE_CELLS:
        return _value(nominal_alpha_of_sums(coincidence_sums(table).sum(axis=0)))
    return float(krippendorff.alpha(value_counts=table, level_of_measurement="nominal"))


def free_marginal_alpha(counts: ArrayLike, k: int) -> float | None:
    """Free-marginal alpha, which takes chance agreement to be ``1 / k`` [3]_.

    An item weighs by its number of ratings, as in alpha; `free_marginal_kappa` weighs items alike.

    Parameters
    ----------
    counts : int, shape (n_items, n_values)
    k : int
        How many values could occur, 2 or more.

    Returns
    -------
    float or None
        None where no item has two ratings.

    Raises
    ------
    ValueError
        If ``k`` is below 2.

    Examples
    --------
    >>> round(free_marginal_alpha([[2, 1], [1, 3], [3, 0]], k=2), 12)
    0.2
    """
    return _value(free_alpha_of_sums(coincidence_sums(counts).sum(axis=0), k))


def free_marginal_kappa(counts: ArrayLike, k: int) -> float | None:
    """Randolph's free-marginal multirater kappa, ``(Po - 1 / k) / (1 - 1 / k)`` [4]_.

    ``Po`` is the plain mean, over items with two or more ratings, of the share of agreeing pairs.

    Parameters
    ----------
    counts : int, shape (n_items, n_values)
    k : int
        How many values could occur, 2 or more.

    Returns
    -------
    float or None
        None where no item has two ratings.

    Raises
    ------
    ValueError
        If ``k`` is below 2.

    Examples
    --------
    >>> free_marginal_kappa([[2, 0], [1, 1]], k=2)
    0.0
    """
    sums = coincidence_sums(counts)
    ratings = sums[:, 1:].sum(axis=1)
    sums = sums[ratings > 0] / ratings[ratings > 0, None]
    return _value(free_alpha_of_sums(sums.sum(axis=0), k))
