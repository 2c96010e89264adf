"""``manage.py add_member SLUG USER... --role ROLE [--languages en] [--password-stdin]``."""

from __future__ import annotations

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.actions.people import add_member, new_password_link
from annotation.addresses import welcome_address
from annotation.management.refusals import project_named, refusals_as_errors
from annotation.management.tables import TableCommand
from annotation.models import Membership


class Command(TableCommand):
    help = "Give people a role in a project; accounts that are missing are made."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("users", nargs="+", metavar="USER")
        parser.add_argument("--role", required=True, choices=Membership.Role.values)
        parser.add_argument("--languages", default="", metavar="en,fr")
        parser.add_argument(
            "--password-stdin",
            action="store_true",
            help="the password of new accounts is the first line of standard input",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["slug"])
        languages = [code.strip() for code in options["languages"].split(",") if code.strip()]
        password = sys.stdin.readline().rstrip("\r\n") if options["password_stdin"] else None
        if password == "":
            raise CommandError("Standard input holds no password in its first line.")
        lines = []
        with refusals_as_errors(), transaction.atomic():
            for username in options["users"]:
                person, made = add_member(
                    None, project, username, options["role"], languages, password
                )
                line = f"{username}: {options['role']}"
                if made and password is None:
                    address = welcome_address(new_password_link(None, person))
                    line += f", set a password at {address}"
                    line += "" if settings.PRODUCTION else _(" on the address of your site")
                elif not made:
                    line += ", has an account already"
                lines.append(line)
        self.stdout.write("\n".join(lines))
