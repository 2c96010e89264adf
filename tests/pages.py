"""Every page of the site with what each person gets there, and a project that fills them all.

A route that is missing here fails `test_access_pages`; the tests of policy, words and axe walk the
same table, so that a new page is looked at by all of them.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image as Pillow

from annotation.actions import answers, invitations, people, places, reports
from annotation.actions.aside import set_aside
from annotation.models import Annotation, Image, Item, Job, Project, User
from annotation.records import Answer, SpanRecord
from tests import factories
from tests.writing import making
from writing.models import Sample

OK, NO, FOREIGN, LOGIN = "ok", 403, 404, "login"
PEOPLE = ("nobody", "coordinator", "annotator", "second", "writer", "reviewer", "stranger")
COORDINATORS = (LOGIN, OK, NO, NO, NO, NO, FOREIGN)
ANNOTATORS = (LOGIN, NO, OK, OK, NO, NO, FOREIGN)
WRITERS = (LOGIN, NO, NO, NO, OK, NO, FOREIGN)
ITS_WRITER = (LOGIN, *[FOREIGN] * 3, OK, *[FOREIGN] * 2)
MEMBERS = (LOGIN, OK, OK, OK, OK, OK, FOREIGN)
ACCOUNTS = (LOGIN, OK, OK, OK, OK, OK, OK)
EVERYBODY = (OK, OK, OK, OK, OK, OK, OK)


# routes that answer with a file, which no page holds
FILES = (
    "image",
    "brief_picture",
    "progress_csv",
    "job_refusals",
    "agreement_figure",
    "agreement_download",
    "samples_csv",
    "audit_download",
    "mfa_download_recovery_codes",
    "translation_report",
)


@dataclass(frozen=True)
class Page:
    """A route: how it is asked, where, and what each of `PEOPLE` gets."""

    method: str
    path: str
    who: tuple[object, ...]


def get(path: str, who: tuple[object, ...]) -> Page:
    return Page("get", path, who)


def post(path: str, who: tuple[object, ...] = COORDINATORS) -> Page:
    return Page("post", path, who)


TABLE = {
    "account_login": get("/accounts/login/", EVERYBODY),
    "account_logout": get("/accounts/logout/", EVERYBODY),
    "account_signup": get("/accounts/signup/", EVERYBODY),
    "account_inactive": get("/accounts/inactive/", EVERYBODY),
    "account_change_password": get("/accounts/password/", ACCOUNTS),
    "account_set_password": get("/accounts/password/set/", ACCOUNTS),
    "account_reset_password": get("/accounts/password/forgotten/", EVERYBODY),
    "account_reset_password_done": get("/accounts/password/forgotten/sent/", EVERYBODY),
    "account_reset_password_from_key": get("/accounts/password/new/1-x/", EVERYBODY),
    "account_reset_password_from_key_done": get("/accounts/password/new/done/", EVERYBODY),
    "account_reauthenticate": get("/accounts/again/", ACCOUNTS),
    "account": get("/accounts/", ACCOUNTS),
    "account_sessions": get("/accounts/sessions/", ACCOUNTS),
    "account_tokens": get("/accounts/tokens/", ACCOUNTS),
    "account_email": get("/accounts/email/", (LOGIN, *[FOREIGN] * 6)),  # without mail
    "account_erase": get("/accounts/erase/", ACCOUNTS),
    "mfa_index": get("/accounts/2fa/", ACCOUNTS),
    "mfa_authenticate": get("/accounts/2fa/code/", EVERYBODY),
    "mfa_reauthenticate": get("/accounts/2fa/again/", ACCOUNTS),
    "mfa_activate_totp": get("/accounts/2fa/app/", ACCOUNTS),
    "mfa_deactivate_totp": get("/accounts/2fa/app/remove/", (LOGIN, *[FOREIGN] * 6)),
    "mfa_view_recovery_codes": get("/accounts/2fa/recovery/", (LOGIN, *[FOREIGN] * 6)),
    "mfa_generate_recovery_codes": get("/accounts/2fa/recovery/new/", ACCOUNTS),
    "mfa_download_recovery_codes": get("/accounts/2fa/recovery/codes.txt", (LOGIN, *[FOREIGN] * 6)),
    "join": get("/join/{invited}/", EVERYBODY),
    "password_link": get("/welcome/{secret}/", EVERYBODY),
    "home": get("/", ACCOUNTS),
    "project_new": get("/new/", (LOGIN, OK, NO, NO, NO, NO, OK)),
    "project": get("/p/{slug}/", MEMBERS),
    "guidelines": get("/p/{slug}/guidelines/", MEMBERS),
    "label": get("/p/{slug}/label/", ANNOTATORS),
    "label_one": get("/p/{slug}/label/{place}/", (LOGIN, NO, OK, FOREIGN, NO, NO, FOREIGN)),
    "label_back": get("/p/{slug}/label/back/", ANNOTATORS),
    "progress_csv": get("/p/{slug}/progress.csv", COORDINATORS),
    "release": get("/p/{slug}/places/{place}/release/", COORDINATORS),
    "person_withdraw": get("/p/{slug}/people/{person}/withdraw/", COORDINATORS),
    "items": get("/p/{slug}/items/", COORDINATORS),
    "item": get("/p/{slug}/items/{item}/", (LOGIN, OK, NO, NO, NO, OK, FOREIGN)),
    "item_decision": post("/p/{slug}/items/{item}/retire/"),
    "answer_decision": post("/p/{slug}/answers/{answer}/set_aside/"),
    "reported": get("/p/{slug}/reported/", COORDINATORS),
    "aside": get("/p/{slug}/aside/", COORDINATORS),
    "import": get("/p/{slug}/import/", COORDINATORS),
    "jobs": get("/p/{slug}/jobs/", COORDINATORS),
    "job": get("/p/{slug}/jobs/{job}/", COORDINATORS),
    "job_change": post("/p/{slug}/jobs/{job}/change/"),
    "job_refusals": get("/p/{slug}/jobs/{job}/refused.csv", COORDINATORS),
    "export": get("/p/{slug}/export/", COORDINATORS),
    "members": get("/p/{slug}/members/", COORDINATORS),
    "member": get("/p/{slug}/members/{person}/", COORDINATORS),
    "member_link": post("/p/{slug}/members/{person}/link/"),
    "member_tokens": get("/p/{slug}/members/{person}/tokens/", COORDINATORS),
    "member_remove": get("/p/{slug}/members/{person}/remove/", COORDINATORS),
    "invite": post("/p/{slug}/invitations/"),
    "invitation_revoke": post("/p/{slug}/invitations/{invitation}/revoke/"),
    "audit": get("/p/{slug}/log/", COORDINATORS),
    "audit_download": get("/p/{slug}/log/log.csv", COORDINATORS),
    "labels": get("/p/{slug}/labels/", COORDINATORS),
    "label_edit": get("/p/{slug}/labels/{label}/", COORDINATORS),
    "label_change": post("/p/{slug}/labels/{label}/up/"),
    "project_settings": get("/p/{slug}/settings/", COORDINATORS),
    "writing": get("/p/{slug}/writing/", WRITERS),
    "write": get("/p/{slug}/writing/{draft}/", ITS_WRITER),
    "brief_start": post("/p/{slug}/briefs/{brief}/start/", ITS_WRITER),
    "brief_picture": get(
        "/briefs/{brief}/picture/", (LOGIN, OK, FOREIGN, FOREIGN, OK, OK, FOREIGN)
    ),
    "samples": get("/p/{slug}/samples/", COORDINATORS),
    "samples_csv": get("/p/{slug}/samples/balance.csv", COORDINATORS),
    "sample": get("/p/{slug}/samples/{sample}/", (LOGIN, OK, *[FOREIGN] * 3, OK, FOREIGN)),
    "sample_decision": post(
        "/p/{slug}/samples/{sample}/accept/", (LOGIN, OK, *[FOREIGN] * 3, NO, FOREIGN)
    ),
    "samples_together": post("/p/{slug}/samples/together/"),
    "writing_policy": get("/p/{slug}/samples/policy/", COORDINATORS),
    "briefs": get("/p/{slug}/briefs/", COORDINATORS),
    "translations": get("/p/{slug}/translations/", (LOGIN, OK, NO, NO, OK, NO, FOREIGN)),
    "translate": get("/p/{slug}/translations/{translation}/", ITS_WRITER),
    "translation_next": post("/p/{slug}/translations/next/", WRITERS),
    "translation_change": post("/p/{slug}/translations/{translation}/begin/", ITS_WRITER),
    "translation_matrix": get("/p/{slug}/samples/translations/", COORDINATORS),
    "translation_report": get("/p/{slug}/samples/translations.csv", COORDINATORS),
    "agreement": get("/p/{slug}/agreement/", COORDINATORS),
    "agreement_compare": get(
        "/p/{slug}/agreement/compare/?statistic_a=span_iou&statistic_b=span_iou", COORDINATORS
    ),
    "agreement_figure": get("/p/{slug}/agreement/figures/items.svg", COORDINATORS),
    "agreement_download": get("/p/{slug}/agreement/report.csv", COORDINATORS),
    "image": get("/pictures/{item}/", (LOGIN, OK, OK, FOREIGN, FOREIGN, OK, FOREIGN)),
}


def picture(project: Project) -> Image:
    buffer = io.BytesIO()
    Pillow.new("RGB", (64, 48), "#446688").save(buffer, "PNG")
    name = default_storage.save("field.png", ContentFile(buffer.getvalue()))
    return Image.objects.create(
        project=project, name="field.png", file=name, width=64, height=48, sha256="0" * 64
    )


def crowd(project: Project) -> dict[str, User | None]:
    """`PEOPLE` by name; the stranger coordinates and annotates elsewhere."""
    users: dict[str, User | None] = {"nobody": None}
    for name in ("coordinator", "annotator", "second", "writer", "reviewer"):
        role = "annotator" if name == "second" else name
        users[name] = factories.join(project, name, role)
    elsewhere = factories.make_project("elsewhere")
    factories.join(elsewhere, "stranger", "coordinator")
    users["stranger"] = factories.join(elsewhere, "stranger", "annotator")
    return users


def _answer(user: User, project: Project, submit: bool = True) -> int:
    """The user claims a place and sends a span with a comment; the place's id."""
    mine = places.claim(user, project.slug)
    spans = (SpanRecord(0, 3, "A"), SpanRecord(4, 9, "B"))
    answers.save(user, mine.place_id, Answer(spans, "A comment"), mine.version, 1000, submit)
    return int(mine.place_id)


