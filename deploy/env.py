"""Typed readers of the environment: a wrong value is refused with the variable's name."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE, FALSE = {"1", "true", "yes", "on"}, {"", "0", "false", "no", "off"}


def env_str(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def env_bool(name: str, default: bool = False) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    if value.strip().lower() in TRUE | FALSE:
        return value.strip().lower() in TRUE
    raise ImproperlyConfigured(f"{name}={value!r} is neither 1 nor 0.")


def env_int(name: str, default: int) -> int:
    value = os.environ.get(name)
    try:
        return default if value is None else int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number.") from None


def public_url(value: str) -> tuple[str, str, str]:
    """``https://host:port/path`` -> (origin, host without port, path without a trailing slash)."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ImproperlyConfigured(
            f"PUBLIC_URL={value!r} needs scheme and host, such as https://host.example/annotate/."
        )
    return f"{parts.scheme}://{parts.netloc}", parts.hostname, parts.path.rstrip("/")


def kept_secret(folder: Path) -> str:
    """The key in ``folder/secret_key``, made on the first call; the file is its owner's alone."""
    path = folder / "secret_key"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        key = secrets.token_urlsafe(50)
        file.write(key)
    return key
