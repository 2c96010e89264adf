"""Pseudonyms: a keyed hash of the account, so that nobody without the key finds the person."""

from __future__ import annotations

import base64
import hashlib
import hmac


def pseudonym(key: str, name: str) -> str:
    """43 characters: base64url, without padding, of HMAC-SHA256 of ``name`` under ``key``."""
    digest = hmac.new(key.encode(), name.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode("ascii").rstrip("=")