def _translation(project: Project, users: dict[str, User | None]) -> Sample:
    """A translation that the writer has begun, with a machine's text, of an accepted sample."""
    brief = making.make_brief(project, "translated")
    root = making.accepted(users["writer"], users["coordinator"], brief, text="Two white sheep.")
    return Sample.objects.create(
        project=project,
        brief=brief,
        writer=root.writer,
        family=root,
        language=project.languages[-1],
        origin=Sample.Origin.TRANSLATED,
        label=root.label,
        parent=root,
        root=root,
        machine="Two white sheep.",
        text="Two white sheep.",
        saved_at=root.saved_at,
    )


def _draft(users: dict[str, User | None], shown: Item) -> Sample:
    """A draft of the writer's with an error that is marked, for a brief with a picture."""
    brief = making.make_brief(shown.project, "brief-7", image=shown.image, context=None)
    return making.written(users["writer"], brief, text="Two white goats.")


def fill(project: Project, users: dict[str, User | None]) -> dict[str, Any]:
    """Work of every kind in the project; what the addresses of `TABLE` name.

    ``item`` has a picture, a submitted answer (``answer``) and a claimed place (``place``).
    """
    annotator, second = users["annotator"], users["second"]
    shown = factories.make_item(project, "shown", places=1, image=picture(project))
    _answer(annotator, project)
    draft = _draft(users, shown)
    for n in range(3):
        factories.make_item(project, f"item-{n}", places=2)
    factories.make_item(project, "waits", image_name="later.png")
    place = _answer(annotator, project, submit=False)
    reports.report(second, places.claim(second, project.slug).place_id, "The picture is black.")
    aside = Annotation.objects.get(place=_answer(second, project))
    set_aside(users["coordinator"], aside)
    report = {"new": 3, "refusals": [["file.jsonl", 2, "id", "is missing"]]}
    job = Job.objects.create(
        project=project,
        kind="import",
        state="failed",
        report=report,
        parameters={"name": "file.jsonl", "folder": "none"},
    )
    people.make_token(annotator)
    waiting = people.add_member(None, project, "newcomer", "annotator", [])[0]
    return {
        "slug": project.slug,
        "secret": people.new_password_link(None, waiting),
        "invited": invitations.make_invitations(None, project, "annotator", [], 14)[0],
        "invitation": project.invitations.get().pk,
        "person": project.participants.get(user=annotator).pk,
        "place": place,
        "item": shown.pk,
        "answer": Annotation.objects.get(item=shown, annotator__user=annotator).pk,
        "label": project.labels.all()[1].pk,
        "sample": making.submitted(users["writer"], making.make_brief(project)).pk,
        "draft": draft.pk,
        "brief": draft.brief_id,
        "translation": _translation(project, users).pk,
        "job": job.pk,
    }
