"""Every address of the site as the URL configuration has it, and what is decided about each."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from annotation.actions import people, places
from annotation.models import Project, User
from tests import factories, pages
from tests.pages import FOREIGN, LOGIN, NO, OK

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ROLES = ("coordinator", "annotator", "writer", "reviewer")
# second: another annotator; insider: every role here; stranger: every role elsewhere;
# removed: had every role here; inactive: has every role here, and a closed account
PERSONS = (
    *("nobody", "coordinator", "annotator", "second", "writer", "reviewer"),
    *("insider", "stranger", "removed", "inactive"),
)
FORM = "GET POST"

# Pages: what a view takes where that is not GET alone. Who may is said in `tests.pages`. Whoever is
# logged in is led on from these two of allauth's, by any method.
LED_ON = ("account_login", "account_signup")
EVERY = " ".join(METHODS)
TAKEN = {
    "account_login": "GET POST PUT",
    "account_logout": "GET POST",
    "account_signup": EVERY,  # closed, whatever is sent
    "account_change_password": "GET POST PUT",
    "account_set_password": EVERY,  # led on to changing it, by any method
    "account_reset_password": EVERY,  # says whom to ask, where the site sends no mail
    "account_reset_password_from_key": EVERY,  # a link that is not good, by any method
    "account_reauthenticate": "GET POST PUT",
    "account_sessions": FORM,
    "account_tokens": FORM,
    "account_email": FORM,
    "account_erase": FORM,
    # Of allauth's pages of the second factor: led on to the login or a question, by any method.
    "mfa_authenticate": EVERY,
    "mfa_download_recovery_codes": EVERY,
    "mfa_reauthenticate": EVERY,
    "mfa_activate_totp": EVERY,
    "mfa_deactivate_totp": EVERY,
    "mfa_generate_recovery_codes": EVERY,
    "join": FORM,
    "password_link": FORM,
    "project_new": FORM,
    "release": FORM,
    "person_withdraw": FORM,
    "item_decision": "POST",
    "answer_decision": "POST",
    "import": FORM,
    "job_change": "POST",
    "members": FORM,
    "member": FORM,
    "member_link": "POST",
    "member_tokens": FORM,
    "member_remove": FORM,
    "invite": "POST",
    "invitation_revoke": "POST",
    "labels": FORM,
    "label_edit": FORM,
    "label_change": "POST",
    "project_settings": FORM,
    "brief_start": "POST",
    "sample_decision": "POST",
    "samples_together": "POST",
    "writing_policy": FORM,
    "briefs": FORM,
    "translation_matrix": FORM,
    "translation_next": "POST",
    "translation_change": "POST",
}
# The API: method and path, then the roles that may; OWN: the annotator's or writer's own thing,
# which nobody else finds; ACCOUNT: whoever has one.
OWN, ACCOUNT = "own", "account"
OWN_PAGES = {
    "label_one": "annotator",
    "write": "writer",
    "translate": "writer",
}
API: dict[str, tuple[str, str, str]] = {
    "api_projects": ("GET", "projects/", ACCOUNT),
    "api_project": ("GET", "projects/{slug}/", "coordinator annotator writer reviewer"),
    "api_progress": ("GET", "projects/{slug}/progress/", "coordinator"),
    "api_items": ("POST", "projects/{slug}/items/", "coordinator"),
    "api_export": ("GET", "projects/{slug}/export/", "coordinator"),
    "api_agreement": ("GET", "projects/{slug}/agreement/", "coordinator"),
    "api_claim": ("POST", "projects/{slug}/claim/", "annotator"),
    "api_assignment": ("GET PUT", "assignments/{place}/", f"{OWN} annotator"),
    "api_report": ("POST", "assignments/{place}/report/", f"{OWN} annotator"),
    "api_sample": ("GET PUT DELETE", "samples/{draft}/", f"{OWN} writer"),
    "api_balance": ("GET", "projects/{slug}/balance/", "coordinator writer"),
    "api_schema": ("GET", "schema/", ACCOUNT),
}


@dataclass(frozen=True)
class Route:
    """An address of the configuration: its name, its pattern, its parameters by converter."""

    name: str
    pattern: str
    parameters: dict[str, str]


def routes() -> list[Route]:
    """All of them, walked through the resolver; one without a name stands under its pattern."""
    return list(_walk(get_resolver().url_patterns, "", {}))


def _walk(patterns: list[Any], prefix: str, given: dict[str, str]) -> Iterator[Route]:
    for entry in patterns:
        pattern = prefix + str(entry.pattern)
        named = given | {
            name: type(converter).__name__ for name, converter in entry.pattern.converters.items()
        }
        if isinstance(entry, URLResolver):
            yield from _walk(entry.url_patterns, pattern, named)
        elif isinstance(entry, URLPattern):
            yield Route(entry.name or pattern, pattern, named)


def path_of(name: str) -> str:
    """The address of a route, with the names of `tests.pages.fill` in it."""
    return "/api/v1/" + API[name][1] if name in API else pages.TABLE[name].path


def taken_by(name: str) -> set[str]:
    """The methods that are decided for a route."""
    return set((API[name][0] if name in API else TAKEN.get(name, "GET")).split())


def asks(name: str) -> str:
    """Who hears from a route whether it takes a method: of one's own things only the owner."""
    if name in LED_ON:
        return "nobody"
    if name in OWN_PAGES:
        return OWN_PAGES[name]
    who = API[name][2].split() if name in API else []
    return who[1] if who[:1] == [OWN] else "insider"


