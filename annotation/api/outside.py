"""Tokens outside the API: for what its answers point at."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.api import errors
from annotation.api.auth import TokenAuthentication
from annotation.errors import Forbidden, Unknown

View = Callable[..., HttpResponseBase]


def token_or_login(view: View) -> View:
    """A view that a token opens, too; without one it asks for the login.

    As in the API a token comes before the session, and a wrong one is 401 whoever is logged in.
    """
    for_session = login_required(view)

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponseBase
        try:
            found = TokenAuthentication().authenticate(Request(request))
        except AuthenticationFailed as error:
            response = JsonResponse(errors.body(*errors.flat(error.detail)), status=401)
            response["WWW-Authenticate"] = TokenAuthentication.keyword
            return response
        if found is None:
            response = for_session(request, *args, **kwargs)
        else:
            request.user = found[0]
            response = _answered(view, request, *args, **kwargs)
        patch_vary_headers(response, ["Authorization"])
        return response

    return asked


def _answered(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    """What the view answers; what it refuses is said as in the API, since a program is asking."""
    try:
        return view(request, *args, **kwargs)
    except (Unknown, Forbidden) as error:
        refused = errors.handle(error, {})
        assert refused is not None  # noqa: S101 - it knows both
        return JsonResponse(refused.data, status=refused.status_code)
