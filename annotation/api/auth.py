"""Who is asking: a token (kept as its SHA-256) or the session."""

from __future__ import annotations

from rest_framework import authentication, exceptions
from rest_framework.request import Request

from annotation.actions.people import digest
from annotation.models import User
from annotation.selectors.asked import users_of_token


class TokenAuthentication(authentication.BaseAuthentication):
    keyword = "Token"

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        words = authentication.get_authorization_header(request).split()
        if not words or words[0].lower() != b"token":
            return None
        if len(words) != 2:
            raise exceptions.AuthenticationFailed()
        for user in users_of_token(digest(words[1].decode("latin-1"))):
            return user, None
        raise exceptions.AuthenticationFailed()

    def authenticate_header(self, request: Request) -> str:
        return self.keyword


class SessionAuthentication(authentication.SessionAuthentication):
    """A missing or dead session answers 401, so that the page can ask for a new login."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"
