"""Pages of what failed on the way: an untrusted form, and trouble of the machine that passes."""

from __future__ import annotations

import logging
import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.defaults import server_error as plain_error

from annotation.trouble import Trouble, trouble_of

log = logging.getLogger("sheepfold.trouble")
API = "/api/"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """It names the origin that an administrator may add."""
    origin = request.headers.get("Origin") or f"{request.scheme}://{request.headers.get('Host')}"
    return render(request, "403_csrf.html", {"origin": origin, "reason": reason}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address that there is not: of the API in its own form, else as a page."""
    if request.path_info.startswith(API):
        errors = [{"where": "", "message": _("Not found.")}]
        return JsonResponse({"errors": errors}, status=404)
    return render(request, "404.html", status=404)


def troubled(request: HttpRequest, trouble: Trouble, error: BaseException) -> HttpResponse:
    """The trouble in the form of the API, or as a page that needs no database."""
    log.error("%s %s: %d, %s", request.method, request.path, trouble.status, str(error).strip())
    response: HttpResponse
    if request.path_info.startswith(API):
        errors = [{"where": "", "message": trouble.message}]
        response = JsonResponse({"errors": errors}, status=trouble.status)
    else:
        page = render_to_string("503.html", {"trouble": trouble, "sent": request.method == "POST"})
        response = HttpResponse(page, status=trouble.status)
    if trouble.retry_after:
        response["Retry-After"] = str(trouble.retry_after)
    response["Cache-Control"] = "no-store"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """What a middleware could not do for want of the database, or an error of the program."""
    error = sys.exc_info()[1]
    trouble = trouble_of(error)
    if trouble is None or error is None:
        return plain_error(request)
    return troubled(request, trouble, error)
