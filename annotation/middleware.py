"""Refusals of the gates as pages: foreign things are not found, a wrong role is told so."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.errors import Forbidden, Unknown

Handler = Callable[[HttpRequest], HttpResponse]


class GateMiddleware:
    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, Unknown):
            return render(request, "404.html", status=404)
        if isinstance(error, Forbidden):
            return render(request, "403.html", status=403)
        return None
