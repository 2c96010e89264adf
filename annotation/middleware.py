"""Refusals of the gates, and trouble of the machine, as pages; the second factor a site demands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from allauth.account.authentication import get_authentication_records
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    JsonResponse,
    QueryDict,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from annotation import source
from annotation.access import lacks_second_factor
from annotation.errors import Forbidden, SecondFactorNeeded, Unknown
from annotation.selectors.accounts import coordinates_anything, has_second_factor, is_erased
from annotation.trouble import trouble_of
from annotation.views.failures import troubled

Handler = Callable[[HttpRequest], HttpResponse]
# what an account without a second factor may open on a site that demands one
OPEN = ("account", "mfa_", "password_link", "join")


class GateMiddleware:
    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.MFA_REQUIRED_FOR != "none" and request.user.is_authenticated:
            request.user.by_session = True  # type: ignore[attr-defined]
            request.user.gave_code = _gave_code(request)  # type: ignore[attr-defined]
        with source.coming_from(source.API if _is_api(request) else source.PAGE):
            response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not _is_api(request):
            return _no_page(request, response)
        return _unsent(request, response)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if settings.MFA_REQUIRED_FOR == "none" or not request.user.is_authenticated:
            return None
        name = (request.resolver_match and request.resolver_match.url_name) or ""
        if settings.MFA_REQUIRED_FOR == "everyone":
            asked = not name.startswith(OPEN)
        else:  # their projects' own pages are behind the gates
            asked = name in ("home", "project_new") and coordinates_anything(request.user)
        if asked and lacks_second_factor(request.user):
            return _to_second_factor(request)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, SecondFactorNeeded):
            return _to_second_factor(request)
        if isinstance(error, Unknown):
            return render(request, "404.html", status=404)
        if isinstance(error, Forbidden):
            return render(request, "403.html", status=403)
        if isinstance(error, IntegrityError) and is_erased(request.user):
            return _to_login(request)
        trouble = trouble_of(error)
        return None if trouble is None else troubled(request, trouble, error)


def _no_page(request: HttpRequest, refused: HttpResponse) -> HttpResponse:
    """In words: a login leads by GET to where a form was sent, and the browser shows nothing."""
    match = request.resolver_match
    context = {"slug": match.kwargs.get("slug") if match else None}
    response = render(request, "405.html", context, status=refused.status_code)
    response["Allow"] = refused["Allow"]
    return response


def _unsent(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """What is sent after the session has ended: the login says so, and leads back to its page.

    The address that a form is sent to may show nothing; so that of the page is taken, where the
    browser tells it. What was typed there is kept by the browser (``static/js/pages/keep.js``).
    """
    if request.method != "POST" or not isinstance(response, HttpResponseRedirect):
        return response
    to = urlsplit(response.url)
    if to.path != reverse("account_login") or "next" not in QueryDict(to.query):
        return response
    text = _("Your session had ended: what you sent has not been done. Log in, and send it again.")
    messages.warning(request, text, extra_tags="unsent")
    page = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(page, {request.get_host()}):
        return response
    back = urlsplit(page)
    return redirect_to_login(f"{back.path}?{back.query}" if back.query else back.path)


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def _gave_code(request: HttpRequest) -> bool:
    """Whether somebody typed a code of the second factor, or a recovery code, in this session."""
    records = get_authentication_records(request, request.user)  # type: ignore[arg-type]
    return any(record.get("method") == "mfa" for record in records)


def _to_login(request: HttpRequest) -> HttpResponse:
    """As for any request of an account that is not there: this one was erased while it wrote."""
    if _is_api(request):
        text = _("This account has been erased: nothing was kept.")
        return JsonResponse({"errors": [{"where": "", "message": text}]}, status=401)
    return redirect("account_login")


def _to_second_factor(request: HttpRequest) -> HttpResponse:
    has_one = has_second_factor(request.user)  # type: ignore[arg-type]  # behind the login
    text = _("This site asks for a second factor: set it up, then go on.")
    if has_one:
        text = _("This site asks for a second factor: give a code, then go on.")
    if _is_api(request):
        return JsonResponse({"errors": [{"where": "", "message": text}]}, status=403)
    messages.warning(request, text)
    return redirect("mfa_reauthenticate" if has_one else "mfa_activate_totp")
