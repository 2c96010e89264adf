"""A text has one translation into a language, whichever of its versions was translated."""

from django.db import migrations, models
from django.db.models import CheckConstraint, Q, UniqueConstraint

GONE = ["deleted", "superseded"]
NAMES = (
    "sample_brief_once",
    "sample_translation_once",
    "sample_translation_has_parent",
    "sample_sent_is_whole",
)


def constraint(name: str) -> models.BaseConstraint:
    gone = [*GONE, "taken"]
    return {
        "sample_brief_once": UniqueConstraint(
            fields=["brief", "writer", "language"],
            name=name,
            condition=Q(parent=None, replaces=None) & ~Q(state__in=gone),
        ),
        "sample_translation_once": UniqueConstraint(
            fields=["family", "language"],
            name=name,
            condition=Q(parent__isnull=False, replaces=None) & ~Q(state__in=gone),
        ),
        "sample_translation_has_parent": CheckConstraint(
            name=name,
            condition=Q(
                origin="translated",
                parent__isnull=False,
                root__isnull=False,
                family__isnull=False,
            )
            | (~Q(origin="translated") & Q(parent=None, root=None, stale=False)),
        ),
        "sample_sent_is_whole": CheckConstraint(
            name=name,
            condition=Q(state__in=["draft", "returned", "deleted", "taken"])
            | ~Q(untranslatable="")
            | (Q(label__isnull=False) & ~Q(text="")),
        ),
    }[name]


class Migration(migrations.Migration):
    dependencies = [("writing", "0004_fill_families")]

    operations = [migrations.AddConstraint("sample", constraint(name)) for name in NAMES]
