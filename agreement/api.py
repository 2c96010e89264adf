"""The report over HTTP, the same JSON as ``manage.py agreement SLUG --json``."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from agreement.actions.reports import TooBusy, report_for
from agreement.asked import OPTIONS, question_of
from agreement.compute import Overview
from annotation import access
from annotation.actions import audit
from annotation.api.errors import body
from annotation.errors import Problem, Refused
from annotation.requests import UserApiRequest


class AgreementView(APIView):
    @extend_schema(
        parameters=[
            OpenApiParameter("by", str, many=True, description="FIELD or FIELD,FIELD; repeated"),
            *(OpenApiParameter(name, str) for name in OPTIONS),
        ],
        responses={
            200: OpenApiResponse(description="{resamples, seed, level, interval, groups}"),
            503: OpenApiResponse(description="{errors}: busy with other reports"),
            422: OpenApiResponse(description="{errors}"),
        },
    )
    def get(self, request: UserApiRequest, slug: str) -> Response:
        project = access.coordinated(request.user, slug)
        if unknown := sorted(set(request.query_params) - {"by", *OPTIONS}):
            known = ", ".join(("by", *OPTIONS))
            text = _("There is no such parameter; known are %s.") % known
            raise Refused(*(Problem(name, text) for name in unknown))
        asked = Overview(question_of(request.query_params), described=False)
        try:
            found = report_for(request.user, slug, asked)[1]["report"]
            audit.note_report(request.user, project, "agreement")
            return Response(found)
        except TooBusy as busy:
            return Response(body(*busy.problems), status=503, headers={"Retry-After": "30"})
