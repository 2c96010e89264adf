"""What versions and translations of one text share, and drafts that were taken away."""

import django.db.models.deletion
from django.db import migrations, models

STATES = [
    ("draft", "Draft"),
    ("submitted", "Submitted"),
    ("returned", "Returned"),
    ("accepted", "Accepted"),
    ("published", "Published"),
    ("superseded", "Replaced by a newer version"),
    ("deleted", "Deleted"),
    ("taken", "Taken away"),
]
# They look at roots and states, which the next step mends; the step after it adds the new ones.
CONSTRAINTS = (
    "sample_brief_once",
    "sample_translation_once",
    "sample_translation_has_parent",
    "sample_sent_is_whole",
)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0005_withheld"),
        ("writing", "0002_returned_drafts_and_new_translations"),
    ]

    operations = [
        migrations.AlterModelOptions("brief", {"verbose_name_plural": "briefs"}),
        migrations.AlterModelOptions("sample", {"verbose_name_plural": "samples"}),
        migrations.AddField(
            "sample",
            "family",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="relatives",
                to="writing.sample",
            ),
        ),
        migrations.AddField(
            "sample",
            "stale",
            models.BooleanField(
                default=False,
                help_text="A newer version has replaced the source of this translation.",
            ),
        ),
        migrations.AlterField(
            "sample", "state", models.CharField(choices=STATES, default="draft", max_length=10)
        ),
        *(migrations.RemoveConstraint("sample", name) for name in CONSTRAINTS),
    ]
