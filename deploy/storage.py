"""Static files under names that carry their hash, and each page's modules as one script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from deploy.joined import joined

# The scripts that pages name; each takes the place of the modules it imports.
PAGES = (
    "js/label/main.js",
    "js/writing/home.js",
    "js/writing/main.js",
    "js/writing-translate/main.js",
)


class HashedModules(CompressedManifestStaticFilesStorage):
    # Otherwise a hashed script asks for its modules by their plain names, and they load twice.
    support_js_module_import_aggregation = True

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Join the pages' scripts, from the sources, before the files get their names."""

        def read(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode())

        for name in () if dry_run else PAGES:
            text = joined(name, read)
            self.delete(name)
            self._save(name, ContentFile(text.encode()))
            paths[name] = (self, name)
        yield from super().post_process(paths, dry_run, **options)
