"""Claiming a place and saving the annotation in it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation import access
from annotation.actions import answers, places, reports
from annotation.api.fields import Boolean, Integer, Text
from annotation.markdown import render
from annotation.models import Annotation, Assignment, Item
from annotation.records import REASON_MAX, Answer, SpanRecord, span_json
from annotation.requests import UserApiRequest
from annotation.selectors.answers import answer_of

COMMENT_MAX = 10_000
SPANS_MAX = 2_000


class SpanIn(serializers.Serializer):
    start = Integer(min_value=0, help_text="First code point.")
    end = Integer(min_value=0, help_text="Code point after the last.")
    label = Text(max_length=40)  # type: ignore[assignment]  # a Field's own text in the stubs
    sublabel = Text(max_length=40, required=False, allow_null=True)


class AnswerIn(serializers.Serializer):
    spans = SpanIn(many=True, max_length=SPANS_MAX)  # type: ignore[call-arg]  # many=True takes it
    comment = Text(default="", max_length=COMMENT_MAX, allow_null=True)
    no_hallucination = Boolean(default=False)
    version = Integer(min_value=0, help_text="The version the change rests on.")
    active_ms = Integer(
        default=0, min_value=0, max_value=2**53, help_text="Since the last acknowledged save."
    )
    submit = Boolean(default=False)


class ClaimIn(serializers.Serializer):
    after = Integer(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=2**63 - 1,
        help_text="The place on screen.",
    )


class ReportIn(serializers.Serializer):
    reason = Text(max_length=REASON_MAX)


def annotation_json(annotation: Annotation, answer: Answer, response: str) -> dict[str, Any]:
    """The contract's ``annotation``; quotes are cut here, by code points."""

    def spans(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [value | {"quote": response[value["start"] : value["end"]]} for value in values]

    draft = annotation.draft
    return {
        "version": annotation.version,
        "state": annotation.state,
        "spans": spans([span_json(span) for span in answer.spans]),
        "comment": answer.comment,
        "no_hallucination": answer.no_hallucination,
        "active_ms": annotation.active_ms,
        "submitted_at": annotation.submitted_at.isoformat() if annotation.submitted_at else None,
        "draft": draft and draft | {"spans": spans(draft["spans"])},
    }


def assignment_json(annotation: Annotation) -> dict[str, Any]:
    """The contract's ``assignment``: nothing in it tells where the item came from."""
    place, item = annotation.place, annotation.item
    assert place is not None  # noqa: S101 - the gate lets no other through
    mine = place.annotator_id == annotation.annotator_id
    value = {
        "key": item.key,
        "language": item.language,
        "question": item.question,
        "response": item.response,
        "image_url": reverse("image", args=[item.pk]) if item.image_id else None,
        "context": item.context,
        "context_format": item.context_format,
    }
    if item.context and item.context_format == "markdown":
        value["context_html"] = render(item.context)
    rests = mine and place.state == Assignment.State.CLAIMED and item.state != Item.State.ACTIVE
    # said where it is so alone: the item was held or retired meanwhile
    resting = {"resting": True} if rests else {}
    return resting | {
        "id": place.pk,
        "state": place.state if mine else "lost",
        "leased_until": place.leased_until.isoformat() if mine and place.leased_until else None,
        "item": value,
        "annotation": annotation_json(annotation, answer_of(annotation), item.response),
    }


class ClaimView(APIView):
    @extend_schema(
        request=ClaimIn, responses={200: OpenApiResponse(description="assignment"), 204: None}
    )
    def post(self, request: UserApiRequest, slug: str) -> Response:
        body = ClaimIn(data=request.data)
        body.is_valid(raise_exception=True)
        annotation = places.claim(request.user, slug, body.validated_data.get("after"))
        return Response(status=204) if annotation is None else Response(assignment_json(annotation))


class AssignmentView(APIView):
    @extend_schema(responses={200: OpenApiResponse(description="assignment")})
    def get(self, request: UserApiRequest, pk: int) -> Response:
        return Response(assignment_json(access.assignment_for(request.user, pk)[1]))

    @extend_schema(
        request=AnswerIn,
        responses={
            200: OpenApiResponse(description="annotation"),
            409: OpenApiResponse(description="{annotation}: the version is not the stored one"),
            410: OpenApiResponse(description="{annotation}: stored as set aside"),
            422: OpenApiResponse(description="{errors}"),
        },
    )
    def put(self, request: UserApiRequest, pk: int) -> Response:
        body = AnswerIn(data=request.data)
        if not body.is_valid():
            access.check_assignment(request.user, pk)  # a foreign id is 404, whatever the body says
            body.is_valid(raise_exception=True)
        data = body.validated_data
        spans = tuple(
            SpanRecord(span["start"], span["end"], span["label"], span.get("sublabel"))
            for span in data["spans"]
        )
        saved = answers.save(
            request.user,
            pk,
            Answer(spans, data["comment"] or "", data["no_hallucination"]),
            data["version"],
            data["active_ms"],
            data["submit"],
        )
        value = annotation_json(saved.annotation, saved.answer, saved.annotation.item.response)
        if saved.outcome is answers.Outcome.SAVED:
            return Response(value)
        return Response({"annotation": value}, status=saved.outcome.value)


class ReportView(APIView):
    @extend_schema(
        request=ReportIn, responses={200: OpenApiResponse(description="the reported state")}
    )
    def post(self, request: UserApiRequest, pk: int) -> Response:
        access.assignment_for(request.user, pk)
        body = ReportIn(data=request.data)
        body.is_valid(raise_exception=True)
        annotation = reports.report(request.user, pk, body.validated_data["reason"])
        return Response({"state": Assignment.State.REPORTED, "version": annotation.version})
