"""``manage.py invite SLUG --role ROLE [--languages en] [--days 14] [--count 1]``: links."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from annotation.actions.invitations import make_invitations
from annotation.addresses import invitation_address
from annotation.management.refusals import project_named, refusals_as_errors
from annotation.management.tables import TableCommand
from annotation.models import Membership


class Command(TableCommand):
    help = "Make links with which people join a project; each works once and is shown this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--role", required=True, choices=Membership.Role.values)
        parser.add_argument("--languages", default="", metavar="en,fr")
        parser.add_argument("--days", type=int, default=14, help="how long it can be used (14)")
        parser.add_argument("--count", type=int, default=1, help="how many links (1)")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["slug"])
        languages = [code.strip() for code in options["languages"].split(",") if code.strip()]
        with refusals_as_errors():
            secrets = make_invitations(
                None, project, options["role"], languages, options["days"], options["count"]
            )
        if not settings.PRODUCTION:
            self.stderr.write("Put the address of your site before each.", lambda text: text)
        self.stdout.write("\n".join(invitation_address(secret) for secret in secrets))
