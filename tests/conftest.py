"""A project with its people: a coordinator, two annotators and a stranger with a project of their own."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from annotation.models import Project, User
from tests import factories


@pytest.fixture
def project(db: None) -> Project:
    return factories.make_project()


@pytest.fixture
def coordinator(project: Project) -> User:
    return factories.join(project, "coordinator", "coordinator")


@pytest.fixture
def annotator(project: Project) -> User:
    return factories.join(project, "annotator", "annotator")


@pytest.fixture
def second(project: Project) -> User:
    return factories.join(project, "second", "annotator")


@pytest.fixture
def stranger(db: None) -> User:
    """Coordinates and annotates another project."""
    other = factories.make_project("elsewhere")
    factories.join(other, "stranger", "coordinator")
    return factories.join(other, "stranger", "annotator")


@pytest.fixture
def api_as(db: None):
    """``api_as(user)``: an API client with that user's session."""
    cache.clear()

    def client(user: User | None) -> APIClient:
        api = APIClient()
        if user is not None:
            api.force_login(user)
        return api

    return client


@pytest.fixture
def page_as(db: None):
    """``page_as(user)``: a page client logged in as that user."""

    def client(user: User | None) -> Client:
        page = Client()
        if user is not None:
            page.force_login(user)
        return page

    return client
