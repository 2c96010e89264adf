"""Pictures of items, for the people who may see the item."""

from __future__ import annotations

from urllib.parse import quote

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from annotation import access
from annotation.errors import Unknown
from annotation.models import Image
from annotation.requests import UserRequest

TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif"}


@login_required
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
        response["X-Accel-Redirect"] = settings.ACCEL_PREFIX + quote(name)
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
    return response
