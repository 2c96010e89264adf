"""One item from another app: a written sample that becomes an item like any other."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import access
from annotation.actions.import_write import make_places
from annotation.errors import Refused
from annotation.models import Image, Item, Project, User
from annotation.order import item_number
from annotation.records import ItemRecord
from annotation.selectors.records import ITEM_FIELDS


@transaction.atomic
def add_item(by: User | None, project: Project, record: ItemRecord, image: Image | None) -> Item:
    """Add an item with its open places; a coordinator's action.

    ``image`` is a picture of the project, named by the record. Raises `Refused` where the key is
    taken, the language is none of the project's, or the picture is another's.
    """
    access.check_coordinator(by, project)
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if Item.objects.filter(project=project, key=record.key).exists():
        raise Refused(("key", _("There is an item with the key %s already.") % record.key))
    if record.language not in project.languages:
        raise Refused(("language", _("%s is no language of this project.") % record.language))
    if image is not None and image.project_id != project.pk:
        raise Refused(("image", _("The picture belongs to another project.")))
    item = Item.objects.create(
        **{name: getattr(record, name) for name in ITEM_FIELDS if name != "image_name"},
        image_name=image.name if image else record.image_name,
        image=image,
        project=project,
        number=item_number(project.seed, record.key),
    )
    make_places(project, item.pk, item.pk)
    return item
