"""``manage.py reset_second_factor USER``: for somebody who lost telephone and recovery codes."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.accounts import reset_second_factor
from annotation.management.refusals import account_named
from annotation.management.tables import TableCommand


class Command(TableCommand):
    help = "Take the second factor and the recovery codes of an account away."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", metavar="USER")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account_named(options["user"])
        if not reset_second_factor(user):
            raise CommandError(f"{user.username} has no second factor.")
        self.stdout.write(f"{user.username}: the password alone opens the account now.")
