"""The writing page in a project of 2,000 samples; one JSON object on standard output."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from annotation.models import Project  # noqa: E402
from tests import factories  # noqa: E402
from tests.benchmarks import fill, page, site  # noqa: E402
from writing.actions import samples  # noqa: E402
from writing.models import Brief, Sample  # noqa: E402
from writing.selectors.balance import shares  # noqa: E402

SAMPLES = 2_000
READY = "() => document.documentElement?.dataset.ready === '1'"


def filled() -> tuple[Project, int]:
    """A project with that many submitted samples; the id of a draft among them."""
    made = factories.make_project("written", ("en", "fr"))
    writer = factories.join(made, "written-0", "writer")
    person = made.participants.get(user=writer)
    labels = list(made.labels.filter(writable=True))
    Brief.objects.bulk_create(
        Brief(
            project=made,
            key=f"brief-{n}",
            language="en",
            question=f"What can be seen in picture {n}?",
            context=fill.response(n),
            context_format="plain",
            number=n,
        )
        for n in range(SAMPLES + 1)
    )
    briefs = list(Brief.objects.order_by("number"))
    now = timezone.now()
    Sample.objects.bulk_create(
        Sample(
            project=made,
            brief=brief,
            writer=person,
            language="en",
            state="submitted",
            label=labels[n % len(labels)],
            text=fill.response(n),
            spans=[{"start": 4, "end": 9}],
            version=1,
            saved_at=now,
            submitted_at=now,
        )
        for n, brief in enumerate(briefs[:SAMPLES])
    )
    return made, samples.start(writer, briefs[SAMPLES].pk).pk


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    made, draft = filled()
    with CaptureQueriesContext(connection) as queries:
        start = time.perf_counter()
        shares(made, "en", made.participants.get())
        balance = time.perf_counter() - start
    counting = [query for query in queries if "COUNT" in query["sql"] and "sample" in query["sql"]]
    session = page.cookie("written-0")
    port = int(os.environ["PUBLIC_URL"].rstrip("/").rpartition(":")[2])
    path = f"/p/written/writing/{draft}/"
    with site.served(port), sync_playwright() as playwright:
        browser = page.launch(playwright)
        seen: list[dict[str, Any]] = [
            page.visit(browser, port, session, path, READY) for _ in range(page.ROUNDS)
        ]
        browser.close()
    middle = sorted(seen, key=lambda one: one["ready"])[page.ROUNDS // 2]
    found = middle | {"balance_ms": 1000 * balance, "balance_queries": len(counting)}
    sys.stdout.write(json.dumps({"writing": found}) + "\n")


if __name__ == "__main__":
    main()
