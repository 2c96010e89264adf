"""Sums over items that do not depend on the order of adding, so not on cores or libraries.

A matrix product adds in an order that the number of threads may change, and with it the last bit
of the result. Here every column is split into a coarse and a fine part, each a multiple of a power
of two so large that no sum of ``n`` draws of an item ever rounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agreement.stats.units import Counts, Floats, Integers

MANTISSA = 53
LEAST_EXPONENT = -1000
# Multiplications of one matrix product. OpenBLAS takes threads for larger ones, which wait for each
# other in a busy loop: up to a hundred times slower on a machine that has something else to do.
ONE_THREAD = 1 << 18


@dataclass(frozen=True, slots=True)
class ExactRows:
    """Rows whose weighted sums are exact.

    Attributes
    ----------
    parts : float64, shape (n_items, c + f)
        The coarse parts of ``c`` columns, then the fine parts of those that have any.
    fine : int64, shape (f,)
        Which columns those are.
    width : int
        ``c``.
    """

    parts: Floats
    fine: Integers
    width: int

    def take(self, rows: Integers) -> ExactRows:
        return ExactRows(self.parts[rows], self.fine, self.width)

    def weighted(self, counts: Counts) -> Floats:
        """Sums of the rows, each counted as often as ``counts`` says.

        Parameters
        ----------
        counts : int32, shape (b, n_items), that add up to at most the number of
            rows that `exact_rows` was given

        Returns
        -------
        float64, shape (b, c)
        """
        b, n = counts.shape
        columns = self.parts.shape[1]
        step = max(ONE_THREAD // max(b * columns, 1), 1)
        sums = np.zeros((b, columns))
        for begin in range(0, n, step):
            part = slice(begin, begin + step)
            sums += counts[:, part].astype(np.float64) @ self.parts[part]
        return self._whole(sums)

    def total(self) -> Floats:
        """The sum of all rows: float64, shape (c,)."""
        return self._whole(self.parts.sum(axis=0))

    def _whole(self, sums: Floats) -> Floats:
        whole: Floats = sums[..., : self.width].copy()
        whole[..., self.fine] += sums[..., self.width :]
        return whole


def _grid(rows: Floats, n: int) -> Floats:
    """Per column the finest power of two of which ``n`` multiples below the column's largest
    entry still add up without rounding: float64, shape (c,)."""
    _, exponent = np.frexp(rows.max(axis=0, initial=0.0) * n)
    grid: Floats = np.ldexp(1.0, np.maximum(exponent - MANTISSA, LEAST_EXPONENT))
    return grid


def exact_rows(rows: Floats) -> ExactRows:
    """Split rows for exact sums; the parts add up to the row within 2**-60 of its largest entry.

    Parameters
    ----------
    rows : float64, shape (n_items, c), none negative

    Examples
    --------
    >>> rows = exact_rows(np.array([[0.1, 1.0], [0.2, 0.0]]))
    >>> rows.total(), rows.weighted(np.array([[2, 0]]))
    (array([0.3, 1. ]), array([[0.2, 2. ]]))
    """
    n = max(len(rows), 1)
    grid = _grid(rows, n)
    coarse = np.floor(rows / grid) * grid
    rest = rows - coarse
    fine = np.flatnonzero(rest.any(axis=0))
    rest = rest[:, fine]
    grid = _grid(rest, n)
    return ExactRows(np.hstack([coarse, np.floor(rest / grid) * grid]), fine, rows.shape[1])
