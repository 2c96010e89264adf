"""What one annotator has done and still has to do, counted exactly and at little cost.

The labelling page asks with every item it shows. Asking of every open place whether it is barred to
the person costs more the larger the project is; so what nobody has touched is counted as a whole
from an index, and the rule is asked of the few items alone that are begun, or barred to the person.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.utils import timezone

from annotation.models import Participant
from annotation.selectors.barred import not_barred, not_listed

# Numbers stand in the text, and not as parameters: SQLite uses a partial index for them alone.
UNTOUCHED = """
    p.project_id = %(project)s AND p.language IN ({languages})
    AND p.offered = 1 AND p.begun = 0 AND p.ordinal = 1 AND p.state = 'open'
"""
# Items that somebody has begun, with a place that is free now.
BEGUN = """
    SELECT p.item_id FROM annotation_assignment p
    WHERE p.project_id = %(project)s AND p.language IN ({languages})
      AND p.offered = 1 AND p.begun = 1 AND p.state = 'open'
    UNION
    SELECT p.item_id FROM annotation_assignment p
    WHERE p.project_id = %(project)s AND p.language IN ({languages})
      AND p.offered = 1 AND p.state = 'claimed' AND p.leased_until < %(now)s
"""
# What `not_barred` refuses of the untouched items. Who had an answer there has it set aside.
BARRED = """
    SELECT a.item_id FROM annotation_annotation a
    WHERE a.annotator_id = %(person)s AND a.state = 'set_aside'
    UNION
    SELECT i.id FROM annotation_item i
    WHERE i.project_id = %(project)s AND i.author = %(pseudonym)s AND length(i.author) <= 200
    UNION
    SELECT w.item_id FROM annotation_withheld w WHERE w.participant_id = %(person)s
"""
# Each looked up by itself, and by its item alone: the sums keep PostgreSQL, where its statistics
# are old, from reading all untouched places for each of them.
BARRED_UNTOUCHED = f"""
    SELECT COUNT(*) FROM ({BARRED}) b WHERE 1 = (
        SELECT 1 FROM annotation_assignment p
        WHERE p.item_id = b.item_id AND p.ordinal = 1 AND p.project_id + 0 = %(project)s
          AND p.language IN ({{languages}})
          AND p.offered = 1 AND p.begun + 0 = 0 AND p.state = 'open')
"""  # noqa: S608
SUBMITTED = """
    SELECT COUNT(*) FROM annotation_annotation a
    JOIN annotation_assignment p ON p.item_id = a.item_id AND p.annotator_id = a.annotator_id
    JOIN annotation_item i ON i.id = a.item_id
    WHERE a.annotator_id = %(person)s AND a.submitted_at IS NOT NULL
      AND p.state = 'submitted' AND i.state <> 'retired'
"""
HELD = """
    SELECT COUNT(*) FROM annotation_assignment p
    WHERE p.annotator_id = %(person)s AND p.state = 'claimed' AND p.offered = 1
"""
# In one query, since a claim may come between two.
COUNTS = f"""
    SELECT
        ({SUBMITTED}),
        ({HELD}),
        (SELECT COUNT(*) FROM annotation_assignment p WHERE {UNTOUCHED}),
        ({BARRED_UNTOUCHED}),
        (SELECT COUNT(*) FROM ({BEGUN}) f WHERE {{may}})
"""  # noqa: S608 - the text is ours, what comes from outside is a parameter


def counts_of(person: Participant, languages: Sequence[str]) -> dict[str, int]:
    """``{"submitted", "claimed", "left"}``; ``left`` counts items: free for the person, or held."""
    values: dict[str, Any] = {f"language{at}": language for at, language in enumerate(languages)}
    query = COUNTS.format(
        languages=", ".join(f"%({name})s" for name in values) or "NULL",
        may=not_listed("f.item_id", "%(person)s")
        + "AND"
        + not_barred("f.item_id", "%(person)s", "%(pseudonym)s"),
    )
    values |= {
        "project": person.project_id,
        "person": person.pk,
        "pseudonym": person.pseudonym,
        "now": connection.ops.adapt_datetimefield_value(timezone.now()),
    }
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        submitted, held, untouched, barred, begun = cursor.fetchone()
    return {"submitted": submitted, "claimed": held, "left": untouched - barred + begun + held}
