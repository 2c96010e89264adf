"""Static files under names that carry their hash, also where one script imports another."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):
    # Otherwise a hashed script asks for its modules by their plain names, and they load twice.
    support_js_module_import_aggregation = True
