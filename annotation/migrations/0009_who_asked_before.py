import hashlib

from django.db import migrations


def fill(apps, schema_editor):
    """Jobs act for whoever made them; of a link the log knows who made it, for whom."""
    job, link, event, user, person = (
        apps.get_model("annotation", name)
        for name in ("Job", "PasswordLink", "AuditEvent", "User", "Participant")
    )
    for row in job.objects.exclude(made_by=None).only("made_by_id").iterator():
        job.objects.filter(pk=row.pk).update(asked_by_id=row.made_by_id)
    for row in link.objects.select_related("user"):
        made = event.objects.filter(kind="password_link.made", subject_id=row.user_id)
        last = made.order_by("-id").first()
        alive = (
            last is not None
            and person.objects.filter(pk=last.subject_person_id).exists()
            and (last.actor_id is None or user.objects.filter(pk=last.actor_id).exists())
        )
        if not alive:
            row.delete()  # nobody knows any more what it rests on: a new one is made at once
            continue
        over = hashlib.sha256(row.user.password.encode()).hexdigest()
        link.objects.filter(pk=row.pk).update(
            person_id=last.subject_person_id, made_by_id=last.actor_id, over=over
        )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0008_who_asked"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
