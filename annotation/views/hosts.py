"""The page of a request under a name that is not the site's: it says what to set."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.defaults import bad_request as plain


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, SessionInterrupted):  # logged out elsewhere, or erased, meanwhile
        return redirect(settings.LOGIN_URL)
    if not isinstance(exception, DisallowedHost):
        return plain(request, exception)
    host = request.META.get("HTTP_HOST") or request.META.get("SERVER_NAME", "")
    context = {"origin": f"{request.scheme}://{host}", "public_url": settings.PUBLIC_URL}
    return render(request, "400_host.html", context, status=400)
