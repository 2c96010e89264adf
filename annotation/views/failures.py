"""The page of a form that cannot be trusted: it names the origin an administrator may add."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    origin = request.headers.get("Origin") or f"{request.scheme}://{request.headers.get('Host')}"
    return render(request, "403_csrf.html", {"origin": origin, "reason": reason}, status=403)
