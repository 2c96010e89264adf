"""The S3-compatible store of pictures and uploads: asked with an end, and its faults in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    CredentialRetrievalError,
    NoCredentialsError,
    PartialCredentialsError,
)
from s3transfer.exceptions import RetriesExceededError
from storages.backends.s3 import S3Storage

from annotation.trouble import StoreAway

CONNECT, READ, ATTEMPTS = 3, 10, 2  # seconds to connect, of silence; how often in all
PROBE = Config(connect_timeout=2, read_timeout=3, retries={"total_max_attempts": 1})
LIMITS = Config(
    connect_timeout=CONNECT,
    read_timeout=READ,
    retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
)
NO_KEY = (NoCredentialsError, PartialCredentialsError, CredentialRetrievalError)
REFUSED = (401, 403)
ELSEWHERE = (301, 302, 303, 307, 308)
FAULTS = (BotoCoreError, ClientError, Boto3Error, RetriesExceededError)


class Store(S3Storage):
    """Every fault of the store but a missing file is a `StoreAway`."""

    client_config: Config

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        made: Config = self.client_config  # from the options of the settings
        self.client_config = made.merge(LIMITS)
        self.transfer_config = TransferConfig(num_download_attempts=ATTEMPTS)

    def _create_session(self) -> Any:
        session = super()._create_session()
        session.events.register("before-call.s3.HeadBucket", _unasked)
        return session

    def _open(self, name: str, mode: str = "rb") -> Any:
        with self._told(name):
            file = super()._open(name, mode)
            if "r" in mode:
                file.open()  # fetched whole now: whoever reads on meets no fault of the store
            return file

    def _save(self, name: str, content: Any) -> str:
        with self._told():
            return str(super()._save(name, content))

    def delete(self, name: str) -> None:
        with self._told():
            super().delete(name)

    def exists(self, name: str) -> bool:
        with self._told():
            return bool(super().exists(name))

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with self._told():
            folders, files = super().listdir(name)
            return folders, files

    def size(self, name: str) -> int:
        with self._told():
            return int(super().size(name))

    def get_modified_time(self, name: str) -> datetime:
        with self._told(name):
            found: datetime = super().get_modified_time(name)
            return found

    def url(self, name: str, *args: Any, **options: Any) -> str:
        with self._told():  # it asks nobody, and needs the key
            return str(super().url(name, *args, **options))

    def ready(self) -> None:
        """Whether the bucket is there and may be listed, soon; a probe does not wait long."""
        with self._told():
            self._probe.list_objects_v2(Bucket=self.bucket_name, MaxKeys=1)

    @cached_property
    def _probe(self) -> Any:
        return self._create_session().client(
            "s3",
            region_name=self.region_name,
            endpoint_url=self.endpoint_url,
            config=self.client_config.merge(PROBE),
        )

    @contextmanager
    def _told(self, name: str = "") -> Iterator[None]:
        """Turn a fault of the client into `StoreAway`; a missing ``name`` is no fault of it."""
        try:
            yield
        except FAULTS as error:
            cause = _cause(error)
            status, code = _status(cause)
            if name and status == 404 and code != "NoSuchBucket":
                raise FileNotFoundError(name) from None
            raise StoreAway(f"{self._named()} {_said(cause, status, code)}") from error

    def _named(self) -> str:
        host = urlsplit(self.endpoint_url or "").netloc.rpartition("@")[2] or "Amazon"
        return f"The store of pictures (bucket {self.bucket_name} at {host})"


def _unasked(**_: Any) -> None:
    """Of a redirect that names no region the client would ask the bucket, be redirected, and so on.

    The site itself never asks that; without an answer the client tells of the redirect.
    """
    answer = {"ResponseMetadata": {"HTTPStatusCode": 404, "HTTPHeaders": {}}, "Error": {}}
    raise ClientError(answer, "HeadBucket")


def _cause(error: BaseException) -> BaseException:
    """A download that was tried several times wraps the client's own error."""
    return error.last_exception if isinstance(error, RetriesExceededError) else error


def _status(error: BaseException) -> tuple[int, str]:
    """The store's status and its code for the fault; (0, '') where it gave no answer."""
    if not isinstance(error, ClientError):
        return 0, ""
    status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    code = str(error.response.get("Error", {}).get("Code", ""))
    return status, code if re.fullmatch(r"[A-Za-z0-9.]{1,60}", code) else ""


def _said(error: BaseException, status: int, code: str) -> str:
    """What is wrong and what mends it, without the store's own words."""
    if isinstance(error, NO_KEY):
        return "needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    if code == "NoSuchBucket":
        return "has no such bucket: make it, or set S3_BUCKET to the right one"
    if status in REFUSED:
        return (
            f"refuses the site ({_numbered(status, code)}): look at AWS_ACCESS_KEY_ID, "
            "AWS_SECRET_ACCESS_KEY, what that key may do in the bucket, and at this machine's clock"
        )
    if status in ELSEWHERE:
        return (
            f"sends the site elsewhere ({_numbered(status, code)}): set S3_ENDPOINT_URL and "
            "S3_REGION to those of the bucket"
        )
    if status:
        return f"answers with an error ({_numbered(status, code)}): look at the store's own log"
    kind = type(error).__name__
    return f"does not answer ({kind}): look whether it runs and whether S3_ENDPOINT_URL is right"


def _numbered(status: int, code: str) -> str:
    return f"{status} {code}" if code and code != str(status) else str(status)
