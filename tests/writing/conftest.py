"""A project in two languages with two English writers, one of them French as well."""

from __future__ import annotations

import pytest

from annotation.models import Project, User
from tests import factories
from tests.writing import making
from writing.models import Brief


@pytest.fixture
def project(db: None) -> Project:
    return factories.make_project(languages=("en", "fr"))


@pytest.fixture
def writer(project: Project) -> User:
    return factories.join(project, "writer", "writer", ("en",))


@pytest.fixture
def other(project: Project) -> User:
    return factories.join(project, "other", "writer", ("en", "fr"))


@pytest.fixture
def brief(project: Project) -> Brief:
    return making.make_brief(project)
