from django.db import migrations

# The count of what is left reads an index alone where PostgreSQL has vacuumed the places since they
# were changed; by its own measure that is after a fifth of all, which is days of work.
SET = """
ALTER TABLE annotation_assignment SET (
    autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_insert_scale_factor = 0.005,
    autovacuum_analyze_scale_factor = 0.02)
"""
RESET = """
ALTER TABLE annotation_assignment RESET (
    autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor,
    autovacuum_analyze_scale_factor)
"""


def on_postgresql(statement):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("annotation", "0011_closed_places")]
    operations = [migrations.RunPython(on_postgresql(SET), on_postgresql(RESET))]
