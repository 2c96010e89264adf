"""Queue an import of one row: ``python -m tests.deploy.enqueue``; says the job's id."""

from __future__ import annotations

import sys

import django

if __name__ == "__main__":
    django.setup()
    from django.core.files.uploadedfile import SimpleUploadedFile

    from annotation.actions.jobs import start_import
    from annotation.models import Project
    from tests import factories

    project = Project.objects.first() or factories.make_project()
    coordinator = factories.join(project, f"by-{project.jobs.count()}", "coordinator")
    row = b'{"key": "one", "language": "en", "response": "Two white sheep."}\n'
    file = SimpleUploadedFile("items.jsonl", row)
    sys.stdout.write(str(start_import(coordinator, project, file, None, "jsonl", {}).pk))
