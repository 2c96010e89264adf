"""Typed readers of the environment: a wrong value is refused with the variable's name."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import NoReturn
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


def env_one_of(name: str, known: tuple[str, ...]) -> str:
    """The variable's value, one of ``known``; the first of them where it is not set."""
    value = os.environ.get(name) or known[0]
    if value not in known:
        raise ImproperlyConfigured(f"{name}={value!r} is none of {', '.join(known)}.")
    return value


def log_format() -> str:
    """``json`` or ``line``: what is set, else JSON where the site is in production."""
    usual = ("json", "line") if env_str("PUBLIC_URL") else ("line", "json")
    return env_one_of("LOG_FORMAT", usual)


def public_url(value: str) -> tuple[str, str, str]:
    """``https://host:port/path`` -> (origin, host as in ``Host``, path without a trailing slash).

    The origin is spelled as browsers send it: lower case, no port where it is the scheme's own.
    """

    def refuse(why: str) -> NoReturn:
        shown = re.sub(r"//[^/]*@", "//***@", value)
        raise ImproperlyConfigured(
            f"PUBLIC_URL={shown!r} {why}; it is such as https://host.example/annotate/."
        )

    if re.search(r"\s", value):
        refuse("has a blank in it")
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        refuse("has a wrong port or host")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        refuse("needs http:// or https:// and a host")
    if "@" in parts.netloc:
        refuse("holds a user name or password")
    if "?" in value or "#" in value:
        refuse("has a query or a fragment")
    if "*" in parts.hostname or "," in value:
        refuse("names more than one address")
    if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*/?", parts.path):
        refuse("has a path of other than plain words between single slashes")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    host = host if host.isascii() else host.encode("idna").decode("ascii")
    own = port in (None, {"http": 80, "https": 443}[parts.scheme])
    return f"{parts.scheme}://{host}{'' if own else f':{port}'}", host, parts.path.rstrip("/")


def own_file(path: Path) -> Path:
    """The path; where nothing is there yet, an empty file that its owner alone reads.

    SQLite gives the files beside its database the same rights. One that is there keeps its own.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
    return path


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
