"""The examples in the docstrings run, and every public function says what it takes and gives."""

from __future__ import annotations

import doctest
import importlib
import inspect

import numpy as np
import pytest

from agreement import stats
from tests import code

MODULES = [
    code.module(path)
    for path in code.sources("agreement")
    if code.name(path).startswith(("agreement/stats/", "agreement/units", "agreement/report"))
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_run(module):
    with np.printoptions(legacy=False):
        found = doctest.testmod(importlib.import_module(module))
    assert found.failed == 0


def test_there_are_examples_to_run():
    found = [doctest.DocTestFinder().find(importlib.import_module(module)) for module in MODULES]
    assert sum(bool(test.examples) for tests in found for test in tests) >= 15


@pytest.mark.parametrize("name", stats.__all__)
def test_what_the_package_offers_is_documented(name):
    offered = getattr(stats, name)
    if inspect.isclass(offered) or inspect.isfunction(offered):
        assert len(inspect.getdoc(offered)) > 20
