"""Setting a password by a one-time link."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.actions.people import link_for, use_password_link
from annotation.errors import Refused


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def password_link(request: HttpRequest, secret: str) -> HttpResponse:
    link = link_for(secret)
    context: dict[str, Any] = {"username": link.user.username if link else None, "problems": []}
    if link is None:
        return render(request, "annotation/welcome.html", context, status=410)
    if request.method == "POST":
        password = request.POST.get("password", "")
        try:
            if password != request.POST.get("again", ""):
                raise Refused(("again", _("The two passwords differ: type both again.")))
            use_password_link(secret, password)
        except Refused as refused:
            context["problems"] = refused.problems
            return render(request, "annotation/welcome.html", context, status=422)
        messages.success(request, _("Your password is set. Log in with it."))
        return redirect("account_login")
    return render(request, "annotation/welcome.html", context)
