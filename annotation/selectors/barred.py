"""Which items a person is never offered: the one rule of the offers and of what is left to do."""

from __future__ import annotations

# Scalar subqueries, and not NOT EXISTS: PostgreSQL would turn that into an anti-join and, without
# statistics, walk through all that the person ever did for each place. COALESCE ... < 1, and not IS
# NULL: of that it takes one row in 200 to be true, and then it reads and sorts all places for one.
# One COALESCE, so that what is asked after the first hit costs nothing. The sum keeps PostgreSQL
# from the index of the person's rows: with old statistics it would read them all for each place.
_RULE = """
    COALESCE(
        (SELECT 1 FROM annotation_annotation a
         WHERE a.item_id = {item} AND a.annotator_id = {person}),
        (SELECT 1 FROM annotation_item i WHERE i.id = {item} AND i.author = {pseudonym}),
        (SELECT 1 FROM annotation_withheld w
         WHERE w.item_id = {item} AND w.participant_id + 0 = {person}),
        0) < 1
"""


def not_barred(item: str, person: str, pseudonym: str) -> str:
    """The condition in SQL: the person had no answer on the item, did not write it, saw no error.

    ``item`` is a column; ``person`` and ``pseudonym`` stand for parameters: the person's id comes
    first and third, the pseudonym second.
    """
    return _RULE.format(item=item, person=person, pseudonym=pseudonym)


# Lists that are made once: PostgreSQL keeps them in hash tables.
_LISTS = """
    {item} NOT IN (SELECT m.item_id FROM annotation_annotation m
                   WHERE m.annotator_id = {person} AND m.submitted_at IS NOT NULL)
    AND {item} NOT IN (SELECT h.item_id FROM annotation_withheld h
                       WHERE h.participant_id = {person})
"""


def not_listed(item: str, person: str) -> str:
    """The condition in SQL: the person submitted no answer on the item, and it is not withheld.

    `not_barred` says so, too, of each item by itself. Where most items are barred to the person, as
    to somebody who is ahead of all others, this is asked before.
    """
    return _LISTS.format(item=item, person=person)
