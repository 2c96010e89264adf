from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0005_withheld"),
    ]

    operations = [
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=64, unique=True)),
                ("started_at", models.DateTimeField(auto_now_add=True)),
                ("heartbeat", models.DateTimeField()),
            ],
        ),
    ]
