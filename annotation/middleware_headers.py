"""Headers that every answer carries: what others may do with it, and that nobody keeps it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Handler = Callable[[HttpRequest], HttpResponse]
HEADERS = {
    # No page of another site may take a picture or an answer of this one into its process.
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Permitted-Cross-Domain-Policies": "none",
}
# The pages use none of these, so nothing that gets into one may either. A browser asks documents
# alone, and a page's thirty scripts and styles would carry more of this than of themselves.
PERMISSIONS = ", ".join(
    f"{name}=()"
    for name in (
        *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture"),
        *("encrypted-media", "geolocation", "gyroscope", "magnetometer", "microphone", "midi"),
        *("payment", "picture-in-picture", "publickey-credentials-get", "screen-wake-lock"),
        *("usb", "xr-spatial-tracking"),
    )
)
DOCUMENTS = ("text/html", "image/svg+xml", "application/xhtml+xml", "application/pdf")
# Of a page whose address is a secret, what it asks for hears the host alone: a server on the way
# that fails writes down the address that it was asked from.
SECRET_PARTS = {"secret", "token", "key"}
REFERRER = "strict-origin"
# People's work and unpublished data: after a logout "back" shows none of it, nor does a proxy.
PRIVATE = "private, no-store"


class HeadersMiddleware:
    """A view that says how long its answer is kept is left its word; any other is not kept."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if response.headers.get("Content-Type", "").startswith(DOCUMENTS):
            response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        response.headers.setdefault("Cache-Control", PRIVATE)
        if request.resolver_match and request.resolver_match.kwargs.keys() & SECRET_PARTS:
            response.headers["Referrer-Policy"] = REFERRER
        return response
