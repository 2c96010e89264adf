"""Pseudonyms: a keyed hash of the account, so that nobody without the key finds the person."""

from __future__ import annotations

import base64
import hashlib
import hmac


def pseudonym(key: str, name: str) -> str:
    """43 characters: base64url, without padding, of HMAC-SHA256 of ``name`` under ``key``.

    One that would begin with ``-`` begins with ``_``: a spreadsheet would take it for a formula.
    """
    digest = hmac.new(key.encode(), name.encode(), hashlib.sha256).digest()
    name = base64.urlsafe_b64encode(digest).decode("ascii").rstrip("=")
    return "_" + name[1:] if name.startswith("-") else name
