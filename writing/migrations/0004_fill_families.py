"""Families of what is stored, one translation for each language, and who has seen the error."""

from collections import defaultdict

from django.db import migrations

GONE = ("deleted", "superseded")


def fill(apps, schema_editor):
    Sample = apps.get_model("writing", "Sample")
    samples = {sample.pk: sample for sample in Sample.objects.order_by("pk")}
    for sample in samples.values():
        first = samples[sample.root_id or sample.pk]
        while first.replaces_id and not first.parent_id:
            first = samples[first.replaces_id]
        sample.family_id = None if first.pk == sample.pk else first.pk
    newest = {}
    for sample in samples.values():
        first = sample.replaces_id is None and sample.state == "accepted"
        if sample.parent_id is None and (first or sample.state == "published"):
            newest[sample.family_id or sample.pk] = sample
    live = defaultdict(list)
    for sample in samples.values():
        if sample.parent_id is None or sample.state in GONE:
            continue
        source = newest.get(sample.family_id)
        if sample.writer_id is None and source is not None:
            moved = sample.root_id != source.pk
            sample.root_id = sample.parent_id = source.pk
            sample.label_id = source.label_id
            sample.stale = bool(sample.text) and moved
        else:
            sample.stale = samples[sample.root_id].state == "superseded"
        if sample.replaces_id is None:
            live[sample.family_id, sample.language].append(sample)
    for found in live.values():
        _one(apps, samples, found)
    Sample.objects.bulk_update(
        samples.values(),
        ["family", "stale", "root", "parent", "label", "state", "replaces"],
        batch_size=200,
    )
    _withhold(apps, samples.values())


def _one(apps, samples, found):
    """Of several translations of one text the later becomes a new version of the earlier."""
    begun = [sample for sample in found if sample.writer_id]
    for sample in found:
        if sample.writer_id is None and (begun or sample is not found[0]):
            sample.state = "deleted"
    newer = {sample.replaces_id: sample for sample in samples.values() if sample.replaces_id}
    for older, sample in zip(begun, begun[1:], strict=False):
        while older.pk in newer:
            older = newer[older.pk]
        sample.replaces_id = older.pk
        newer[older.pk] = sample
        if sample.state == "published" and older.state == "published":
            older.state = "superseded"
            items = apps.get_model("annotation", "Item").objects.filter(pk=older.item_id)
            items.update(state="retired")
            places = apps.get_model("annotation", "Assignment").objects
            places.filter(item=older.item_id).update(offered=0)


def _withhold(apps, samples):
    Withheld = apps.get_model("annotation", "Withheld")
    items, people = defaultdict(set), defaultdict(set)
    for sample in samples:
        head = sample.family_id or sample.pk
        if sample.item_id:
            items[head].add(sample.item_id)
        if sample.writer_id:
            people[head].add(sample.writer_id)
    Withheld.objects.bulk_create(
        [
            Withheld(item_id=item, participant_id=person)
            for head in items
            for item in sorted(items[head])
            for person in sorted(people[head])
        ],
        batch_size=500,
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    dependencies = [("writing", "0003_sample_family")]

    # Back again nothing is undone: the columns go, and who is withheld stays so.
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
