"""Every request has an id, which its log lines and its answer carry."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import LazyObject, empty

from annotation.logs import context
from annotation.logs.mask import masked

Handler = Callable[[HttpRequest], HttpResponse]
VALID = re.compile(r"[A-Za-z0-9._-]{1,64}")
SECRET_PARTS = ("secret", "token", "key")  # names of the parts of an address that nobody may see


def request_id(given: str) -> str:
    """The proxy's id where it is a plain word, else a new one."""
    return given if VALID.fullmatch(given) else secrets.token_hex(8)


def user_id(request: HttpRequest) -> int | None:
    """Who asked, where the request itself wanted to know: no query for the log's sake."""
    user: Any = request.__dict__.get("user")
    if isinstance(user, LazyObject) and user.__dict__.get("_wrapped", empty) is empty:
        return None
    return getattr(user, "pk", None)


class RequestLogMiddleware:
    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = request_id(request.headers.get("X-Request-ID", ""))
        context.begin(request=name, method=request.method)
        note: dict[str, Any] = {"request": name}
        request.META[context.NOTE] = note  # what gunicorn's line is made from
        response = self.get_response(request)
        note |= {"path": masked(request.path), "user": user_id(request)}
        response["X-Request-ID"] = name
        return response

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]
    ) -> None:
        for part in SECRET_PARTS:
            context.hide(str(kwargs.get(part, "")))
