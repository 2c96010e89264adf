"""What rests on a replaced version says so; machines' texts of older ones do not count."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def mark(apps: StateApps, schema: BaseDatabaseSchemaEditor) -> None:
    """Mark what rests on a replaced version; free ones that are marked keep the text alone."""
    live = apps.get_model("writing", "Sample").objects.exclude(
        state__in=["deleted", "superseded", "taken"]
    )
    live.filter(root__state="superseded", stale=False).update(stale=True)
    live.filter(parent__isnull=False, writer=None, stale=True).update(machine="")


class Migration(migrations.Migration):
    dependencies = [("writing", "0005_one_translation_a_family")]
    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
