"""``manage.py make_demo``: the demo project with accounts to try; a second run changes nothing."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from annotation.actions.demo import PASSWORD, SLUG, accounts, make_demo
from annotation.management.refusals import refusals_as_errors
from annotation.management.tables import TableCommand


class Command(TableCommand):
    help = "Make the demo project with its accounts; refused on a site in production."

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_errors():
            made = make_demo()
        state = "is made" if made else "is there already"
        lines = [f"The demo project {state}, at {reverse('project', args=[SLUG])}. Log in as:"]
        lines += [f"  {name:<12} password  {PASSWORD}" for name in accounts()]
        self.stdout.write("\n".join(lines))
