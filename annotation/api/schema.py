"""What the OpenAPI schema says besides the views: who may ask, and how one is refused."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.views import SpectacularJSONAPIView

from annotation.converters import BIGGEST

# status -> (why, which operations may answer it)
REFUSALS: dict[str, tuple[str, str]] = {
    "400": ("The body is not what its type says.", "body"),
    "401": ("No valid token and no session.", "any"),
    "403": ("The role does not allow this, or the session's CSRF token is missing.", "any"),
    "404": ("There is no such thing, or it is none of the caller's.", "path"),
    "406": ("No such representation: the answer is JSON.", "any"),
    "413": ("The body is too large.", "body"),
    "415": ("A body of this type is not read.", "body"),
    "422": ("A value is refused.", "given"),
}
ID = {"type": "integer", "minimum": 0, "maximum": BIGGEST}
ERRORS = {
    "type": "object",
    "required": ["errors"],
    "properties": {
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["where", "message"],
                "properties": {"where": {"type": "string"}, "message": {"type": "string"}},
            },
        }
    },
}


class SchemaView(SpectacularJSONAPIView):
    """The schema, for whoever has an account."""


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "annotation.api.auth.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "The word Token, a blank, and the token.",
        }


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "annotation.api.auth.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        from django.conf import settings

        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


def with_refusals(result: dict[str, Any], **others: Any) -> dict[str, Any]:
    """Every operation may refuse; the answer has one shape everywhere."""
    result.setdefault("components", {}).setdefault("schemas", {})["Errors"] = ERRORS
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Errors"}}}
    for path, operations in result["paths"].items():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path" and parameter["name"] == "id":
                    parameter["schema"] = ID
            body = "requestBody" in operation
            fits = {
                "any": True,
                "body": body,
                "path": "{" in path,
                "given": body or any(p["in"] == "query" for p in operation.get("parameters", ())),
            }
            for status, (why, which) in REFUSALS.items():
                if fits[which]:
                    said = operation["responses"].setdefault(status, {"description": why})
                    if status != "422" or "content" not in said:
                        said.setdefault("content", content)
    return result
