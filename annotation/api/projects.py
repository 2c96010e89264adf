"""The caller's projects, one project, and its progress."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation import access
from annotation.models import Membership, Participant, Project
from annotation.requests import UserApiRequest
from annotation.selectors.progress import own_progress, progress, resting

ANNOTATOR = Membership.Role.ANNOTATOR


def summary(person: Participant) -> dict[str, Any]:
    """A project as one of its people sees it, with their own progress alone."""
    project = person.project
    roles = person.roles
    return {
        "slug": project.slug,
        "name": project.name,
        "languages": project.languages,
        "roles": [{"role": role, "languages": roles[role]} for role in sorted(roles)],
        "progress": own_progress(person, roles[ANNOTATOR]) if ANNOTATOR in roles else None,
    }


class ProjectsView(APIView):
    @extend_schema(
        operation_id="projects_list", responses={200: OpenApiResponse(description="[project]")}
    )
    def get(self, request: UserApiRequest) -> Response:
        slugs = (
            Project.objects.filter(
                participants__user=request.user, participants__memberships__isnull=False
            )
            .distinct()
            .order_by("id")
            .values_list("slug", flat=True)
        )
        return Response([summary(access.person_in(request.user, slug)) for slug in slugs])


class ProjectView(APIView):
    @extend_schema(responses={200: OpenApiResponse(description="project with labels")})
    def get(self, request: UserApiRequest, slug: str) -> Response:
        person = access.person_in(request.user, slug)
        project = person.project
        fields = ("facet", "code", "name", "description", "rule", "colour", "key")
        labels = [
            {name: getattr(label, name) for name in (*fields, "comment_required", "writable")}
            for label in project.labels.filter(archived=False)
        ]
        mine = summary(person)
        done = mine["progress"] is not None and not mine["progress"]["left"]
        return Response(
            mine
            | {
                "resting": resting(person) if done else 0,
                "labels": labels,
                "guidelines": project.guidelines,
                "per_item": project.per_item,
                "overlap_allowed": project.overlap_allowed,
                "idle_seconds": project.idle_seconds,
            }
        )


class ProgressView(APIView):
    @extend_schema(responses={200: OpenApiResponse(description="{places, languages, people}")})
    def get(self, request: UserApiRequest, slug: str) -> Response:
        found = progress(access.coordinated(request.user, slug))
        kept = ("name", "claimed", "submitted", "reported")
        people = [{name: row[name] for name in kept} for row in found["people"]]
        return Response(found | {"people": people})
