"""Probes: ``/healthz`` says that the process answers, ``/readyz`` whether the site can work.

They are answered before anything else, so whatever the ``Host`` header says (a probe calls the
machine by its number), without a session, a login or a look at CSRF, and are never cached.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from annotation.selectors.health import readiness

Handler = Callable[[HttpRequest], HttpResponse]


def healthz() -> HttpResponse:
    return JsonResponse({"alive": True})


def readyz() -> HttpResponse:
    answer = readiness()
    return JsonResponse(answer, status=200 if answer["ready"] else 503)


PROBES = {"/healthz": healthz, "/readyz": readyz}


class HealthMiddleware:
    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info)
        if probe is None:
            return self.get_response(request)
        allowed = ("GET", "HEAD")
        response = probe() if request.method in allowed else HttpResponseNotAllowed(allowed)
        response["Cache-Control"] = "no-store"
        return response