def expected(name: str, person: str) -> object:
    """What the person is to get from a route, by whatever method it takes."""
    if name in API:
        return _expected_of_api(API[name][2].split(), person)
    who = dict(zip(pages.PEOPLE, pages.TABLE[name].who, strict=True))
    if person in who:
        return who[person]
    if person == "inactive":
        return who["nobody"]
    if person == "insider":
        allowed = OK in {who[role] for role in ROLES} and name not in OWN_PAGES
        return OK if allowed else FOREIGN
    # A removed member is a stranger, and coordinates nothing any more.
    return NO if name == "project_new" else who["stranger"]


def _expected_of_api(roles: list[str], person: str) -> object:
    if person in ("nobody", "inactive"):
        return LOGIN
    if roles == [ACCOUNT]:
        return OK
    if person in ("stranger", "removed"):
        return FOREIGN
    if roles[0] == OWN:
        return OK if person == roles[1] else FOREIGN
    held = set(ROLES) if person == "insider" else {"annotator" if person == "second" else person}
    return OK if held & set(roles) else NO


def outcome(reply: HttpResponseBase) -> object:
    """What of the decisions an answer is."""
    status = reply.status_code
    if status == 401 or (status == 302 and reply["Location"].startswith("/accounts/login/?next=")):
        return LOGIN
    return status if status in (NO, FOREIGN, 405) or status >= 500 else OK


def ask(client: Client, method: str, path: str, body: Any = None) -> HttpResponseBase:
    """One request whose changes are taken back, so that the next finds what this one found."""
    cookies = copy.deepcopy(client.cookies)
    with transaction.atomic():
        if path.startswith("/api/"):
            given = {"data": body or {}, "content_type": "application/json"}
        else:
            given = {"data": body or {}} if method == "POST" else {}
        if method == "GET":
            given = {}
        reply = getattr(client, method.lower())(path, **given)
        if getattr(reply, "streaming", False):
            reply.getvalue()
        transaction.set_rollback(True)
    client.cookies = cookies
    return reply


def crowd(project: Project) -> dict[str, User | None]:
    """`PERSONS` by name; the stranger has every role of a project that is as full as this one."""
    users = pages.crowd(project)
    for name in ("insider", "removed", "inactive"):
        for role in ROLES:
            users[name] = factories.join(project, name, role)
    for role in ("writer", "reviewer"):
        factories.join(Project.objects.get(slug="elsewhere"), "stranger", role)
    return users


def fill(project: Project, users: dict[str, User | None]) -> dict[str, Any]:
    """`tests.pages.fill`; then those go who have left, the removed one in the midst of work."""
    factories.make_item(project, "left", places=1)
    places.claim(users["removed"], project.slug)
    named = pages.fill(project, users)
    people.remove_member(None, project.participants.get(user=users["removed"]))
    return named


def clients(users: dict[str, User | None]) -> dict[str, Client]:
    """A browser for each; the inactive account's session is older than its end."""
    found = {}
    for name, user in users.items():
        found[name] = Client(raise_request_exception=False)
        if user is not None:
            found[name].force_login(user)
    User.objects.filter(username="inactive").update(is_active=False)
    return found


def fill_elsewhere() -> dict[str, Any]:
    """Work of every kind in the strangers' project, by people whom nobody here knows."""
    other = Project.objects.get(slug="elsewhere")
    users: dict[str, User | None] = {
        name: factories.join(other, f"other-{name}", "annotator" if name == "second" else name)
        for name in ("coordinator", "annotator", "second", "writer")
    }
    return pages.fill(other, users)
