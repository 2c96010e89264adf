"""The site's settings for tests: throw-away folders, a fast hasher, jobs at once."""

import os
import tempfile

os.environ.setdefault("SHEEPFOLD_DATA", tempfile.mkdtemp(prefix="sheepfold-test-"))

from deploy.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}
WHITENOISE_AUTOREFRESH = True
if "sqlite" in DATABASES["default"]["ENGINE"]:  # noqa: F405
    # A file, since threads at once need a connection each.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}  # noqa: F405
