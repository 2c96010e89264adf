"""``manage.py make_token USER...``: one new API token a line, in the order of the users."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from annotation.actions.people import make_token
from annotation.management.tables import TableCommand
from annotation.models import User


class Command(TableCommand):
    help = "Make an API token for each user; it is shown this once and kept as a hash."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("users", nargs="+", metavar="USER")

    def handle(self, *args: Any, **options: Any) -> None:
        users = {user.username: user for user in User.objects.filter(username__in=options["users"])}
        missing = [name for name in options["users"] if name not in users]
        if missing:
            raise CommandError(f"There is no account {', '.join(missing)}: see add_member.")
        with transaction.atomic():
            tokens = [make_token(users[name]) for name in options["users"]]
        self.stdout.write("\n".join(tokens))
