"""Bodies of the API: read up to a limit, and refused in words where they are no JSON."""

from __future__ import annotations

import json
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

MAX_BYTES = 2_000_000


class BodyTooLarge(APIException):
    status_code = 413

    def __init__(self) -> None:
        super().__init__(_("At most %d bytes at once.") % MAX_BYTES)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


class BoundedJSONParser(BaseParser):
    """JSON of at most `MAX_BYTES`: an answer is small, and nobody fills the server's memory."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Any = None) -> Any:
        content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise BodyTooLarge()
        try:
            return json.loads(content, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise ParseError(_("This is not JSON: %s") % error) from None
