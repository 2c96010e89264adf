"""Items in and out: a batch of rows to import, and the export as a stream."""

from __future__ import annotations

import io
from typing import IO, Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation import access
from annotation.actions import audit, imports
from annotation.aggregate import BOUNDARIES
from annotation.api.errors import body
from annotation.errors import Problem, Refused
from annotation.formats import FORMATS, READABLE
from annotation.requests import UserApiRequest
from annotation.selectors.exports import export_of

MAX_ROWS = 5000
MAX_BYTES = 64_000_000
ROWS = "rows"
FLAGS = ("partial", "dry_run", "with_annotations")


class TooLarge(APIException):
    status_code = 413

    def __init__(self) -> None:
        detail = _("At most %(rows)d rows and %(bytes)d bytes at once: send them in parts.")
        super().__init__(detail % {"rows": MAX_ROWS, "bytes": MAX_BYTES})


class Lines(BaseParser):
    """Hands the body on as it came: the format's reader says what is wrong, line by line."""

    media_type = "application/x-ndjson"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Any = None) -> Any:
        content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise TooLarge()
        return content


class JsonLines(Lines):
    media_type = "application/jsonl"


class JsonList(Lines):
    media_type = "application/json"


class Text(Lines):
    media_type = "text/plain"


def flag(request: Request, name: str) -> bool:
    value = request.query_params.get(name, "0")
    if value not in ("0", "1"):
        raise Refused((name, _("Say 1 or 0.")))
    return value == "1"


class ItemsView(APIView):
    parser_classes = [Lines, JsonLines, JsonList, Text]

    @extend_schema(
        request={"application/x-ndjson": bytes, "application/json": list[dict[str, Any]]},
        parameters=[
            OpenApiParameter("format", str, enum=list(READABLE)),
            *(OpenApiParameter(name, int, enum=[0, 1]) for name in FLAGS),
        ],
        responses={
            200: OpenApiResponse(description="{new, same, changed, refused, errors, ...}"),
            413: OpenApiResponse(description="more than 5,000 rows"),
            422: OpenApiResponse(description="the same: nothing was imported"),
        },
    )
    def post(self, request: UserApiRequest, slug: str) -> Response:
        project = access.coordinated(request.user, slug)
        flags: dict[str, Any] = {name: flag(request, name) for name in FLAGS}
        content = request.data if isinstance(request.data, bytes) else b""
        try:
            report = imports.import_items(
                request.user,
                project,
                io.BytesIO(content),
                ROWS,
                request.query_params.get("format", "jsonl"),
                max_rows=MAX_ROWS,
                **flags,
            )
        except imports.TooManyRows:
            raise TooLarge() from None
        value = report.as_json()
        del value["refusals"]
        value |= body(*(Problem(f"{r.line}.{r.field}", r.reason) for r in report.refusals))
        nothing = report.refused and not (report.new or report.same or report.changed)
        refused = report.refused and not flags["partial"]
        return Response(value, status=422 if nothing or refused else 200)


class ExportView(APIView):
    @extend_schema(
        parameters=[
            OpenApiParameter("format", str, enum=list(FORMATS)),
            OpenApiParameter("boundaries", str, enum=list(BOUNDARIES)),
        ],
        responses={200: OpenApiResponse(description="the file, streamed")},
    )
    def get(self, request: UserApiRequest, slug: str) -> HttpResponseBase:
        project = access.coordinated(request.user, slug)
        name = request.query_params.get("format", "sheep")
        boundaries = request.query_params.get("boundaries", "exact")
        export = export_of(project, name, boundaries)
        audit.note_export(request.user, project, name, boundaries=boundaries)
        response = StreamingHttpResponse(export.pieces, content_type=export.content_type)
        response["Content-Disposition"] = f'attachment; filename="{export.filename}"'
        response["Cache-Control"] = "no-store"
        return response
