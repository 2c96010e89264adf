"""Open places that no member can fill: everybody's work is done, and the items are not."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from annotation.models import Item, Membership, Project

SHOWN = 5

# The rule is that of `annotation.selectors.barred`, asked of all items at once: whoever had an
# answer on the item, wrote it or saw its error gets no place of it. A place that is claimed is its
# holder's, also after the lease.
LACKING = """
    SELECT found.item_id, found.lacking, SUM(found.lacking) OVER () AS places FROM (
        SELECT p.item_id, COUNT(*) - %(people)s + COALESCE(barred.people, 0) AS lacking,
               MIN(p.number) AS number
        FROM annotation_assignment p
        LEFT JOIN (
            SELECT each_one.item_id, COUNT(*) AS people FROM (
                SELECT a.item_id, a.annotator_id FROM annotation_annotation a
                WHERE a.annotator_id IN ({people})
                UNION
                SELECT w.item_id, w.participant_id FROM annotation_withheld w
                WHERE w.participant_id IN ({people})
                UNION
                SELECT i.id, m.id FROM annotation_participant m
                JOIN annotation_item i ON i.project_id = m.project_id AND i.author = m.pseudonym
                WHERE m.id IN ({people})
            ) each_one
            GROUP BY each_one.item_id
        ) barred ON barred.item_id = p.item_id
        WHERE p.project_id = %(project)s AND p.language = %(language)s
          AND p.offered = 1 AND p.state = 'open'
        GROUP BY p.item_id, barred.people
    ) found
    WHERE found.lacking > 0
    ORDER BY found.number LIMIT {shown}
"""


@dataclass(frozen=True)
class NobodyLeft:
    """``places`` open in the language that none of its ``annotators`` (their number) can get.

    ``items`` are the first of them; ``more`` says that there are others.
    """

    language: str
    annotators: int
    places: int
    items: list[Item]
    more: bool


def nobody_left(project: Project) -> list[NobodyLeft]:
    """One entry for each language that has such places, in the project's order."""
    annotators: dict[str, list[int]] = {language: [] for language in project.languages}
    held = Membership.objects.filter(participant__project=project, role=Membership.Role.ANNOTATOR)
    for person, languages in held.order_by("pk").values_list("participant", "languages"):
        for language in languages or project.languages:
            annotators.setdefault(language, []).append(person)
    found = []
    for language, people in annotators.items():
        names = {f"person{at}": person for at, person in enumerate(people)}
        query = LACKING.format(
            people=", ".join(f"%({name})s" for name in names) or "NULL", shown=SHOWN + 1
        )
        values: dict[str, int | str] = {
            "project": project.pk,
            "language": language,
            "people": len(people),
            **names,
        }
        with connection.cursor() as cursor:
            cursor.execute(query, values)
            rows = cursor.fetchall()
        if rows:
            first = Item.objects.filter(pk__in=[row[0] for row in rows[:SHOWN]])
            items, places = list(first.order_by("number", "pk")), int(rows[0][2])
            found.append(NobodyLeft(language, len(people), places, items, len(rows) > SHOWN))
    return found
