"""A writer's sample over HTTP: read, saved as one writes, sent, deleted; and the balance."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import Role, person_in
from annotation.actions.answers import Outcome
from annotation.api.fields import Boolean, Integer, Text
from annotation.errors import Refused
from annotation.requests import UserApiRequest
from writing import access
from writing.actions import samples
from writing.edits import Edit
from writing.models import Sample
from writing.selectors.desk import balance_json, sample_json

PLACES_MAX = 500
COUNT_MAX = 1_000_000
# where on the page a check's finding belongs; the others are about the text
FIELDS = {
    "too_short": "text",
    "text_in_picture": "label",
    "label_gone": "label",
    "same_place": "spans",
}
EDITS = ("large_change", "in_evidence", "repeated_original")


class PlaceIn(serializers.Serializer):
    start = Integer(min_value=0, help_text="First code point.")
    end = Integer(min_value=0, help_text="Code point after the last.")


class EditIn(PlaceIn):
    hallucinated = Text(help_text="What stands there instead.")


class SampleIn(serializers.Serializer):
    label = Text(default=None, allow_null=True, max_length=40)  # type: ignore[assignment]
    text = Text(help_text="Code point for code point; unused in edit mode.")
    spans = PlaceIn(many=True, max_length=PLACES_MAX)  # type: ignore[call-arg]
    correct = Text(default="", help_text="The correct answer that is edited.")
    edits = EditIn(many=True, max_length=PLACES_MAX, default=list)  # type: ignore[call-arg]
    edit_mode = Boolean(default=False)
    question = Text(default="", help_text="Of a translation.")
    untranslatable = Text(default="", help_text="Why it cannot be translated.")
    typed = Integer(default=0, min_value=0, max_value=COUNT_MAX)
    pasted = Integer(default=0, min_value=0, max_value=COUNT_MAX)
    active_ms = Integer(
        default=0, min_value=0, max_value=2**53, help_text="Since the last acknowledged save."
    )
    declared = Boolean(default=False, help_text="Written by oneself, without a model.")
    version = Integer(min_value=0, help_text="The version the change rests on.")
    submit = Boolean(default=False)


def content_of(data: dict[str, Any]) -> samples.Content:
    return samples.Content(
        label=data["label"] or None,
        text=data["text"],
        spans=tuple(sorted((span["start"], span["end"]) for span in data["spans"])),
        correct=data["correct"],
        edits=tuple(
            Edit(edit["start"], edit["end"], edit["hallucinated"]) for edit in data["edits"]
        ),
        edit_mode=data["edit_mode"],
        question=data["question"],
        typed=data["typed"],
        pasted=data["pasted"],
        active_ms=data["active_ms"],
        declared=data["declared"],
        untranslatable=data["untranslatable"],
    )


def advice_json(found: dict[str, str]) -> list[dict[str, str]]:
    """``[{"check", "level", "where", "message"}]``: sentences about what is stored."""
    return [
        {
            "check": check,
            "level": level,
            "where": "edits" if check in EDITS else FIELDS.get(check, "text"),
            "message": samples.words(check),
        }
        for check, level in found.items()
    ]


def _answer(request: UserApiRequest, sample: Sample, found: dict[str, str]) -> Response:
    person = access.writer_in(request.user, sample.project.slug)
    return Response(
        {
            "sample": sample_json(sample),
            "advice": advice_json(found),
            "balance": balance_json(sample.project, sample.language, person),
        }
    )


class SampleView(APIView):
    @extend_schema(
        responses={
            200: OpenApiResponse(description="{sample, advice, balance}"),
            404: OpenApiResponse(description="not one's own; or a translation not begun yet"),
        }
    )
    def get(self, request: UserApiRequest, pk: int) -> Response:
        sample = access.begun_sample_for(request.user, pk)
        return _answer(request, sample, samples.advice_on(sample))

    @extend_schema(
        request=SampleIn,
        responses={
            200: OpenApiResponse(
                description="{sample, advice, balance}; of a draft the advice is without "
                "near-duplicates, which GET has"
            ),
            404: OpenApiResponse(
                description="not one's own; or a free translation, which a PUT begins only when "
                "it changes the version that is stored"
            ),
            409: OpenApiResponse(description="{sample}: the version is not the stored one"),
            422: OpenApiResponse(description="{errors}"),
        },
    )
    def put(self, request: UserApiRequest, pk: int) -> Response:
        body = SampleIn(data=request.data)
        if not body.is_valid():
            access.own_sample_for(request.user, pk)  # a foreign id is 404, whatever the body says
            body.is_valid(raise_exception=True)
        data = body.validated_data
        action = samples.submit if data["submit"] else samples.save
        saved = action(request.user, pk, content_of(data), data["version"])
        if saved.sample.parent_id and (
            saved.outcome is not Outcome.SAVED or saved.sample.writer_id is None
        ):
            access.begun_sample_for(request.user, pk)  # of a free one nothing is shown
        if saved.outcome is Outcome.SAVED:
            return _answer(request, saved.sample, saved.advice)
        return Response({"sample": sample_json(saved.sample)}, status=saved.outcome.value)

    @extend_schema(
        parameters=[OpenApiParameter("version", int, description="The one that was looked at.")],
        responses={
            204: None,
            409: OpenApiResponse(description="{sample}: the version is not the stored one"),
            422: OpenApiResponse(description="{errors}"),
        },
    )
    def delete(self, request: UserApiRequest, pk: int) -> Response:
        gone = samples.delete(request.user, pk, _version(request))
        if gone.outcome is Outcome.SAVED:
            return Response(status=204)
        return Response({"sample": sample_json(gone.sample)}, status=gone.outcome.value)


def _version(request: UserApiRequest) -> int | None:
    """``?version=`` of the address; None where none is named."""
    text = request.query_params.get("version")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused(("version", _("The version is a whole number.")))
    return int(text)


class BalanceView(APIView):
    @extend_schema(
        parameters=[OpenApiParameter("language", str)],
        responses={200: OpenApiResponse(description="balance by label, of all and of one's own")},
    )
    def get(self, request: UserApiRequest, slug: str) -> Response:
        person = person_in(request.user, slug, Role.WRITER, Role.COORDINATOR)
        writes = Role.WRITER in person.roles
        leads = Role.COORDINATOR in person.roles
        languages = person.project.languages if leads else access.languages(person)
        language = request.query_params.get("language", languages[0])
        if language not in languages:
            listed = ", ".join(languages)
            raise Refused(("language", _("Choose one of these languages: %s.") % listed))
        return Response(balance_json(person.project, language, person if writes else None))
