import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_counts_of_what_is_left"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="asked_by",
            field=models.ForeignKey(
                help_text="Who started it, or ran it again last: it acts in their name.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="passwordlink",
            name="made_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="passwordlink",
            name="over",
            field=models.CharField(default="", max_length=64),
        ),
        migrations.AddField(
            model_name="passwordlink",
            name="person",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="annotation.participant",
            ),
        ),
    ]
