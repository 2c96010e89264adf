"""Commands that need the database's tables, and say so where there are none."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, OperationalError, ProgrammingError, connection
from django.utils.translation import gettext as _

from annotation.models import Project
from annotation.trouble import StoreAway


class TableCommand(BaseCommand):
    """A command that ends in one line without tables, or without the store of pictures."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (OperationalError, ProgrammingError):
            if _has_tables():
                raise
            message = _("The database has no tables yet: run `manage.py migrate`.")
            raise CommandError(message) from None
        except StoreAway as away:
            raise CommandError(_("%s. The database was not changed.") % away) from None


def _has_tables() -> bool:
    """Also true where the database cannot be asked: then that is the fault to be shown."""
    try:
        return Project._meta.db_table in connection.introspection.table_names()
    except DatabaseError:
        return True
