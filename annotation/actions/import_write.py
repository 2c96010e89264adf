"""Writing checked rows, a chunk at a time, in the import's one transaction."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from django.db import connection
from django.db.models import F

from annotation.actions.bulk import insert
from annotation.actions.import_answers import AnswerWriter, label_ids
from annotation.actions.import_plan import Change, Kind, Said, Stored, compare, state_of_new
from annotation.actions.pictures import Pictures
from annotation.actions.places import refresh_offers
from annotation.actions.withheld import withhold
from annotation.formats import Fault
from annotation.models import Assignment, Item, Project, User
from annotation.order import item_number
from annotation.records import ItemRecord
from annotation.selectors.records import ITEM_FIELDS
from annotation.selectors.stored import stored_rows

ROWS = 1000
_values = attrgetter(*ITEM_FIELDS)
MADE_FROM_ITEMS = """
INSERT INTO annotation_assignment
    (item_id, ordinal, state, project_id, language, number, begun, offered)
SELECT item.id, place.ordinal, 'open', item.project_id, item.language, item.number, 0,
    CASE WHEN item.state = 'active'
        AND (COALESCE(item.image_name, '') = '' OR item.image_id IS NOT NULL) THEN 1 ELSE 0 END
FROM annotation_item item CROSS JOIN ({ordinals}) AS place
WHERE item.project_id = %s AND item.id BETWEEN %s AND %s
ORDER BY item.id, place.ordinal
"""


@dataclass
class ItemWriter:
    """Writes the rows of one import.

    ``faults`` collects rows that other work made impossible, ``counts`` what became of the rest.
    """

    project: Project
    by: User | None
    said: Said
    with_annotations: bool
    pictures: Pictures
    faults: list[tuple[int, Fault]] = field(default_factory=list)
    counts: Counter[Kind] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.answers = AnswerWriter(self.project, self.by, label_ids(self.project))

    def write(self, rows: Sequence[tuple[int, ItemRecord]]) -> None:
        """Write up to `ROWS` rows ``(line, record)``; each is compared again under locks."""
        keys = [record.key for _, record in rows]
        places = self._locked_places(keys)
        stored = stored_of(self.project, keys, self.with_annotations)
        new: list[ItemRecord] = []
        changed: list[tuple[Stored, ItemRecord, Change]] = []
        for line, record in rows:
            found = stored.get(record.key)
            try:
                change = compare(record, found, self.said)
            except Fault as fault:
                self.faults.append((line, fault))
                continue
            self.counts[change.kind] += 1
            if found is None:
                new.append(record)
            elif change.kind is Kind.CHANGED:
                changed.append((found, self.said.filled(record, found.record), change))
        names = {r.image_name for _, r in rows} | {r.image_name for _, r, _ in changed}
        images = self.pictures.ids({name for name in names if name})
        self._write_new(new, images)
        self._write_changed(changed, images, places)

    def _locked_places(self, keys: list[str]) -> dict[int, list[Assignment]]:
        """Item id -> its places, locked, so that nobody begins or saves one meanwhile."""
        places = defaultdict(list)
        locked = Assignment.objects.select_for_update(no_key=True, of=("self",)).order_by("pk")
        for place in locked.filter(item__project=self.project, item__key__in=keys):
            places[place.item_id].append(place)
        return places

    def _write_new(self, records: list[ItemRecord], images: dict[str, int]) -> None:
        if not records:
            return
        project, seed = self.project.pk, self.project.seed
        insert(
            Item,
            (*ITEM_FIELDS, "project_id", "number", "image_id"),
            (
                (
                    *_values(record)[:-1],
                    state_of_new(record),
                    project,
                    item_number(seed, record.key),
                    images.get(record.image_name or ""),
                )
                for record in records
            ),
        )
        keys = [record.key for record in records]
        fields = ("project", "key", "language", "number", "state", "image_name", "image")
        made = {
            item.key: item
            for item in Item.objects.filter(project=self.project, key__in=keys).only(*fields)
        }
        if any(record.annotations for record in records):
            self.answers.add([(made[r.key], r.annotations, []) for r in records])
        else:
            ids = [item.pk for item in made.values()]
            make_places(self.project, min(ids), max(ids))
        self._withhold([(made[record.key].pk, record.withheld) for record in records])

    def _withhold(self, pairs: Sequence[tuple[int, Collection[str]]]) -> None:
        """Keep people, named by pseudonyms, from items."""
        named = [(item, names) for item, names in pairs if names]
        self.answers.learn_people(name for _, names in named for name in names)
        withhold((item, self.answers.people[name]) for item, names in named for name in names)

    def _item(self, record: ItemRecord, state: str, images: dict[str, int]) -> Item:
        values = {name: getattr(record, name) for name in ITEM_FIELDS}
        return Item(
            **values | {"state": state},
            project_id=self.project.pk,
            number=item_number(self.project.seed, record.key),
            image_id=images.get(record.image_name or ""),
        )

    def _write_changed(
        self,
        changed: list[tuple[Stored, ItemRecord, Change]],
        images: dict[str, int],
        places: dict[int, list[Assignment]],
    ) -> None:
        if not changed:
            return
        items: list[Item] = []
        languages = defaultdict(list)
        for stored, record, change in changed:
            values = {n: getattr(record, n) for n in change.fields if n != "state"}
            merged = replace(stored.record, **values)
            state = state_of_new(record) if "state" in change.fields else stored.record.state
            items.append(self._item(merged, state, images))
            if "language" in change.fields:
                languages[record.language].append(stored.pk)
        Item.objects.bulk_create(
            items,
            batch_size=ROWS,
            update_conflicts=True,
            unique_fields=["project", "key"],
            update_fields=[*(n for n in ITEM_FIELDS if n != "key"), "image"],
        )
        Project.objects.filter(pk=self.project.pk).update(items_version=F("items_version") + 1)
        for item, (stored, _, _) in zip(items, changed, strict=True):
            item.pk = stored.pk
        for language, ids in languages.items():
            Assignment.objects.filter(item_id__in=ids).update(language=language)
        self.answers.add(
            [
                (item, change.answers, places.get(item.pk, []))
                for item, (_, _, change) in zip(items, changed, strict=True)
                if change.answers
            ]
        )
        self._withhold([(stored.pk, change.withheld) for stored, _, change in changed])
        refresh_offers([item.pk for item in items])


def make_places(project: Project, first: int, last: int) -> None:
    """The project's number of open places for each item with an id in ``[first, last]``.

    Only this import adds items to the project meanwhile: it holds the project's row.
    """
    ordinals = " UNION ALL ".join(f"SELECT {n} AS ordinal" for n in range(1, project.per_item + 1))
    with connection.cursor() as cursor:
        cursor.execute(MADE_FROM_ITEMS.replace("{ordinals}", ordinals), [project.pk, first, last])


def stored_of(project: Project, keys: list[str], with_annotations: bool) -> dict[str, Stored]:
    rows = stored_rows(project, keys, with_annotations)
    return {key: Stored(*row) for key, row in rows.items()}
