"""``manage.py erase_account USER``: the person's data go, the work stays under the pseudonyms."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.accounts import erase_account
from annotation.management.refusals import account_named, refusals_as_errors
from annotation.management.tables import TableCommand


class Command(TableCommand):
    help = "Erase an account; annotations and samples stay under the pseudonyms."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", metavar="USER")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account_named(options["user"])
        with refusals_as_errors():
            erase_account(None, user)
        self.stdout.write("The account is erased.")
