"""Types of requests behind the login, for signatures: whoever sends one has an account."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request

from annotation.models import User


class UserRequest(HttpRequest):
    """A request to a page that asks for a login."""

    user: User


class UserApiRequest(Request):
    """A request to the API, whose permission classes let nobody in without an account."""

    user: User
