from django.db import migrations

# SQLite deletes the old row of an INSERT OR REPLACE without asking the trigger of a deletion.
SQLITE = """CREATE TRIGGER audit_no_replace BEFORE INSERT ON annotation_auditevent
    WHEN EXISTS (SELECT 1 FROM annotation_auditevent WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'the audit log takes new rows alone'); END"""
POSTGRESQL = """CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON annotation_auditevent
    FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only()"""


def add_triggers(apps, schema_editor):
    """SQLite drops them with the table when a later migration remakes it: then add them again."""
    known = {"sqlite": SQLITE, "postgresql": POSTGRESQL}
    if statement := known.get(schema_editor.connection.vendor):
        schema_editor.execute(statement, params=None)


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER audit_no_replace")
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER audit_no_truncate ON annotation_auditevent")


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0009_who_asked_before"),
    ]

    operations = [
        migrations.RunPython(add_triggers, drop_triggers),
    ]
