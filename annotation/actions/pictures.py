"""The pictures of an import: found, checked, stored as files, and given to their items."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db.models import Exists, OuterRef, Subquery
from django.utils.translation import gettext as _

from annotation.actions.picture_checks import checked, digest
from annotation.actions.picture_sources import FIELD, PictureSource
from annotation.actions.places import lock_places, refresh_offers
from annotation.actions.resting import resting_on
from annotation.errors import Refused
from annotation.formats import Fault
from annotation.models import Image, Item, Project
from annotation.trouble import StoreAway


@dataclass(frozen=True, slots=True)
class Found:
    """A picture that is new to the project, or replaces one of the same name, not yet in use."""

    name: str
    file: str
    sha256: str
    width: int
    height: int
    replaces: int | None


@dataclass
class Pictures:
    """The pictures that one import refers to.

    New files are written while the rows are checked, under the name of their content; `discard`
    takes away those that this import wrote, when it fails.
    """

    project: Project
    source: PictureSource | None
    store: bool = True
    found: dict[str, Found] = field(default_factory=dict)
    faults: dict[str, Fault] = field(default_factory=dict)
    present: set[str] = field(default_factory=set)
    written: list[str] = field(default_factory=list)

    def look_up(self, names: set[str]) -> None:
        """Check the pictures of these names, as far as they are new; a few queries."""
        names = names - self.present - self.found.keys() - self.faults.keys()
        if not names:
            return
        rows = Image.objects.filter(project=self.project, name__in=names)
        stored = {image.name: image for image in rows}
        if self.source is None:
            self.present |= stored.keys()
            return
        used = resting_on([image.pk for image in stored.values()])
        for name in sorted(names):
            try:
                self._look_up(name, stored.get(name), used)
            except Fault as fault:
                self.faults[name] = fault

    def _look_up(self, name: str, stored: Image | None, used: dict[int, str]) -> None:
        content = self.source.read(name, settings.MAX_IMAGE_BYTES) if self.source else None
        if content is None:
            if stored is None:
                text = _("there is no picture %r in the given folder or zip") % name
                near = self.source.near(name) if self.source else None
                raise Fault(FIELD, f"{text}: {_('%r is there') % near}" if near else text)
            self.present.add(name)
            return
        if stored is not None and stored.sha256 == digest(content):
            self.present.add(name)
            return
        if stored is not None and stored.pk in used:
            values = {"name": repr(name), "why": used[stored.pk]}
            raise Fault(FIELD, _("%(name)s is another picture now, and %(why)s") % values)
        picture = checked(content, settings.MAX_IMAGE_PIXELS)
        file = f"pictures/{self.project.pk}/{picture.sha256}.{picture.extension}"
        if self.store and not _is_whole(file, len(picture.content)):
            self.written.append(file)
            if default_storage.save(file, ContentFile(picture.content)) != file:
                raise Refused((FIELD, _("Another import stores this picture: try again.")))
        self.found[name] = Found(
            name, file, picture.sha256, picture.width, picture.height, stored.pk if stored else None
        )

    def check(self, name: str | None) -> bool:
        """Whether the picture is there; raises the `Fault` found by `look_up`."""
        if not name:
            return True
        if name in self.faults:
            raise self.faults[name]
        return name in self.present or name in self.found

    def replaces(self, name: str | None) -> bool:
        """Whether the import puts another picture under a name that has one."""
        return name in self.found and self.found[name].replaces is not None

    def replaced(self) -> int:
        """How many pictures of the project the import replaces."""
        return sum(picture.replaces is not None for picture in self.found.values())

    def discard(self) -> None:
        """Delete the files that this import wrote and nobody refers to.

        Where the store is away they stay: the next import of such a picture takes them up.
        """
        used = set(Image.objects.filter(file__in=self.written).values_list("file", flat=True))
        with suppress(StoreAway):
            for file in self.written:
                if file not in used:
                    default_storage.delete(file)
        self.written.clear()

    def write_rows(self) -> None:
        """Make or replace the `Image` rows. Run it in the import's transaction."""
        found = list(self.found.values())
        for picture in found:
            if picture.file not in self.written and not default_storage.exists(picture.file):
                raise Refused((FIELD, _("A picture went away meanwhile: import again.")))
        rows = [
            Image(
                pk=picture.replaces,
                project=self.project,
                name=picture.name,
                file=picture.file,
                width=picture.width,
                height=picture.height,
                sha256=picture.sha256,
            )
            for picture in found
        ]
        replaced = [row for row in rows if row.pk]
        if resting_on([row.pk for row in replaced], lock=True):
            raise Refused((FIELD, _("Work on a picture began meanwhile: import again.")))
        Image.objects.bulk_create([row for row in rows if not row.pk], batch_size=500)
        Image.objects.bulk_update(replaced, ["file", "width", "height", "sha256"], batch_size=100)

    def ids(self, names: set[str]) -> dict[str, int]:
        """Name -> id of the project's pictures of these names; no query without names."""
        if not names:
            return {}
        rows = Image.objects.filter(project=self.project, name__in=names)
        return dict(rows.values_list("name", "pk"))


def _is_whole(file: str, size: int) -> bool:
    """Whether the file is there; what a killed import left half written goes away."""
    if not default_storage.exists(file):
        return False
    if default_storage.size(file) == size:
        return True
    default_storage.delete(file)
    return False


def give_pictures(project: Project) -> int:
    """Give every item that waits the picture of its name; returns how many got one.

    Run it in a transaction. Items that are active are offered from then on.
    """
    named = Image.objects.filter(project=project, name=OuterRef("image_name"))
    waiting = Item.objects.filter(
        Exists(named), project=project, image=None, image_name__isnull=False
    )
    ids = list(waiting.values_list("pk", flat=True))
    for at in range(0, len(ids), 500):
        part = ids[at : at + 500]
        lock_places(part)
        Item.objects.filter(pk__in=part).update(image=Subquery(named.values("pk")[:1]))
    refresh_offers(ids)
    return len(ids)
