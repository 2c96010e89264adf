"""Every failure of the API as ``{"errors": [{"where", "message"}]}``."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from annotation.errors import Forbidden, Problem, Refused, SecondFactorNeeded, Unknown
from annotation.trouble import trouble_of


def body(*problems: Problem) -> dict[str, Any]:
    return {"errors": [{"where": p.where, "message": p.message} for p in problems]}


def _path(where: str, key: str | int) -> str:
    return f"{where}[{key}]" if isinstance(key, int) else f"{where}.{key}".strip(".")


def flat(detail: Any, where: str = "") -> list[Problem]:
    if isinstance(detail, dict):
        return [p for key, value in detail.items() for p in flat(value, _path(where, key))]
    if isinstance(detail, list):
        if all(isinstance(value, str) for value in detail):
            return [Problem(where, str(value)) for value in detail]
        return [p for i, value in enumerate(detail) for p in flat(value, _path(where, i))]
    return [Problem(where, str(detail))]


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    if isinstance(error, Refused):
        set_rollback()
        return Response(body(*error.problems), status=422)
    if isinstance(error, Unknown | Http404):
        return Response(body(Problem("", _("Not found."))), status=404)
    if isinstance(error, SecondFactorNeeded):
        text = _("This site asks coordinators for a second factor: give a code on its pages.")
        return Response(body(Problem("", text)), status=403)
    if isinstance(error, Forbidden | PermissionDenied):
        return Response(body(Problem("", _("Your role does not allow this."))), status=403)
    if trouble_of(error) is not None:
        return None  # the middleware answers, as it does for pages
    response = exception_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        response.data = body(*flat(error.detail))
        if isinstance(error, exceptions.ValidationError):
            response.status_code = 422
    return response
