"""Where files are kept: in folders beside the database, or in an S3-compatible store."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from deploy.env import env_str

SCHEMES = ("http://", "https://")
FOLDERS = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "jobs": {"BACKEND": "annotation.job_store.LocalFiles"},
}


def file_storages() -> dict[str, dict[str, Any]]:
    """The pictures (``default``) and the files of jobs; with ``S3_BUCKET`` both are in the store.

    Its key is read by the client itself, from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or from
    the machine's role.
    """
    if not env_str("S3_BUCKET"):
        return FOLDERS
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise ImproperlyConfigured(
            "S3_BUCKET needs two packages more: pip install -r requirements-s3.txt"
        )
    prefix = env_str("S3_PREFIX").strip("/")
    below = f"{prefix}/" if prefix else ""
    return {
        # a picture is never written over; a sign of life of a job is
        "default": _s3(f"{below}media", file_overwrite=False),
        "jobs": _s3(f"{below}jobs", file_overwrite=True),
    }


def _s3(location: str, **options: object) -> dict[str, Any]:
    endpoint = env_str("S3_ENDPOINT_URL")
    if endpoint and not endpoint.startswith(SCHEMES):
        raise ImproperlyConfigured("S3_ENDPOINT_URL must begin with http:// or https://")
    return {
        "BACKEND": "annotation.far_store.Store",
        "OPTIONS": {
            "bucket_name": env_str("S3_BUCKET"),
            "endpoint_url": endpoint or None,
            "region_name": env_str("S3_REGION") or None,
            "location": location,
            "signature_version": "s3v4",
            # of a store of one's own the bucket stands in the path, so that one host serves all
            "addressing_style": "path" if endpoint else "virtual",
            "querystring_auth": True,
            "querystring_expire": 60,
            "max_memory_size": 16 << 20,  # what is larger goes to a temporary file
            **options,
        },
    }
