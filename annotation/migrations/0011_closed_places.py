from django.db import migrations, models
from django.db.models import Count, F

PART = 300


def close_surplus(apps, schema_editor):
    """Close the open places, the last first, of items that have more than their project wants."""
    places = apps.get_model("annotation", "Assignment").objects
    items = apps.get_model("annotation", "Item").objects
    counted = items.annotate(count=Count("places")).filter(count__gt=F("project__per_item"))
    surplus = {
        pk: count - wanted
        for pk, count, wanted in counted.values_list("pk", "count", "project__per_item")
    }
    closed = []
    for at in range(0, len(surplus), PART):
        part = list(surplus)[at : at + PART]
        rows = places.filter(item__in=part, state="open").order_by("item", "-ordinal")
        for pk, item in rows.values_list("pk", "item"):
            if surplus[item] > 0:
                surplus[item] -= 1
                closed.append(pk)
    for at in range(0, len(closed), PART):
        places.filter(pk__in=closed[at : at + PART]).update(state="closed")


def open_again(apps, schema_editor):
    apps.get_model("annotation", "Assignment").objects.filter(state="closed").update(state="open")


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0010_log_stays"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="assignment",
            name="place_open_has_no_annotator",
        ),
        migrations.AlterField(
            model_name="assignment",
            name="state",
            field=models.CharField(
                choices=[
                    ("open", "Open"),
                    ("claimed", "Claimed"),
                    ("submitted", "Submitted"),
                    ("reported", "Reported"),
                    ("closed", "Closed"),
                ],
                default="open",
                max_length=9,
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("annotator", None),
                        ("leased_until", None),
                        ("state__in", ["open", "closed"]),
                    ),
                    models.Q(
                        ("annotator__isnull", False),
                        ("state__in", ["claimed", "submitted", "reported"]),
                    ),
                    _connector="OR",
                ),
                name="place_open_has_no_annotator",
            ),
        ),
        # On its way back the closed places are opened before the constraint forbids them.
        migrations.RunPython(close_surplus, open_again),
    ]
