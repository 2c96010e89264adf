"""Pictures of items, for the people who may see the item."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from annotation import access
from annotation.api.outside import token_or_login
from annotation.errors import Unknown
from annotation.models import Image
from annotation.requests import UserRequest

TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif"}
ALONE = "default-src 'none'; frame-ancestors 'none'; sandbox"


@token_or_login
@require_safe
def image(request: UserRequest, item_id: int) -> HttpResponseBase:
    """The picture's bytes; 404 for everybody whom the item does not concern."""
    picture = access.image_for(request.user, item_id).image
    assert picture is not None  # noqa: S101 - the gate asks for it
    return send(request, picture)


def send(request: HttpRequest, picture: Image) -> HttpResponseBase:
    """A picture that the person may see; its caller has asked the gate.

    Behind nginx only its place is said (``ACCEL_PREFIX``), and nginx sends the file.
    """
    name = str(picture.file.name)
    etag = f'"{picture.sha256}"'
    response: HttpResponseBase
    if request.headers.get("If-None-Match") == etag:
        response = HttpResponseNotModified()
    elif settings.ACCEL_PREFIX:
        response = HttpResponse()
        response["X-Accel-Redirect"] = settings.ACCEL_PREFIX + _place(name)
    else:
        try:
            response = FileResponse(default_storage.open(name))
        except FileNotFoundError:
            raise Unknown(name) from None
    if not isinstance(response, HttpResponseNotModified):
        response["Content-Type"] = TYPES[name.rpartition(".")[2]]
    response["ETag"] = etag
    response["Cache-Control"] = "private, max-age=3600"
    response["X-Content-Type-Options"] = "nosniff"
    # Opened by itself it is a picture and nothing else, whatever its bytes say.
    response["Content-Security-Policy"] = ALONE
    return response


def _place(name: str) -> str:
    """Where nginx finds the file below its internal location.

    Of a file in the store that is the path and the query of an address that is signed for a minute.
    The store's host stands in nginx's own configuration: nobody else's can be named.
    """
    if not settings.PICTURES_IN_STORE:
        return quote(name)
    address = urlsplit(default_storage.url(name))
    return f"{address.path.lstrip('/')}?{address.query}"
