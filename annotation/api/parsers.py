"""Bodies of the API: read up to a limit, and refused in words where they are no JSON."""

from __future__ import annotations

import json
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

from annotation.formats.broken import why

MAX_BYTES = 2_000_000


class BodyTooLarge(APIException):
    status_code = 413

    def __init__(self) -> None:
        super().__init__(_("At most %d bytes at once.") % MAX_BYTES)


class NoNumber(ValueError):
    """NaN or an infinity stands where JSON has numbers."""


def _no_number(name: str) -> None:
    raise NoNumber(name)


class BoundedJSONParser(BaseParser):
    """JSON of at most `MAX_BYTES`: an answer is small, and nobody fills the server's memory."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Any = None) -> Any:
        content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise BodyTooLarge()
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ParseError(_("This is not UTF-8.")) from None
        try:
            return json.loads(text, parse_constant=_no_number)
        except NoNumber as error:
            raise ParseError(_("%s is no JSON number.") % error) from None
        except (ValueError, RecursionError) as error:
            reason, line = why(error, text)
            values = {"line": line, "reason": reason}
            raise ParseError(_("This is not JSON, line %(line)d: %(reason)s.") % values) from None
